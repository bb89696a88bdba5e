import { chainTransactionsMax, type ChainPayment, type ChainState } from '#contract/chain-payments.ts'
import { parseDecimal, writeDecimal } from '#contract/decimal.ts'
import { blockTimeTolerance } from '../chains/block-time.ts'

/** What arrived, as its watcher saw it last. */
export type Transfer = {
  txId: string
  amount: string
  /** Of the block in the best chain that has it. */
  height: number | null
  blockAt: Date | null
  firstSeenAt: Date
  goneAt: Date | null
  /** Its block left the best chain, and no other has it. */
  reorganisedAt: Date | null
}

export type Judged = {
  due: string
  /** What came before pays for something else. */
  placedAt: Date
  /** Until when a payment counts; null: as long as the order is open. */
  deadline: Date | null
  /** When it was cancelled, by whomever: what arrives for it later comes too late. */
  cancelledAt: Date | null
  confirmationsNeeded: number
  /** The height of the last block that was looked at. */
  tip: number | null
}

export type Verdict = Pick<ChainPayment, 'state' | 'received' | 'confirmations' | 'transactions'> & {
  /** What counts: those that are in the best chain or in the pool, and no older than the order. */
  counted: readonly Transfer[]
}

/**
 * What the chain says of a payment. Everything that arrived counts together, and exactly what is due is right. Of a look that was
 * late itself the time of the block tells whether the payment was: nobody who pays makes that time.
 */
export function judgePayment(of: Judged, transfers: readonly Transfer[]): Verdict {
  const counted = transfers.filter((each) => each.goneAt === null && !isOlder(of, each))
  const received = counted.reduce((sum, { amount }) => sum + parseDecimal(amount), 0n)
  const confirmationsOf = ({ height, goneAt }: Transfer): number =>
    height === null || of.tip === null || goneAt !== null
      ? 0
      : Math.max(0, Math.min(of.confirmationsNeeded, of.tip - height + 1))
  const confirmations = counted.length === 0 ? 0 : Math.min(...counted.map(confirmationsOf))
  return {
    state: stateOf(of, transfers, counted, { received, confirmations }),
    received: writeDecimal(received),
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

function stateOf(
  of: Judged,
  transfers: readonly Transfer[],
  counted: readonly Transfer[],
  { received, confirmations }: { received: bigint; confirmations: number },
): ChainState {
  const due = parseDecimal(of.due)
  // Paid again by another transaction, it is missed by nobody.
  const isLost = ({ reorganisedAt, goneAt }: Transfer) =>
    reorganisedAt !== null && (goneAt === null || received < due)
  if (transfers.some((each) => isLost(each) && !isOlder(of, each))) return 'reorganised'
  if (counted.length === 0) return 'awaited'
  if (counted.some((each) => !isInTime(of, each))) return 'late'
  if (received < due) return 'too_little'
  if (received > due) return 'too_much'
  if (confirmations >= of.confirmationsNeeded) return 'paid'
  return counted.some(({ height }) => height === null) ? 'seen' : 'confirming'
}

/** Whether it came before the order was placed: to an address that was used before, or to one that is shared. */
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

export const isConfirmedBy = (end: Date, { blockAt }: Pick<Transfer, 'blockAt'>): boolean =>
  blockAt !== null && blockAt <= end
