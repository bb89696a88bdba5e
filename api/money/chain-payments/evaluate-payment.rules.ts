import { chainTransactionsMax, type ChainPayment, type ChainState } from '#contract/money/chain-payments.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { blockTimeTolerance } from '../chains/transfer.queries.ts'

/** An incoming payment, as the chain monitor last saw it. */
export type Transfer = {
  txId: string
  amount: string
  /** Height of its block in the best chain. */
  height: number | null
  blockAt: Date | null
  firstSeenAt: Date
  goneAt: Date | null
  /** When its block left the best chain, if no other block contains it. */
  reorganisedAt: Date | null
  /** When it last arrived, entered or left a block, or disappeared. */
  changedAt: Date
}

export type Judged = {
  /** Null while it is unknown. */
  due: string | null
  /** Earlier payments are for something else. */
  placedAt: Date
  /** Until when a payment counts; null: as long as the order is open. */
  deadline: Date | null
  /** When the order was canceled; later payments are too late. */
  cancelledAt: Date | null
  confirmationsNeeded: number
  /** Height of the last block polled. */
  tip: number | null
}

export type Verdict = Pick<ChainPayment, 'state' | 'received' | 'confirmations' | 'transactions'> & {
  /** Amount of the counted transfers that are in a block. */
  confirmed: string
  /** Transfers that count: in the best chain or the mempool, and no older than the order. */
  counted: readonly Transfer[]
}

/**
 * Evaluates a payment. All transfers are added up, and only the exact amount due is right; while it is unknown, no
 * payment is complete. If the poll itself was late, the block time shows whether the payment was in time, because the
 * payer can't set it.
 */
export function evaluatePayment(of: Judged, transfers: readonly Transfer[]): Verdict {
  const counted = transfers.filter((each) => each.goneAt === null && !isOlder(of, each))
  const received = addUp(counted)
  const confirmationsOf = ({ height, goneAt }: Transfer): number =>
    height === null || of.tip === null || goneAt !== null
      ? 0
      : Math.max(0, Math.min(of.confirmationsNeeded, of.tip - height + 1))
  const confirmations = counted.length === 0 ? 0 : Math.min(...counted.map(confirmationsOf))
  return {
    state: stateOf(of, transfers, counted, { received, confirmations }),
    received: writeDecimal(received),
    confirmed: writeDecimal(addUp(counted.filter(({ height }) => height !== null))),
    confirmations,
    counted,
    transactions: transfers.slice(-chainTransactionsMax).map((each) => ({
      id: each.txId,
      amount: writeDecimal(parseDecimal(each.amount)),
      confirmations: confirmationsOf(each),
      state: each.goneAt !== null ? 'gone' : each.height === null ? 'pool' : 'confirmed',
      firstSeenAt: each.firstSeenAt.toISOString(),
      height: each.height,
    })),
  }
}

export const addUp = (transfers: readonly Transfer[]): bigint =>
  transfers.reduce((sum, { amount }) => sum + parseDecimal(amount), 0n)

function stateOf(
  of: Judged,
  transfers: readonly Transfer[],
  counted: readonly Transfer[],
  { received, confirmations }: { received: bigint; confirmations: number },
): ChainState {
  const due = of.due === null ? null : parseDecimal(of.due)
  // A payment repeated by another transaction is not lost. While the amount due is unknown, any other payment counts.
  const isLost = ({ reorganisedAt, goneAt }: Transfer) =>
    reorganisedAt !== null && (goneAt === null || received < (due ?? 1n))
  if (transfers.some((each) => isLost(each) && !isOlder(of, each))) return 'reorganised'
  if (counted.length === 0) return 'awaited'
  if (counted.some((each) => !isInTime(of, each))) return 'late'
  if (due !== null && received < due) return 'too_little'
  if (due !== null && received > due) return 'too_much'
  if (due !== null && confirmations >= of.confirmationsNeeded) return 'paid'
  return counted.some(({ height }) => height === null) ? 'seen' : 'confirming'
}

/** Whether the transfer arrived before the order was placed, at a reused or shared address. */
export const isOlder = (
  { placedAt }: Pick<Judged, 'placedAt'>,
  { firstSeenAt, blockAt }: Pick<Transfer, 'firstSeenAt' | 'blockAt'>,
): boolean =>
  firstSeenAt < placedAt || (blockAt !== null && blockAt.getTime() < placedAt.getTime() - blockTimeTolerance)

export const isInTime = (
  { deadline, cancelledAt }: Pick<Judged, 'deadline' | 'cancelledAt'>,
  { firstSeenAt, blockAt }: Pick<Transfer, 'firstSeenAt' | 'blockAt'>,
): boolean =>
  [deadline, cancelledAt].every(
    (end) => end === null || firstSeenAt <= end || (blockAt !== null && blockAt <= end),
  )
