import * as z from 'zod/mini'
import { endpoint, staff } from './endpoint.ts'
import { givenTime, id, line, page, time } from './fields.ts'
import { chosenEventTypes, webhookData, type WebhookEventType } from './webhook-events.ts'

export const webhooksMax = 25
export const webhookUrlLengthMax = 2000
export const webhookDescriptionLengthMax = 200
export const responseExcerptMax = 1024
/** The maximum number of hours for which the former secret signs along with the new one. */
export const overlapHoursMax = 168
export const overlapHoursDefault = 24

export const webhookStates = ['active', 'paused', 'disabled'] as const
/** It failed for three days, or answered 410 Gone. */
export const webhookDisabledFor = ['failures', 'gone'] as const
export type WebhookState = (typeof webhookStates)[number]

/** `sending`: an instance is sending it now; `retrying`: an attempt failed and another one follows. */
export const deliveryStates = ['waiting', 'sending', 'retrying', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Why an attempt failed. `status`: the endpoint answered with a status other than 2xx. */
export const deliveryTroubles = [
  'status',
  'gone',
  'redirected',
  'address_refused',
  'host_unknown',
  'connection_refused',
  'connection_lost',
  'timed_out',
  'tls',
  'interrupted',
  'unreadable_secret',
  'unknown',
] as const
export type DeliveryTrouble = (typeof deliveryTroubles)[number]

const url = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'required'),
    z.maxLength(webhookUrlLengthMax, 'too_long'),
    z.regex(/^https?:\/\/[^\s\p{Cc}]+$/iu, 'invalid'),
  )
const description = line(webhookDescriptionLengthMax)
const events = z
  .array(z.enum(chosenEventTypes, 'one_of'))
  .check(z.minLength(1, 'required'), z.maxLength(chosenEventTypes.length, 'too_many'))

export const webhook = z.object({
  id,
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(chosenEventTypes)),
  state: z.enum(webhookStates),
  /** Set if the program disabled it. */
  disabledFor: z.nullable(z.enum(webhookDisabledFor)),
  disabledAt: z.nullable(time),
  /** How long the former secret also signs. */
  formerSecretUntil: z.nullable(time),
  /**
   * Whether everyone who was shown a valid secret has a finance level. If not, the secret must be replaced
   * before the endpoint can receive order or identity events.
   */
  isSecretOfFinance: z.boolean(),
  failingSince: z.nullable(time),
  lastDeliveredAt: z.nullable(time),
  createdAt: time,
  updatedAt: time,
  /** Counting stops at 10,000. */
  waiting: z.number(),
  failed: z.number(),
})
export type Webhook = z.infer<typeof webhook>

const one = z.strictObject({ id })

export const listWebhooks = endpoint('GET', 'admin/webhooks', {
  about: 'The endpoints that are told what happens, with what waits for them and what failed.',
  access: staff('admin'),
  output: z.array(webhook),
})

export const getWebhook = endpoint('GET', 'admin/webhooks/:id', {
  about: 'One endpoint. Its secret is shown to nobody again.',
  access: staff('admin'),
  params: one,
  output: webhook,
  errors: ['not_found'],
})

const secretShown = z.object({ webhook, secret: z.string() })

export const createWebhook = endpoint('POST', 'admin/webhooks/create', {
  about:
    'Add an endpoint and its events. Answers the secret that signs what it is sent (Standard Webhooks), once. Takes fresh proof, and for events of orders and identity cases a level of finance.',
  access: staff('admin'),
  body: z.strictObject({ url, description: z._default(description, ''), events }),
  output: secretShown,
  status: 201,
  errors: ['step_up_required', 'conflict'],
})

export const updateWebhook = endpoint('POST', 'admin/webhooks/update', {
  about:
    'Change address, description or events of an endpoint; with `updatedAt` as it was read, not if somebody was faster. Takes fresh proof, and a level of finance to add events of orders or identity cases and to send them elsewhere. Those are added only where the secret was shown to somebody with that level; otherwise replace it first, with no overlap.',
  access: staff('admin'),
  body: z.strictObject({
    id,
    url: z.optional(url),
    description: z.optional(description),
    events: z.optional(events),
    updatedAt: z.optional(givenTime),
  }),
  output: webhook,
  errors: ['not_found', 'step_up_required', 'conflict'],
})

export const rotateWebhookSecret = endpoint('POST', 'admin/webhooks/rotate', {
  about:
    'Make a new secret and answer it, once. The former one signs beside it for `overlapHours` (24; 0 ends it at once). Takes fresh proof, and where it is told of orders or identity cases a level of finance.',
  access: staff('admin'),
  body: z.strictObject({
    id,
    overlapHours: z._default(
      z.int().check(z.gte(0, 'too_little'), z.lte(overlapHoursMax, 'too_much')),
      overlapHoursDefault,
    ),
  }),
  output: secretShown,
  errors: ['not_found', 'step_up_required'],
})

export const setWebhookState = endpoint('POST', 'admin/webhooks/state', {
  about:
    'Pause an endpoint, or let it go on. What happens meanwhile waits for it, for 30 days, and is sent when it goes on. Takes fresh proof.',
  access: staff('admin'),
  body: z.strictObject({ id, state: z.enum(['active', 'paused'], 'one_of') }),
  output: webhook,
  errors: ['not_found', 'step_up_required'],
})

export const deleteWebhook = endpoint('POST', 'admin/webhooks/delete', {
  about: 'Delete an endpoint, its log and what waits for it. Takes fresh proof.',
  access: staff('admin'),
  body: one,
  output: z.object({ deleted: z.literal(true) }),
  errors: ['not_found', 'step_up_required'],
})

const trouble = z.nullable(z.enum(deliveryTroubles))
const eventTypes = Object.keys(webhookData) as [WebhookEventType, ...WebhookEventType[]]

export const webhookDelivery = z.object({
  id,
  /** The value of the header `webhook-id`. */
  eventId: z.string(),
  type: z.enum(eventTypes),
  /**
   * ID of the record that the event is about. Empty, like the body and the answer, for finance events if the
   * reader has no finance level.
   */
  subjectId: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number(),
  /** HTTP status of the last attempt. */
  status: z.nullable(z.number()),
  trouble,
  ms: z.nullable(z.number()),
  /** The beginning of the last answer, as text. */
  responseExcerpt: z.string().check(z.maxLength(responseExcerptMax)),
  createdAt: time,
  changedAt: time,
  /** Set if it is waiting. */
  nextTryAt: z.nullable(time),
  /** The body as sent. */
  body: z.string(),
  /** The latest attempts, oldest first. */
  tries: z.array(
    z.object({
      at: time,
      ms: z.nullable(z.number()),
      status: z.nullable(z.number()),
      /** Null if it succeeded or is still running. */
      trouble,
    }),
  ),
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

export const listWebhookDeliveries = endpoint('GET', 'admin/webhooks/:id/deliveries', {
  about:
    'The log of an endpoint for 30 days, the newest first: states, attempts, answers, the next try. What tells of orders and identity cases is shown with a level of finance alone.',
  access: staff('admin'),
  params: one,
  query: z.extend(page, {
    state: z.optional(z.enum(['waiting', 'delivered', 'failed'], 'one_of')),
    type: z.optional(z.enum(eventTypes, 'one_of')),
  }),
  output: z.array(webhookDelivery),
  recordsReading: 'webhook',
  errors: ['not_found'],
})

export const testWebhook = endpoint('POST', 'admin/webhooks/test', {
  about:
    'Send an endpoint the event `webhook.test`. Also to a paused one, where it waits. Takes fresh proof.',
  access: staff('admin'),
  body: one,
  output: z.object({ id, eventId: z.string() }),
  errors: ['not_found', 'step_up_required'],
})

export const resendWebhookDelivery = endpoint('POST', 'admin/webhooks/resend', {
  about:
    'Send one event again, with its id, whatever became of it; one that waits is tried now. Takes fresh proof.',
  access: staff('admin'),
  body: one,
  output: webhookDelivery,
  errors: ['not_found', 'step_up_required', 'conflict'],
})

export const resendFailedDeliveries = endpoint('POST', 'admin/webhooks/resendfailed', {
  about: 'Send again whatever failed for an endpoint since a time. Takes fresh proof.',
  access: staff('admin'),
  body: z.strictObject({ id, since: givenTime }),
  output: z.object({ count: z.number() }),
  errors: ['not_found', 'step_up_required'],
})
