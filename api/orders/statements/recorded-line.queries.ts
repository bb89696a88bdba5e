import { parseDecimal } from '#contract/decimal.ts'
import type { Tx } from '../../db/database.ts'
import type { OrderRow } from '../order.queries.ts'
import type { ImportLine } from './read-lines.ts'

type RecordedLine = { order_id: string | null; fingerprint: string; tx_key: string | null }

/** Lists the lines that were recorded as the payment of one of the orders. The debit of a refund isn't a payment. */
export const listRecordedLines = (db: Tx, orderIds: readonly string[]): Promise<RecordedLine[]> =>
  db
    .selectFrom('statement_line')
    .select(['order_id', 'fingerprint', 'tx_key'])
    .where('order_id', 'in', orderIds.length > 0 ? orderIds : [''])
    .where('state', 'in', ['applied', 'assigned'])
    .where('problem', '!=', 'refund')
    .execute()

/**
 * Whether the line is a different payment from the one that the order has. If the order's payment came from a
 * statement, only the same line or transaction is the same payment. If finance entered it, the line is the same payment
 * if it has the same transaction or, for lines with a transaction, the same amount. A line without a transaction may
 * always be a second payment of a pending order.
 */
export function isOtherPayment(
  { fingerprint, key, amount }: ImportLine,
  { status, paid_amount: paid, tx_key: typedKey }: OrderRow,
  recorded: readonly RecordedLine[],
): boolean {
  if (paid === null) return false
  const isSameKey = (other: string | null) => key !== '' && other === key
  if (recorded.length > 0)
    return !recorded.some((line) => line.fingerprint === fingerprint || isSameKey(line.tx_key))
  if (key === '') return status === 'pending'
  return !isSameKey(typedKey) && parseDecimal(paid) !== parseDecimal(amount)
}
