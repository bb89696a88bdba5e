import type { ChainPayment } from '#contract/money/chain-payments.ts'

export const chainTxId = 'c0ffee'.padEnd(64, '0')

type Transaction = ChainPayment['transactions'][number]

export const aTransaction = (change: Partial<Transaction> = {}): Transaction => ({
  id: chainTxId,
  amount: '0.5',
  confirmations: 0,
  state: 'pool',
  firstSeenAt: '2026-11-22T09:00:00.000Z',
  height: null,
  ...change,
})

/** An order of 0.5 BTC with an address of its own that has not received a payment yet. */
export const aChainPayment = (change: Partial<ChainPayment> = {}): ChainPayment => ({
  orderId: '0198f0a0-0000-7000-8000-000000000003',
  coin: 'BTC',
  address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  isOwnAddress: true,
  due: '0.5',
  received: '0',
  confirmations: 0,
  confirmationsNeeded: 3,
  state: 'awaited',
  transactions: [],
  isReadyToComplete: false,
  lastLookedAt: '2026-11-22T09:05:00.000Z',
  isStale: false,
  droppedAt: null,
  ...change,
})

const inBlock = (confirmations: number, amount = '0.5') =>
  aTransaction({ amount, confirmations, state: 'confirmed', height: 900_000 })

/** One payment in each state. */
export const chainPayments: Readonly<Record<ChainPayment['state'], ChainPayment>> = {
  awaited: aChainPayment(),
  seen: aChainPayment({ state: 'seen', received: '0.5', transactions: [aTransaction()] }),
  confirming: aChainPayment({
    state: 'confirming',
    received: '0.5',
    confirmations: 1,
    transactions: [inBlock(1)],
  }),
  paid: aChainPayment({
    state: 'paid',
    received: '0.5',
    confirmations: 3,
    transactions: [inBlock(3)],
    isReadyToComplete: true,
  }),
  too_little: aChainPayment({
    state: 'too_little',
    received: '0.4',
    confirmations: 3,
    transactions: [inBlock(3, '0.4')],
  }),
  too_much: aChainPayment({
    state: 'too_much',
    received: '0.75',
    confirmations: 3,
    transactions: [inBlock(3, '0.75')],
  }),
  late: aChainPayment({ state: 'late', received: '0.5', confirmations: 2, transactions: [inBlock(2)] }),
  reorganised: aChainPayment({ state: 'reorganised', transactions: [aTransaction({ state: 'gone' })] }),
}
