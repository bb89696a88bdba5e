import { parseDecimal } from '#contract/platform/decimal.ts'
import { DAY } from '#contract/platform/durations.ts'
import { decimalPattern } from '#contract/platform/fields.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { findMisread } from './match-orders.ts'
import { withoutSign, type BadLine, type ImportLine, type ReadLines } from './read-lines.ts'
import { listNamedOrders, type NamedOrder } from './returned-payment.queries.ts'
import { listKnown } from './statement-line.queries.ts'

type Naming = Pick<ImportLine, 'key' | 'address' | 'mentioned'>
export type Refund = { line: ImportLine; orderId: string }
type Found = {
  bad: BadLine[]
  /** Debits with a transaction that no order names yet. They are kept, in case an order names it later. */
  kept: ImportLine[]
  /** New debits that are refunds. They are kept, because a refund is matched to only one debit. */
  refunds: Refund[]
}

/**
 * Finds debits that may return a payment: they name an order and aren't a refund that finance recorded for it. This
 * includes payments that aren't recorded yet, because someone could record them after they were returned. Also links
 * reversals and returned payments to their orders, so that those orders aren't completed.
 */
export async function findReturned(db: Tx, { bad, debits: read }: ReadLines): Promise<Found> {
  const { debits, misread } = await findMisread(db, read)
  const all = [...bad.map(({ line }) => line), ...debits]
  const orders = await listNamedOrders(db, {
    references: all.flatMap(({ references, mentioned }) => [...references, ...mentioned]),
    keys: all.map(({ key }) => key).filter(Boolean),
    addresses: all.map(({ address }) => address.toLowerCase()).filter(Boolean),
  })
  const namedBy = ({ key, address, mentioned }: Naming): NamedOrder[] =>
    orders.filter(
      ({ reference, keys, addresses }) =>
        keys.includes(key) || addresses.includes(address.toLowerCase()) || mentioned.includes(reference),
    )
  const named = new Map(debits.map((line) => [line, namedBy(line)]))
  const known = await listKnown(
    db,
    debits.map(({ fingerprint }) => fingerprint),
  )
  const stored = new Map(known.map(({ fingerprint, problem }) => [fingerprint, problem]))
  const isStoredRefund = ({ fingerprint }: ImportLine) => stored.get(fingerprint) === 'refund'
  const refunds = findRefunds(
    new Map([...named].filter(([line]) => !stored.has(line.fingerprint) && !misread.has(line))),
    orders,
  )
  const isRefund = (line: ImportLine) => isStoredRefund(line) || refunds.some((each) => each.line === line)
  const returned = debits.flatMap((line): BadLine[] => {
    const concerned = [...named.get(line)!.map(({ id }) => id), ...(misread.get(line) ?? [])]
    if ((concerned.length === 0 && !misread.has(line)) || isRefund(line)) return []
    const problem = { line: line.line, column: 'reference', problem: 'returned' as const, value: line.amount }
    return [{ line, problem, ...idsOf(concerned) }]
  })
  return {
    bad: [...bad.map((each) => linked(each, namedBy)), ...returned],
    kept: debits.filter((line) => line.key !== '' && named.get(line)!.length === 0 && !misread.has(line)),
    refunds,
  }
}

/**
 * Links a line to the orders that it names. A doubtful row whose money went out counts as a return of their payments.
 * Other lines don't block an order, so they must name it in the same way as payments.
 */
function linked(bad: BadLine, namedBy: (line: Naming) => readonly NamedOrder[]): BadLine {
  const { line, problem, isDebit = false } = bad
  const goesBack = isDebit || isReturn(bad)
  const named = namedBy(goesBack ? line : { ...line, mentioned: line.references }).map(({ id }) => id)
  if (named.length === 0 && !isReturn(bad)) return bad
  const isTold = isReturn(bad) || !isDebit
  return {
    ...bad,
    ...idsOf([bad.orderId ?? [], named].flat()),
    problem: isTold ? problem : { ...problem, problem: 'returned' },
  }
}

/** Whether the line shows that a payment of its orders was returned. */
export const isReturn = ({ problem }: Pick<BadLine, 'problem'>): boolean =>
  problem.problem === 'reversal' || problem.problem === 'returned'

const idsOf = (ids: readonly string[]): Required<Pick<BadLine, 'orderId' | 'otherOrderIds'>> => {
  const [orderId = null, ...otherOrderIds] = new Set(ids)
  return { orderId, otherOrderIds }
}

/**
 * Matches each recorded refund to one debit: the first that fits, unless an earlier import already matched one. If a
 * refund matched several debits, it would hide that its payment was also returned, or refunded twice.
 */
function findRefunds(
  named: ReadonlyMap<ImportLine, readonly NamedOrder[]>,
  orders: readonly NamedOrder[],
): Refund[] {
  return orders.flatMap((order): Refund[] => {
    const isFound = order.debits.some((debit) => debit.problem === 'refund' || couldBeRefund(order, debit))
    if (isFound) return []
    const [line] = [...named]
      .filter(([each, of]) => of.length === 1 && of[0] === order && couldBeRefund(order, each))
      .map(([each]) => each)
      .toSorted((a, b) => (a.date?.getTime() ?? 0) - (b.date?.getTime() ?? 0))
    return line ? [{ line, orderId: order.id }] : []
  })
}

/**
 * Whether the debit has the amount and currency of the order's refund, wasn't booked before that was sent, and has no
 * other transaction.
 */
const couldBeRefund = (
  { refund }: NamedOrder,
  { amount, currency, key, date }: Pick<ImportLine, 'amount' | 'currency' | 'key' | 'date'>,
): boolean =>
  refund !== null &&
  isSame(withoutSign(amount), refund.amount) &&
  currency === refund.currency.toUpperCase() &&
  (key === '' || refund.key === '' || key === refund.key) &&
  (date === undefined || date.getTime() + DAY >= refund.paidOn.getTime())

const isSame = (a: string, b: string): boolean =>
  decimalPattern.test(a) && parseDecimal(a) === parseDecimal(b)
