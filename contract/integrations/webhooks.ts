import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { timeInput, id, line, page, time } from '../platform/fields.ts'
import { chosenEventTypes, webhookData, type WebhookEventType } from './webhook-events.ts'

export const webhooksMax = 25
const webhookUrlLengthMax = 2000
const webhookDescriptionLengthMax = 200
export const responseExcerptMax = 1024
/** The maximum number of hours for which the previous secret signs along with the new one. */
const overlapHoursMax = 168
const overlapHoursDefault = 24

export const webhookStates = ['active', 'paused', 'disabled'] as const
/**
 * It failed for three days, it responded with 410 Gone, or an event about an order or identity case was due and
 * the person responsible for such events no longer has a finance level.
 */
export const webhookDisabledFor = ['failures', 'gone', 'finance_lost'] as const
export type WebhookState = (typeof webhookStates)[number]

/** `sending`: an instance is sending it now. `retrying`: an attempt failed and another one will follow. */
export const deliveryStates = ['waiting', 'sending', 'retrying', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Why an attempt failed. `status`: the endpoint responded with a status other than 2xx. */
export const deliveryFailureReasons = [
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
export type DeliveryFailureReason = (typeof deliveryFailureReasons)[number]

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
  /** Set if the endpoint was disabled automatically. */
  disabledFor: z.nullable(z.enum(webhookDisabledFor)),
  disabledAt: z.nullable(time),
  /** Until when the previous secret also signs. */
  formerSecretUntil: z.nullable(time),
  /**
   * Whether everyone who was shown a valid secret has a finance level. If not, the secret must be replaced before the
   * endpoint can receive order or identity events.
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
  about: 'List the webhook endpoints, with the number of waiting and failed deliveries.',
  access: staff('admin'),
  output: z.array(webhook),
})

export const getWebhook = endpoint('GET', 'admin/webhooks/:id', {
  about: 'Get one webhook endpoint. Its secret is never shown again.',
  access: staff('admin'),
  params: one,
  output: webhook,
  errors: ['not_found'],
})

const secretShown = z.object({ webhook, secret: z.string() })

export const createWebhook = endpoint('POST', 'admin/webhooks/create', {
  about:
    'Add a webhook endpoint and its events. The response contains the signing secret (Standard Webhooks), which is shown only once. Requires step-up authentication and, for events about orders or identity cases, a finance level.',
  access: staff('admin'),
  body: z.strictObject({ url, description: z._default(description, ''), events }),
  output: secretShown,
  status: 201,
  errors: ['step_up_required', 'conflict'],
})

export const updateWebhook = endpoint('POST', 'admin/webhooks/update', {
  about:
    'Update the URL, description, or events of a webhook endpoint. If `updatedAt` is given and is not the stored value, nothing changes. Requires step-up authentication. Adding events about orders or identity cases, or sending them to another URL, requires a finance level. Such events can be added only if the secret was shown to someone with that level; otherwise, replace the secret first, with no overlap.',
  access: staff('admin'),
  body: z.strictObject({
    id,
    url: z.optional(url),
    description: z.optional(description),
    events: z.optional(events),
    updatedAt: z.optional(timeInput),
  }),
  output: webhook,
  errors: ['not_found', 'step_up_required', 'conflict'],
})

export const rotateWebhookSecret = endpoint('POST', 'admin/webhooks/rotate', {
  about:
    'Replace the signing secret and return the new one, which is shown only once. The previous secret also signs for `overlapHours` (24 by default; 0 revokes it immediately). Requires step-up authentication and, if the endpoint receives events about orders or identity cases, a finance level.',
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
    'Pause or resume a webhook endpoint. Events that occur while it is paused wait for up to 30 days and are sent when it is resumed. Requires step-up authentication and, to resume an endpoint that was disabled for `finance_lost`, a finance level.',
  access: staff('admin'),
  body: z.strictObject({ id, state: z.enum(['active', 'paused'], 'one_of') }),
  output: webhook,
  errors: ['not_found', 'step_up_required'],
})

export const deleteWebhook = endpoint('POST', 'admin/webhooks/delete', {
  about: 'Delete a webhook endpoint, its log, and its waiting events. Requires step-up authentication.',
  access: staff('admin'),
  body: one,
  output: z.object({ deleted: z.literal(true) }),
  errors: ['not_found', 'step_up_required'],
})

const trouble = z.nullable(z.enum(deliveryFailureReasons))
const eventTypes = Object.keys(webhookData) as [WebhookEventType, ...WebhookEventType[]]

export const webhookDelivery = z.object({
  id,
  /** The value of the header `webhook-id`. */
  eventId: z.string(),
  type: z.enum(eventTypes),
  /**
   * ID of the record that the event is about. For finance events it is empty if the caller has no finance level, and so
   * are the body and the response.
   */
  subjectId: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number(),
  /** HTTP status of the last attempt. */
  status: z.nullable(z.number()),
  trouble,
  ms: z.nullable(z.number()),
  /** The beginning of the last response, as text. */
  responseExcerpt: z.string().check(z.maxLength(responseExcerptMax)),
  createdAt: time,
  changedAt: time,
  /** Set if the delivery is waiting. */
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
    'List the delivery log of an endpoint for the last 30 days, newest first: statuses, attempts, responses, and the next attempt. Details of events about orders and identity cases require a finance level.',
  access: staff('admin'),
  params: one,
  query: z.extend(page, {
    state: z.optional(z.enum(['waiting', 'delivered', 'failed'], 'one_of')),
    type: z.optional(z.enum(eventTypes, 'one_of')),
  }),
  output: z.array(webhookDelivery),
  auditsAccess: 'webhook',
  errors: ['not_found'],
})

export const testWebhook = endpoint('POST', 'admin/webhooks/test', {
  about:
    'Send the event `webhook.test` to an endpoint. If the endpoint is paused, the event waits. Requires step-up authentication.',
  access: staff('admin'),
  body: one,
  output: z.object({ id, eventId: z.string() }),
  errors: ['not_found', 'step_up_required'],
})

export const resendWebhookDelivery = endpoint('POST', 'admin/webhooks/resend', {
  about:
    'Resend one event with its ID, whatever its outcome. A waiting event is sent immediately. Requires step-up authentication.',
  access: staff('admin'),
  body: one,
  output: webhookDelivery,
  errors: ['not_found', 'step_up_required', 'conflict'],
})

export const resendFailedDeliveries = endpoint('POST', 'admin/webhooks/resendfailed', {
  about: 'Resend all events that failed for an endpoint since a given time. Requires step-up authentication.',
  access: staff('admin'),
  body: z.strictObject({ id, since: timeInput }),
  output: z.object({ count: z.number() }),
  errors: ['not_found', 'step_up_required'],
})
