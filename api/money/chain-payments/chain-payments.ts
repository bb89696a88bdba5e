import { collectHandlers, type Module } from '../../platform/module.ts'
import * as getChainPayment from './get-chain-payment.ts'
import * as listWatchers from './list-watchers.ts'
import { startChainMonitor } from './monitor-chains.ts'

/** Evaluates what the chains show about orders, and acts on it. */
export const chainPayments = {
  calls: collectHandlers(getChainPayment, listWatchers),
  workers: [startChainMonitor],
} satisfies Module
