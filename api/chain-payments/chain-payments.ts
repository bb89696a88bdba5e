import { collectHandlers, type Noun } from '../module.ts'
import * as getChainPayment from './get-chain-payment.ts'
import * as listWatchers from './list-watchers.ts'
import { startChainWatcher } from './watch-chains.ts'

/** What the chains say of orders, and what follows from it. */
export const chainPayments = {
  calls: collectHandlers(getChainPayment, listWatchers),
  workers: [startChainWatcher],
} satisfies Noun
