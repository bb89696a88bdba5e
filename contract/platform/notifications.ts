import * as z from 'zod/mini'
import { endpoint, member } from './endpoint.ts'
import { done, id, page, pageSizeMax, time, timeInput } from './fields.ts'

/** The area that a notification is about. */
export const notificationAreas = ['identity', 'orders', 'messages', 'security'] as const
export type NotificationArea = (typeof notificationAreas)[number]

/** Areas whose emails a member can turn off. Those about security are always sent. */
export const optionalEmailAreas = [
  'identity',
  'orders',
  'messages',
] as const satisfies readonly NotificationArea[]
export type OptionalEmailArea = (typeof optionalEmailAreas)[number]

/** How long a notification is kept, in days. */
export const notificationDays = 180

/** The page on which members choose their emails. Emails link to it. */
export const emailChoicesPath = '/account/notifications?show=emails'

const notification = z.object({
  id,
  area: z.enum(notificationAreas),
  /** In the language of the request. */
  text: z.string(),
  /** The path of the page that the notification links to. */
  path: z.string(),
  at: time,
  isUnread: z.boolean(),
})
export type Notification = z.infer<typeof notification>

export const listNotifications = endpoint('GET', 'notifications', {
  about: 'List the caller’s notifications, newest first, optionally of one area.',
  access: member,
  query: z.extend(page, { area: z.optional(z.enum(notificationAreas, 'one_of')) }),
  output: z.array(notification),
})

/** Counting stops here, so that it takes no longer for members with many notifications. */
export const unreadMax = 100

export const countUnreadNotifications = endpoint('GET', 'notifications/unread', {
  about: `Count the caller’s unread notifications, up to ${unreadMax}.`,
  access: member,
  output: z.object({ unread: z.int() }),
})

export const markNotificationsRead = endpoint('POST', 'notifications/read', {
  about:
    'Mark some of the caller’s notifications as read. If any of them isn’t the caller’s, none is marked.',
  access: member,
  body: z.strictObject({
    ids: z.array(id).check(z.minLength(1, 'required'), z.maxLength(pageSizeMax, 'too_many')),
  }),
  output: done('read'),
  errors: ['not_found'],
})

export const markAllNotificationsRead = endpoint('POST', 'notifications/read/all', {
  about:
    'Mark all notifications of the caller as read that are not newer than `until`. Use the time of the oldest one that was listed, and mark the listed ones by ID: others between them may have been added after they were listed.',
  access: member,
  body: z.strictObject({ until: timeInput }),
  output: done('read'),
})

const emailChoices = z.object({
  identity: z.boolean(),
  orders: z.boolean(),
  messages: z.boolean(),
} satisfies Record<OptionalEmailArea, unknown>)
export type EmailChoices = z.infer<typeof emailChoices>

export const readEmailChoices = endpoint('GET', 'notifications/email', {
  about:
    'Get the areas for which the caller receives emails. Emails about security and some others are always sent.',
  access: member,
  output: emailChoices,
})

export const saveEmailChoice = endpoint('POST', 'notifications/email', {
  about:
    'Turn the emails of one area on or off. The notifications in the account stay. This doesn’t affect emails that are always sent.',
  access: member,
  body: z.strictObject({ area: z.enum(optionalEmailAreas, 'one_of'), isOn: z.boolean() }),
  output: emailChoices,
})
