import type { Noun } from '../noun.ts'
import { getChainPayment, getOrderChainPayment } from './get-chain-payment.ts'
import { listChainWatchers } from './list-watchers.ts'
import { startChainWatcher } from './watch-chains.ts'

/** What the chains say of orders, and what follows from it. */
export const chainPayments = {
  calls: { getChainPayment, getOrderChainPayment, listChainWatchers },
  workers: [startChainWatcher],
} satisfies Noun
