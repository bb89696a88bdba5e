import * as z from 'zod/mini'
import { id, language, time } from '../platform/fields.ts'

/**
 * Webhook events. Their data contains only IDs, states, times, and amounts; personal data must be read from the API
 * with the necessary rights. Fields can be added, but never renamed or removed.
 */
const orderCompleted = z.object({
  orderId: id,
  memberId: id,
  status: z.literal('completed'),
  payMethod: z.string(),
  /** Exact decimals as text; null if finance left them empty. */
  amount: z.nullable(z.string()),
  currency: z.nullable(z.string()),
  fabQty: z.nullable(z.string()),
  completedAt: time,
})

/** What a completed order delivers, and where. */
export const deliveryFields = ['fabQty', 'fabAddress', 'ethAddress', 'btcAddress'] as const

/** The addresses themselves must be read from the API. */
const orderCorrected = z.object({
  orderId: id,
  memberId: id,
  fields: z.array(z.enum(deliveryFields)),
  /** The quantity from now on. */
  fabQty: z.nullable(z.string()),
  correctedAt: time,
})

/** A delivery also becomes due at `dueAt`, without an event. */
const deliveryChanged = z.object({
  deliveryId: id,
  orderId: id,
  memberId: id,
  /**
   * `corrected`: its quantity changed. `postponed`: `dueAt` changed. `released`: by finance, or by its payout run.
   * `reverted`: the network took its confirmation back.
   */
  state: z.enum([
    'created',
    'corrected',
    'postponed',
    'held',
    'released',
    'in_run',
    'sent',
    'confirmed',
    'reverted',
    'cancelled',
  ]),
  /** Exact decimal as text. */
  amount: z.string(),
  dueAt: time,
  runId: z.nullable(id),
  txId: z.string(),
  changedAt: time,
})

const payoutChanged = z.object({
  runId: id,
  number: z.int(),
  state: z.enum(['frozen', 'approved', 'exported', 'cancelled', 'done']),
  /** Number of deliveries in the run as frozen. */
  items: z.int(),
  /** Exact decimal as text. */
  total: z.string(),
  hash: z.string(),
  changedAt: time,
})

/**
 * `more_info`: questions to the applicant; `withdrawn`: an approval was revoked; `expired`: an approval
 * expired.
 */
export const decidedStates = ['approved', 'rejected', 'more_info', 'withdrawn', 'expired'] as const

const caseDecided = z.object({
  caseId: id,
  memberId: id,
  status: z.enum(decidedStates),
  previousStatus: z.string(),
  decidedAt: time,
})

const postPublished = z.object({
  postId: id,
  slug: z.string(),
  language,
  version: z.int(),
  publishedAt: time,
})

const memberActivated = z.object({ memberId: id, activatedAt: time })

/** Sent manually to check whether an endpoint responds. */
const test = z.object({ webhookId: id })

export const webhookData = {
  'order.completed': orderCompleted,
  'order.corrected': orderCorrected,
  'delivery.changed': deliveryChanged,
  'payout.changed': payoutChanged,
  'case.decided': caseDecided,
  'post.published': postPublished,
  'member.activated': memberActivated,
  'webhook.test': test,
} as const

export type WebhookEventType = keyof typeof webhookData
export type WebhookData<Type extends WebhookEventType> = z.infer<(typeof webhookData)[Type]>

/** Events that an endpoint can subscribe to. The test event is only sent manually. */
export const chosenEventTypes = [
  'order.completed',
  'order.corrected',
  'delivery.changed',
  'payout.changed',
  'case.decided',
  'post.published',
  'member.activated',
] as const satisfies readonly WebhookEventType[]
export type ChosenEventType = (typeof chosenEventTypes)[number]

/**
 * Events about records that require a finance level. Only people with that level can read their bodies and subscribe
 * endpoints to them.
 */
export const financeEventTypes: readonly WebhookEventType[] = [
  'order.completed',
  'order.corrected',
  'delivery.changed',
  'payout.changed',
  'case.decided',
]
export const isOfFinance = (type: string): boolean => (financeEventTypes as readonly string[]).includes(type)

export const webhookEventAbout: Readonly<Record<WebhookEventType, string>> = {
  'order.completed': 'An order was completed, manually or automatically.',
  'order.corrected':
    'Two people approved a change to the quantity or an address of a completed order, or its member added a missing token address.',
  'delivery.changed':
    'A delivery was created, corrected, postponed, held, released, frozen into a payout run, sent, confirmed, or canceled.',
  'payout.changed':
    'A payout run was frozen, approved, exported for the first time, or canceled, or all of its deliveries were confirmed.',
  'case.decided':
    'An identity case was decided: approved, rejected, or returned with questions. Also sent if an approval is withdrawn or expires.',
  'post.published':
    'A post became public: immediately, on schedule, or again after it had been unpublished. Editing a public post doesn’t create an event.',
  'member.activated': 'An account was activated for the first time.',
  'webhook.test': 'Sent from the console to test an endpoint.',
}

/** The body of a delivery. `id` is also sent in the header `webhook-id` and stays the same on retries. */
export const webhookBody = <Type extends WebhookEventType>(type: Type) =>
  z.object({ id, type: z.literal(type), createdAt: time, data: webhookData[type] })
