import * as z from 'zod/mini'
import { category } from './announcements.ts'
import { bulk } from '../platform/bulk.ts'
import { anyone, endpoint, member, staff } from '../platform/endpoint.ts'
import { day, done, email, id, language, line, noBody, text, time } from '../platform/fields.ts'
import { languages } from '../platform/languages.ts'
import { resource, sortedBy } from '../platform/resource.ts'

export const newsRhythms = ['each', 'weekly'] as const
export type NewsRhythm = (typeof newsRhythms)[number]

export const subscriberStates = ['pending', 'active', 'ended'] as const
export type SubscriberState = (typeof subscriberStates)[number]
/** Why a subscription ended: the reader unsubscribed, emails bounced, staff removed it, or the reader marked one as spam. */
export const subscriberEnds = ['left', 'bounced', 'removed', 'complained'] as const
export type SubscriberEnd = (typeof subscriberEnds)[number]

/** Retention in days of unconfirmed subscriptions, and below of ended ones. */
export const pendingDays = 7
export const endedDays = 30

/** Version of the consent sentence under the form. Every new wording needs a new version. */
export const newsletterWording = '1'

const choiceFields = {
  language: z.enum(languages, 'one_of'),
  categories: z.array(category).check(
    z.minLength(1, 'required'),
    z.maxLength(20, 'too_long'),
    z.refine((given) => new Set(given).size === given.length, 'invalid'),
  ),
  rhythm: z.enum(newsRhythms, 'one_of'),
}
const newsChoice = z.object({
  language,
  categories: z.array(z.string()),
  rhythm: z.enum(newsRhythms),
})
export type NewsChoice = z.infer<typeof newsChoice>

/** When the digest is sent: a weekday (1 Monday to 7 Sunday) and an hour in the time zone (IANA). */
export const digestTime = z.object({ day: z.number(), hour: z.number(), zone: z.string() })
export type DigestTime = z.infer<typeof digestTime>

/**
 * What the reader sees of a subscription. The address is masked, because a forwarded email contains the same
 * link.
 */
export const subscription = z.extend(newsChoice, {
  state: z.enum(subscriberStates),
  address: z.string(),
  since: z.nullable(time),
  digest: digestTime,
})
export type Subscription = z.infer<typeof subscription>

/** Token in the links of emails. */
const token = line(120).check(z.minLength(1, 'required'))

export const newsAddress = z.strictObject({ email })

export const subscribeToNews = endpoint('POST', 'newsletter/subscribe', {
  about:
    'Subscribe to the newsletter. The response is the same whether or not the address is known; an email asks the reader to confirm.',
  access: anyone,
  proofOfWorkAfter: 10,
  status: 202,
  body: z.strictObject({ email, ...choiceFields }),
  output: done('received'),
})

export const confirmSubscription = endpoint('POST', 'newsletter/confirm', {
  about:
    'Confirm a subscription with the emailed code. The returned token gives access to the subscription, like the links in its emails.',
  access: anyone,
  body: z.strictObject({ code: token }),
  output: z.extend(subscription, { token: z.string() }),
  errors: ['code_invalid'],
})

export const openSubscription = endpoint('POST', 'newsletter/open', {
  about: 'Get a subscription by the link in each of its emails.',
  access: anyone,
  body: z.strictObject({ token }),
  output: subscription,
  errors: ['code_invalid'],
})

export const changeSubscription = endpoint('POST', 'newsletter/change', {
  about: 'Change the language, categories, or frequency of a subscription by the link in its emails.',
  access: anyone,
  body: z.strictObject({ token, ...choiceFields }),
  output: subscription,
  errors: ['code_invalid', 'conflict'],
})

export const unsubscribeFromNews = endpoint('POST', 'newsletter/leave', {
  about: 'Unsubscribe by the link in the emails. Emails that have not been sent yet are discarded.',
  access: anyone,
  body: z.strictObject({ token }),
  output: subscription,
  errors: ['code_invalid'],
})

export const readDigestTime = endpoint('GET', 'newsletter/digest', {
  about: 'Get the day and time of the weekly digest.',
  access: anyone,
  output: digestTime,
})

const ownSubscription = z.object({
  /** Null if the address of the account is not subscribed. */
  subscription: z.nullable(subscription),
  /** Whether the member's email address is verified. If not, an email asks to confirm the subscription. */
  isProved: z.boolean(),
  digest: digestTime,
})

export const readOwnSubscription = endpoint('GET', 'members/newsletter', {
  about: 'Get the newsletter subscription of the account’s email address.',
  access: member,
  output: ownSubscription,
})

export const saveOwnSubscription = endpoint('POST', 'members/newsletter', {
  about:
    'Subscribe the account’s email address to the newsletter, or change the subscription. This takes effect immediately if the address is verified; otherwise an email asks to confirm.',
  access: member,
  body: z.strictObject(choiceFields),
  output: ownSubscription,
})

export const endOwnSubscription = endpoint('POST', 'members/newsletter/leave', {
  about: 'Unsubscribe the account’s email address from the newsletter.',
  access: member,
  body: noBody,
  output: ownSubscription,
})

const rendered = z.object({ subject: z.string(), text: z.string(), html: z.string() })

const newsProgress = z.object({
  startedAt: time,
  /** Whether all emails are in the outbox. */
  isQueued: z.boolean(),
  queued: z.number(),
  sent: z.number(),
  failed: z.number(),
  /** Number of emails not sent, because readers unsubscribed or staff stopped them. */
  stopped: z.number(),
})

export const readPostMail = endpoint('GET', 'admin/news/posts/:id/mail', {
  about:
    'Get the email for a post as subscribers receive it, the number of recipients, and, once the post is published, the sending progress.',
  access: staff('news', 1),
  params: z.strictObject({ id }),
  output: z.object({
    mail: rendered,
    /** Subscribers to the post's language and category, by frequency. */
    readers: z.object({ each: z.number(), weekly: z.number() }),
    /** Confirmed subscribers. */
    subscribers: z.array(z.object({ language, category: z.string(), count: z.number() })),
    progress: z.nullable(newsProgress),
  }),
  errors: ['not_found'],
})

export const testPostMail = endpoint('POST', 'admin/news/posts/:id/mail/test', {
  about: 'Send the email for a post to the caller. Limited to 5 in 15 minutes.',
  access: staff('news', 2),
  params: z.strictObject({ id }),
  body: noBody,
  output: z.object({ to: z.string() }),
  errors: ['not_found'],
})

const consoleSubscriber = z.extend(newsChoice, {
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

export const subscribers = resource({
  path: 'admin/newsletter/subscribers',
  name: 'subscribers',
  about: 'List newsletter subscribers, filtered by status, language, beginning of the address, and day.',
  access: staff('employee', 1),
  auditsAccess: 'subscriber',
  row: consoleSubscriber,
  filters: {
    /** The beginning of an address. */
    email: z.optional(line(254)),
    state: z.optional(z.enum(subscriberStates, 'one_of')),
    language: z.optional(z.enum(languages, 'one_of')),
    from: z.optional(day),
    to: z.optional(day),
    sort: sortedBy('-asked', 'asked'),
  },
  palette: { without: 'A subscriber has no page of their own.' },
  file: { about: 'Export the same list as CSV, all pages. Requires step-up authentication.' },
})
export const { list: listSubscribers, file: exportSubscribers } = subscribers

export const removeReason = text(1000).check(z.trim(), z.minLength(1, 'required'))

export const removeSubscriber = endpoint('POST', 'admin/newsletter/subscribers/remove', {
  about: 'Remove a subscriber, with a reason. They can subscribe again.',
  access: staff('employee', 2),
  body: z.strictObject({ id, reason: removeReason }),
  output: consoleSubscriber,
  errors: ['not_found', 'conflict'],
})

export const removeSubscribers = bulk(removeSubscriber, 'admin/newsletter/subscribers/bulk/remove', {
  about: 'Remove up to 100 subscribers with one reason, or preview that. They can subscribe again.',
  input: { reason: removeReason },
})
