import * as z from 'zod/mini'
import { endpoint, member, staff } from './endpoint.ts'
import { id, time } from './fields.ts'

/**
 * What the chain says of an order, as its watcher last saw it. `awaited`: nothing yet, or nothing any more of what was only
 * announced. `seen`: all that is due, not in a block yet. `confirming`: all of it in blocks. `paid`: exactly what is due, in
 * time, and final. `too_little`, `too_much`: other than what is due, final or not. `late`: some of it came after the deadline or
 * the end of the order. `reorganised`: something that was in a block is in none of the best chain any more.
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
export const chainState = z.enum(chainStates)
export type ChainState = (typeof chainStates)[number]

/** `gone`: replaced, dropped, or its block left the best chain and no other took it in. It counts for nothing. */
export const chainTransactionStates = ['pool', 'confirmed', 'gone'] as const
export type ChainTransactionState = (typeof chainTransactionStates)[number]

/** More are counted and not named: the newest are. */
export const chainTransactionsMax = 20

export const chainPayment = z.object({
  orderId: id,
  /** The code of the pay method. */
  coin: z.string(),
  /** Where it is paid; empty for its member once that is not shown any more. */
  address: z.string(),
  /** Derived for this order: everything that arrives there is its payment. Else only the transaction that was reported is. */
  isOwnAddress: z.boolean(),
  /** Decimal text. */
  due: z.string(),
  /** The sum of what is in the best chain and in the pool, as decimal text. */
  received: z.string(),
  /** Of the transaction that has the fewest, at most as many as are needed. */
  confirmations: z.number(),
  confirmationsNeeded: z.number(),
  state: chainState,
  transactions: z.array(
    z.object({
      id: z.string(),
      amount: z.string(),
      /** At most as many as are needed. */
      confirmations: z.number(),
      state: z.enum(chainTransactionStates),
      firstSeenAt: time,
      /** Of its block; null in the pool. */
      height: z.nullable(z.number()),
    }),
  ),
  /** Paid, and nothing about the order keeps finance from completing it. */
  isReadyToComplete: z.boolean(),
  /** When its chain was last looked at. */
  lastLookedAt: z.nullable(time),
  /** The node has not answered for some minutes: what is shown may be old. */
  isStale: z.boolean(),
  /** Since when the network does not know the announced payment. Then the deadline of the order applies again. */
  droppedAt: z.nullable(time),
})
export type ChainPayment = z.infer<typeof chainPayment>

/** Null where the order is of no coin that is watched, or cannot be paid. */
const answered = z.object({ payment: z.nullable(chainPayment) })

export const getChainPayment = endpoint('GET', 'icotx/:id/chain', {
  about: 'What has arrived on chain for an order of one’s own.',
  access: member,
  params: z.strictObject({ id }),
  output: answered,
  errors: ['not_found'],
})

/** Asked again and again while the order is open, which is recorded when it is opened. */
export const getOrderChainPayment = endpoint('GET', 'admin/orders/:id/chain', {
  about: 'What has arrived on chain for any order: the evidence for completing it.',
  access: staff('finance', 1),
  params: z.strictObject({ id }),
  output: answered,
  errors: ['not_found'],
})

/** Why a node could not be looked at. Never its address, its answer or its credentials. */
export const chainErrors = [
  'unreachable',
  'refused',
  'too_slow',
  'too_large',
  'not_understood',
  'wrong_network',
  'not_synced',
  'behind',
  'stalled',
  'failed',
] as const
export type ChainError = (typeof chainErrors)[number]

export const chainWatcher = z.object({
  /** As the settings name it: `BTC` for `CHAIN_BTC_URL`. */
  coin: z.string(),
  kind: z.enum(['bitcoin', 'ethereum']),
  network: z.string(),
  /** How the node is asked. */
  way: z.enum(['bitcoin_rpc', 'electrum', 'ethereum_rpc']),
  /** Whether the last look succeeded. */
  reached: z.boolean(),
  /** Of the last block that was looked at. */
  height: z.nullable(z.number()),
  /** Blocks that the node has and that were not looked at yet. */
  lag: z.nullable(z.number()),
  lastLookedAt: z.nullable(time),
  isStale: z.boolean(),
  error: z.nullable(z.enum(chainErrors)),
  confirmationsNeeded: z.number(),
  /** Whether each order gets an address of its own, derived from an extended public key. */
  hasOwnAddresses: z.boolean(),
  /** The first address of that key, to be compared with the wallet. */
  firstAddress: z.nullable(z.string()),
  /** How many addresses were given. */
  addressesGiven: z.number(),
  /** Whether exact, final payments in time are completed without anybody. */
  completes: z.boolean(),
})
export type ChainWatcher = z.infer<typeof chainWatcher>

export const listChainWatchers = endpoint('GET', 'admin/chain', {
  about: 'The watchers of chains: which coins, whether their nodes answer, and how far they have looked.',
  access: staff('admin'),
  output: z.object({ at: time, watchers: z.array(chainWatcher) }),
})
