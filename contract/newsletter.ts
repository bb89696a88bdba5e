import * as z from 'zod/mini'
import { category } from './announcements.ts'
import { anyone, endpoint, member, staff } from './endpoint.ts'
import { day, done, email, id, language, line, noBody, page, text, time } from './fields.ts'
import { languages } from './languages.ts'

export const newsRhythms = ['each', 'weekly'] as const
export type NewsRhythm = (typeof newsRhythms)[number]

export const subscriberStates = ['pending', 'active', 'ended'] as const
export type SubscriberState = (typeof subscriberStates)[number]
/** By its reader, because mails do not arrive, or by the staff. */
export const subscriberEnds = ['left', 'bounced', 'removed'] as const
export type SubscriberEnd = (typeof subscriberEnds)[number]

/** In days: what nobody confirms goes after these, and what has ended. */
export const pendingDays = 7
export const endedDays = 30

/** The version of the sentence under the form, by which one agrees. A new wording is a new version. */
export const newsletterWording = '1'
/** Where somebody agreed. */
export const consentWays = ['form', 'account'] as const

const choiceFields = {
  language: z.enum(languages, 'one_of'),
  categories: z.array(category).check(
    z.minLength(1, 'required'),
    z.maxLength(20, 'too_long'),
    z.refine((given) => new Set(given).size === given.length, 'invalid'),
  ),
  rhythm: z.enum(newsRhythms, 'one_of'),
}
export const newsChoice = z.object({
  language,
  categories: z.array(z.string()),
  rhythm: z.enum(newsRhythms),
})
export type NewsChoice = z.infer<typeof newsChoice>

/** When the digest goes: a weekday (1 Monday to 7 Sunday) and an hour of the zone (IANA). */
export const digestTime = z.object({ day: z.number(), hour: z.number(), zone: z.string() })
export type DigestTime = z.infer<typeof digestTime>

/** What its reader sees of a subscription. The address is shortened: a forwarded mail has the same link. */
export const subscription = z.extend(newsChoice, {
  state: z.enum(subscriberStates),
  address: z.string(),
  since: z.nullable(time),
  digest: digestTime,
})
export type Subscription = z.infer<typeof subscription>

/** Of the links in the mails. */
const token = line(120).check(z.minLength(1, 'required'))

export const newsAddress = z.strictObject({ email })

export const subscribeToNews = endpoint('POST', 'newsletter/subscribe', {
  about:
    'Ask for news by mail. The answer is the same whether or not the address is known; a mail asks its reader to confirm.',
  access: anyone,
  asksWorkAfter: 10,
  status: 202,
  body: z.strictObject({ email, ...choiceFields }),
  output: done('received'),
})

export const confirmSubscription = endpoint('POST', 'newsletter/confirm', {
  about:
    'Confirm a subscription with the code of the mail. The token opens it from then on, as the links of its mails do.',
  access: anyone,
  body: z.strictObject({ code: token }),
  output: z.extend(subscription, { token: z.string() }),
  errors: ['code_invalid'],
})

export const openSubscription = endpoint('POST', 'newsletter/open', {
  about: 'A subscription, by the link that stands in each of its mails.',
  access: anyone,
  body: z.strictObject({ token }),
  output: subscription,
  errors: ['code_invalid'],
})

export const changeSubscription = endpoint('POST', 'newsletter/change', {
  about: 'Change language, categories or rhythm of a subscription, by the link of its mails.',
  access: anyone,
  body: z.strictObject({ token, ...choiceFields }),
  output: subscription,
  errors: ['code_invalid', 'conflict'],
})

export const leaveNews = endpoint('POST', 'newsletter/leave', {
  about: 'End a subscription, by the link of its mails. What still waits to be sent is not sent.',
  access: anyone,
  body: z.strictObject({ token }),
  output: subscription,
  errors: ['code_invalid'],
})

export const readDigestTime = endpoint('GET', 'newsletter/digest', {
  about: 'When the weekly digest goes.',
  access: anyone,
  output: digestTime,
})

const ownSubscription = z.object({
  /** Null where the address of the account gets no news. */
  subscription: z.nullable(subscription),
  /** Whether the member proved to read the mailbox: else a mail asks to confirm. */
  isProved: z.boolean(),
  digest: digestTime,
})

export const readOwnSubscription = endpoint('GET', 'members/newsletter', {
  about: 'Whether the address of the account gets news by mail.',
  access: member,
  output: ownSubscription,
})

export const saveOwnSubscription = endpoint('POST', 'members/newsletter', {
  about:
    'Get news by mail at the address of the account, or change which. At once where the mailbox is proved; else a mail asks to confirm.',
  access: member,
  body: z.strictObject(choiceFields),
  output: ownSubscription,
})

export const endOwnSubscription = endpoint('POST', 'members/newsletter/leave', {
  about: 'No more news by mail at the address of the account.',
  access: member,
  body: noBody,
  output: ownSubscription,
})

const rendered = z.object({ subject: z.string(), text: z.string(), html: z.string() })

export const newsProgress = z.object({
  startedAt: time,
  /** All are in the outbox. */
  isQueued: z.boolean(),
  queued: z.number(),
  sent: z.number(),
  failed: z.number(),
  /** Not sent because their readers left, or the staff stopped them. */
  stopped: z.number(),
})

export const readPostMail = endpoint('GET', 'admin/news/posts/:id/mail', {
  about:
    'The mail of a post as subscribers get it, how many would get it, and once it is published how far it has been sent.',
  access: staff('news', 1),
  params: z.strictObject({ id }),
  output: z.object({
    mail: rendered,
    /** Of the post’s language and category, by rhythm. */
    readers: z.object({ each: z.number(), weekly: z.number() }),
    /** All that have confirmed. */
    subscribers: z.array(z.object({ language, category: z.string(), count: z.number() })),
    progress: z.nullable(newsProgress),
  }),
  errors: ['not_found'],
})

export const testPostMail = endpoint('POST', 'admin/news/posts/:id/mail/test', {
  about: 'Send the mail of a post to oneself. Five in a quarter of an hour.',
  access: staff('news', 2),
  params: z.strictObject({ id }),
  body: noBody,
  output: z.object({ to: z.string() }),
  errors: ['not_found'],
})

export const subscriberSorts = ['-asked', 'asked'] as const

const filters = {
  /** The beginning of an address. */
  email: z.optional(line(254)),
  state: z.optional(z.enum(subscriberStates, 'one_of')),
  language: z.optional(z.enum(languages, 'one_of')),
  from: z.optional(day),
  to: z.optional(day),
  sort: z.optional(z.enum(subscriberSorts, 'one_of')),
}
export const subscriberFilters = z.strictObject(filters)
export type SubscriberFilters = z.infer<typeof subscriberFilters>

export const consoleSubscriber = z.extend(newsChoice, {
  id,
  email: z.string(),
  memberId: z.nullable(id),
  state: z.enum(subscriberStates),
  askedAt: time,
  consentedAt: z.nullable(time),
  wording: z.nullable(z.string()),
  way: z.nullable(z.string()),
  endedAt: z.nullable(time),
  endedBy: z.nullable(z.enum(subscriberEnds)),
  reason: z.nullable(z.string()),
})
export type ConsoleSubscriber = z.infer<typeof consoleSubscriber>

export const listSubscribers = endpoint('GET', 'admin/newsletter/subscribers', {
  about: 'Who gets news by mail, by state, language, beginning of the address and day.',
  access: staff('employee', 1),
  recordsReading: 'subscriber',
  query: z.strictObject({
    ...filters,
    ...page.shape,
  }),
  output: z.array(consoleSubscriber),
})

export const exportSubscribers = endpoint('GET', 'admin/newsletter/subscribers/csv', {
  about: 'The same list as CSV, all pages. Takes fresh proof.',
  access: staff('employee', 1),
  recordsReading: 'subscriber',
  query: subscriberFilters,
  output: z.unknown(),
  answersBytes: true,
  answersAlso: 'text/csv',
  errors: ['step_up_required'],
})

export const removeReason = text(1000).check(z.trim(), z.minLength(1, 'required'))

export const removeSubscriber = endpoint('POST', 'admin/newsletter/subscribers/remove', {
  about: 'End a subscription with a reason. Its reader may subscribe again.',
  access: staff('employee', 2),
  body: z.strictObject({ id, reason: removeReason }),
  output: consoleSubscriber,
  errors: ['not_found', 'conflict'],
})

/** As the list of all calls has them. */
export const calls = {
  subscribeToNews,
  confirmSubscription,
  openSubscription,
  changeSubscription,
  leaveNews,
  readDigestTime,
  readOwnSubscription,
  saveOwnSubscription,
  endOwnSubscription,
  readPostMail,
  testPostMail,
  listSubscribers,
  exportSubscribers,
  removeSubscriber,
}
