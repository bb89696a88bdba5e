import * as z from 'zod/mini'
import { endpoint, member, staff } from '../platform/endpoint.ts'
import { id, time } from '../platform/fields.ts'

/**
 * Payment status of an order on its chain, as last seen by the blockchain monitor. `awaited`: no payment, or an
 * announced one has disappeared. `seen`: the amount due, not in a block yet. `confirming`: all of it is in blocks.
 * `paid`: exactly the amount due, in time, and final. `too_little`, `too_much`: another amount, final or not. `late`:
 * part of it came after the deadline or after the order was closed. `reorganised`: a transaction left the best chain
 * after it was in a block. While the amount due is unknown, a payment in time stays `confirming`.
 */
export const chainStates = [
  'awaited',
  'seen',
  'confirming',
  'paid',
  'too_little',
  'too_much',
  'late',
  'reorganised',
] as const
const chainState = z.enum(chainStates)
export type ChainState = (typeof chainStates)[number]

/** `gone`: replaced, dropped, or removed by a reorganization. It does not count. */
const chainTransactionStates = ['pool', 'confirmed', 'gone'] as const

/** Only the newest transactions are listed; older ones are counted. */
export const chainTransactionsMax = 20

export const chainPayment = z.object({
  orderId: id,
  /** The code of the payment method. */
  coin: z.string(),
  /** Receiving address. Empty for the member once it is no longer shown. */
  address: z.string(),
  /**
   * Whether the address was derived for this order, so that every payment to it counts. Otherwise only the
   * reported transaction counts.
   */
  isOwnAddress: z.boolean(),
  /** Amount due, as decimal text. */
  due: z.string(),
  /** Total in the best chain and in the mempool, as decimal text. */
  received: z.string(),
  /** Confirmations of the least confirmed transaction, capped at the required number. */
  confirmations: z.number(),
  confirmationsNeeded: z.number(),
  state: chainState,
  transactions: z.array(
    z.object({
      id: z.string(),
      amount: z.string(),
      /** Capped at the required number. */
      confirmations: z.number(),
      state: z.enum(chainTransactionStates),
      firstSeenAt: time,
      /** Block height; null in the mempool. */
      height: z.nullable(z.number()),
    }),
  ),
  /** Whether it is paid in full and no flag keeps finance from completing the order. */
  isReadyToComplete: z.boolean(),
  /** When the chain was last polled. */
  lastLookedAt: z.nullable(time),
  /** The node has not responded for several minutes, so this status may be outdated. */
  isStale: z.boolean(),
  /** When the network lost the announced payment. From then on, the order's deadline applies again. */
  droppedAt: z.nullable(time),
})
export type ChainPayment = z.infer<typeof chainPayment>

/** Null if the coin is not monitored, the order cannot be paid, or its amount due is unknown. */
const answered = z.object({ payment: z.nullable(chainPayment) })

export const getChainPayment = endpoint('GET', 'icotx/:id/chain', {
  about: 'Get the payment that was seen on chain for the caller’s own order.',
  access: member,
  params: z.strictObject({ id }),
  output: answered,
  errors: ['not_found'],
})

/** Polled while the order page is open; only the first request is logged. */
export const getOrderChainPayment = endpoint('GET', 'admin/orders/:id/chain', {
  about: 'Get the payment that was seen on chain for any order, as evidence for completing it.',
  access: staff('finance', 1),
  params: z.strictObject({ id }),
  output: answered,
  errors: ['not_found'],
})

/** Why a node could not be polled. Never contains its address, its response, or its credentials. */
export const chainErrors = [
  'unreachable',
  'refused',
  'too_slow',
  'too_large',
  'not_understood',
  'wrong_network',
  'wrong_token',
  'not_synced',
  'behind',
  'stalled',
  'failed',
] as const
export type ChainError = (typeof chainErrors)[number]

/** The name under which transfers of the token are stored. No payment method can have it. */
export const tokenCoin = '*token'

const chainWatcher = z.object({
  /** Name in the settings: `BTC` for `CHAIN_BTC_URL`. `tokenCoin` for the transfers of the token. */
  coin: z.string(),
  kind: z.enum(['bitcoin', 'ethereum']),
  network: z.string(),
  /** The protocol used to query the node. */
  way: z.enum(['bitcoin_rpc', 'electrum', 'ethereum_rpc']),
  /** Whether the last poll succeeded. */
  reached: z.boolean(),
  /** Height of the last block that was read. */
  height: z.nullable(z.number()),
  /** Blocks that the node has and that were not read yet. */
  lag: z.nullable(z.number()),
  lastLookedAt: z.nullable(time),
  isStale: z.boolean(),
  error: z.nullable(z.enum(chainErrors)),
  confirmationsNeeded: z.number(),
  /** Whether each order gets its own address, derived from an extended public key. */
  hasOwnAddresses: z.boolean(),
  /** The first address of that key, for comparison with the wallet. */
  firstAddress: z.nullable(z.string()),
  /** Number of addresses assigned. */
  addressesGiven: z.number(),
  /** Whether exact, timely, and final payments complete their orders automatically. */
  completes: z.boolean(),
})
export type ChainWatcher = z.infer<typeof chainWatcher>

export const listChainMonitors = endpoint('GET', 'admin/chain', {
  about:
    'List the blockchain monitors: their coins, whether their nodes respond, and how far they have read.',
  access: staff('admin'),
  output: z.object({ at: time, watchers: z.array(chainWatcher) }),
})
