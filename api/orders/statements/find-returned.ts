import { parseDecimal } from '#contract/decimal.ts'
import { DAY } from '#contract/durations.ts'
import { decimalPattern } from '#contract/fields.ts'
import type { Tx } from '../../db/database.ts'
import { referencesIn } from './match-orders.ts'
import { withoutSign, type BadLine, type ImportLine, type ReadLines } from './read-lines.ts'
import { listNamedOrders, type NamedOrder } from './returned-payment.queries.ts'

/**
 * Finds debits that may return a recorded payment: they name an order with a payment, and are no refund that finance
 * recorded for it. Also links reversals and returned payments to their orders, so that those aren't completed.
 *
 * @param paidNow IDs of the orders whose payment this import records
 */
export async function findReturned(
  db: Tx,
  { bad, debits }: ReadLines,
  paidNow: ReadonlySet<string>,
): Promise<BadLine[]> {
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
    const order = namedBy(line).find((each) => isReturn(line, each, paidNow))
    const problem = { line: line.line, column: 'reference', problem: 'returned' as const, value: line.amount }
    return order ? [{ line, problem, orderId: order.id }] : []
  })
  return [
    ...bad.map((each) =>
      linked.includes(each) ? { ...each, orderId: namedBy(each.line)[0]?.id ?? null } : each,
    ),
    ...returned,
  ]
}

function isReturn(line: ImportLine, order: NamedOrder, paidNow: ReadonlySet<string>): boolean {
  if (order.paid_amount === null && !paidNow.has(order.id)) return false
  // Statements give only a day.
  if (line.date && order.paid_at && line.date.getTime() + DAY <= order.paid_at.getTime()) return false
  return !order.refunds.some((amount) => isSame(withoutSign(line.amount), amount))
}

const isSame = (a: string, b: string): boolean =>
  decimalPattern.test(a) && parseDecimal(a) === parseDecimal(b)
