import { parseDecimal } from '#contract/decimal.ts'
import { decimalPattern } from '#contract/fields.ts'
import type { Tx } from '../../db/database.ts'
import { referencesIn } from './match-orders.ts'
import { withoutSign, type BadLine, type ImportLine, type ReadLines } from './read-lines.ts'
import { listNamedOrders, type NamedOrder } from './returned-payment.queries.ts'

type Found = {
  bad: BadLine[]
  /** Debits with a transaction that no order names yet. They are kept, in case an order names it later. */
  kept: ImportLine[]
}

/**
 * Finds debits that may return a payment: they name an order, and are no refund that finance recorded for it. The
 * payment itself need not be recorded yet: otherwise, someone could record it later, after it went back. Also links
 * reversals and returned payments to their orders, so that those aren't completed.
 */
export async function findReturned(db: Tx, { bad, debits }: ReadLines): Promise<Found> {
  const linked = bad.filter(({ problem }) => ['reversal', 'returned'].includes(problem.problem))
  const all = [...linked.map(({ line }) => line), ...debits]
  const orders = await listNamedOrders(db, {
    references: all.flatMap(({ reference }) => referencesIn(reference)),
    keys: all.map(({ key }) => key).filter(Boolean),
  })
  const namedBy = ({ key, reference }: ImportLine): NamedOrder[] => {
    const references = referencesIn(reference)
    return orders.filter(
      (order) => (key !== '' && order.tx_key === key) || references.includes(order.reference),
    )
  }
  const returned = debits.flatMap((line): BadLine[] => {
    const concerned = namedBy(line).filter((order) => !isRefundOf(line, order))
    const problem = { line: line.line, column: 'reference', problem: 'returned' as const, value: line.amount }
    return concerned.length > 0 ? [{ line, problem, ...idsOf(concerned) }] : []
  })
  return {
    bad: [
      ...bad.map((each) => (linked.includes(each) ? { ...each, ...idsOf(namedBy(each.line)) } : each)),
      ...returned,
    ],
    kept: debits.filter((line) => line.key !== '' && namedBy(line).length === 0),
  }
}

const idsOf = (orders: readonly NamedOrder[]): Required<Pick<BadLine, 'orderId' | 'otherOrderIds'>> => {
  const [orderId = null, ...otherOrderIds] = orders.map(({ id }) => id)
  return { orderId, otherOrderIds }
}

const isRefundOf = (line: ImportLine, { refunds }: NamedOrder): boolean =>
  refunds.some((amount) => isSame(withoutSign(line.amount), amount))

const isSame = (a: string, b: string): boolean =>
  decimalPattern.test(a) && parseDecimal(a) === parseDecimal(b)
