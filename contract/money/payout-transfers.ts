import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { id, requiredReason, time } from '../platform/fields.ts'
import { orderReasonLengthMax } from './orders.ts'

/** Transfers of each kind that one request lists. */
export const payoutTransfersMax = 200

/**
 * Why a transfer of the treasury proves no delivery. `unmatched`: no exported run has its address and amount.
 * `ambiguous`: several runs have them. `cancelled`: a canceled run had them. `gone`: the network no longer has the
 * transfer, which proved a delivery before.
 */
export const payoutTransferProblems = ['unmatched', 'ambiguous', 'cancelled', 'gone'] as const
export type PayoutTransferProblem = (typeof payoutTransferProblems)[number]

const payoutTransfer = z.object({
  id,
  txId: z.string(),
  address: z.string(),
  /** Tokens as exact decimal text. */
  amount: z.string(),
  /** Block; null if the network no longer has the transfer. */
  height: z.nullable(z.number()),
  seenAt: time,
  problem: z.enum(payoutTransferProblems),
  /** Deliveries with the same address and amount that are not sent, to which it can be assigned. */
  deliveries: z.array(
    z.object({
      deliveryId: id,
      reference: z.string(),
      orderId: id,
      orderReference: z.string(),
      memberEmail: z.string(),
      /** Number and due time of the part of the order. */
      tranche: z.number(),
      dueAt: time,
    }),
  ),
})
export type PayoutTransfer = z.infer<typeof payoutTransfer>

const dismissedTransfer = z.object({
  id,
  txId: z.string(),
  address: z.string(),
  amount: z.string(),
  dismissedAt: time,
  /** Null if the officer no longer exists. */
  dismissedBy: z.nullable(z.object({ id, name: z.string() })),
  reason: z.string(),
})
export type DismissedTransfer = z.infer<typeof dismissedTransfer>

const transfersOutput = z.object({
  /** The newest first. */
  transfers: z.array(payoutTransfer),
  /** Those that finance said paid no delivery, the last dismissed first. */
  dismissed: z.array(dismissedTransfer),
  /** Address of the block explorer of the token, without a slash at the end. Null if none is set. */
  explorer: z.nullable(z.string()),
})
export type PayoutTransfers = z.infer<typeof transfersOutput>

export const listPayoutTransfers = endpoint('GET', 'admin/payout-transfers', {
  about:
    'List the newest transfers of the treasury that match no delivery or several payout runs, belong to a canceled run, or have disappeared, and those that were dismissed.',
  access: staff('finance', 1),
  auditsAccess: 'payout',
  output: transfersOutput,
})

const resolution = {
  access: staff('finance', 2),
  params: z.strictObject({ id }),
  output: transfersOutput,
} as const
const reason = requiredReason(orderReasonLengthMax)

/** One officer is enough: the network is the evidence, and the delivery can then not be sent again. */
export const assignPayoutTransfer = endpoint('POST', 'admin/payout-transfers/:id/assign', {
  about:
    'Assign a transfer of the treasury to the delivery that it paid, which has the same address and amount.',
  ...resolution,
  body: z.strictObject({ deliveryId: id, reason }),
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const dismissPayoutTransfer = endpoint('POST', 'admin/payout-transfers/:id/dismiss', {
  about: 'Dismiss a transfer of the treasury that paid no delivery. It then no longer holds one.',
  ...resolution,
  body: z.strictObject({ reason }),
  errors: ['not_found', 'conflict', 'step_up_required'],
})
