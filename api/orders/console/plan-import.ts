import type { ImportEffect, ImportPlan, ImportProblem } from '#contract/console-orders.ts'
import { parseDecimal, shortDecimal } from '#contract/decimal.ts'
import type { Tx } from '../../db/database.ts'
import type { MemberContext } from '../../http/handler.ts'
import { listFinanceOfficers } from '../../members/finance-officer.queries.ts'
import type { OrderRow } from '../order.queries.ts'
import { readTxId } from '../payment.rules.ts'
import { currencyOfOrder, shownReference } from '../present-order.ts'
import { listContested } from '../transaction-history.queries.ts'
import { isVoiceOf, takesTwo } from '../two-persons.ts'
import { listBeingWithdrawn } from '../withdrawals/withdrawal.queries.ts'
import {
  listKeysOfMember,
  listOrdersByReference,
  listOrdersNaming,
  listOrdersWithKeys,
} from './import.queries.ts'
import { decimalOrNull, differenceOf } from './present-console-order.ts'
import { orderPolicyWith } from '../../four-eyes/read-policy.ts'
import type { ImportLine } from './read-import.ts'

/** A line with the order that it is about, and what it does to it. */
export type PlannedLine = { given: ImportLine; order: OrderRow; effect: ImportEffect }
type Wrong = { column: string; problem: ImportProblem; value: string }

/** What the lines would do to the orders as they are; `isLocking` where they are about to. */
export async function planImport(
  db: Tx,
  lines: readonly ImportLine[],
  isLocking: boolean,
  { caller, config }: Pick<MemberContext, 'caller' | 'config'>,
): Promise<{ planned: PlannedLine[]; problems: ImportPlan['problems'] }> {
  const found = await listOrdersByReference(
    db,
    lines.map(({ reference }) => reference),
    isLocking,
  )
  const orders = new Map(found.map((order) => [order.reference, order]))
  const ids = found.map(({ id }) => id)
  const ownKeys = new Set(await listKeysOfMember(db, caller.memberId))
  const own = new Set([
    ...found.filter(({ member_id }) => member_id === caller.memberId).map(({ id }) => id),
    ...(ids.length > 0 ? await listOrdersNaming(db, ids, [...ownKeys]) : []),
  ])
  const firstOf = firstLines(lines)
  const keys = [...firstOf.keys.keys()]
  const holders = Map.groupBy(
    keys.length > 0 ? await listOrdersWithKeys(db, keys) : [],
    ({ tx_key }) => tx_key,
  )
  const contested = new Set(ids.length > 0 ? (await listContested(db, ids)).map(({ id }) => id) : [])
  const withdrawn = new Set(ids.length > 0 ? await listBeingWithdrawn(db, ids) : [])
  const officers = await listFinanceOfficers(db, config)

  const wrongWith = (line: ImportLine, order: OrderRow | undefined): Wrong[] => {
    const at = (column: keyof ImportLine | 'complete', problem: ImportProblem, value = ''): Wrong[] => [
      { column, problem, value },
    ]
    if (!order) return at('reference', 'unknown_order', line.reference)
    const shown = shownReference(order.reference)
    if (firstOf.references.get(line.reference) !== line) return at('reference', 'order_twice', shown)
    const { key } = line
    if (own.has(order.id) || ownKeys.has(key)) return at('reference', 'own_order', shown)
    if (readTxId(order, line.txId) === undefined) return at('txId', 'tx_id', line.txId)
    if (order.tx_key !== key && holders.get(key)?.some(({ id, is_taken }) => id !== order.id || is_taken))
      return at('txId', 'tx_used', line.txId)
    if (order.tx_key !== key && firstOf.keys.get(key) !== line) return at('txId', 'tx_twice', line.txId)
    const isNew = changes(line, order)
    if (order.status !== 'pending')
      return isNew || (line.isComplete && order.status === 'cancelled')
        ? at('reference', 'closed', shown)
        : []
    if (order.tx_key !== '' && order.tx_key !== key) return at('txId', 'other_tx', order.tx_id)
    if (!line.isComplete) return []
    // One payment of its history is another order's: that is for its own page, with a reason.
    if (contested.has(order.id)) return at('txId', 'tx_used', line.txId)
    return [
      ...(order.is_disputed || order.is_reported_late ? at('complete', 'unsettled', shown) : []),
      ...(withdrawn.has(order.id) ? at('complete', 'withdrawn', shown) : []),
      ...(order.amount !== null && parseDecimal(order.amount) !== parseDecimal(line.amount)
        ? at('amount', 'amount_differs', shortDecimal(order.amount))
        : []),
    ]
  }

  const effectOf = (line: ImportLine, order: OrderRow): ImportEffect => {
    const isNew = changes(line, order)
    if (!line.isComplete || order.status !== 'pending') return isNew ? 'records' : 'nothing'
    if (!takesTwo(orderPolicyWith(config, officers, order.member_id), order.fab_qty)) return 'completes'
    const first = order.completion_proposed_by
    if (isVoiceOf(order, officers) && first === caller.memberId && !isNew) return 'nothing'
    const isSecond = isVoiceOf(order, officers) && first !== caller.memberId && !isNew
    return isSecond ? 'confirms' : 'proposes'
  }

  const problems: ImportPlan['problems'] = []
  const planned: PlannedLine[] = []
  for (const line of lines) {
    const order = orders.get(line.reference)
    const wrong = wrongWith(line, order)
    problems.push(...wrong.map((each) => ({ line: line.line, ...each })))
    if (order && wrong.length === 0) planned.push({ given: line, order, effect: effectOf(line, order) })
  }
  return { planned, problems }
}

/** Which line names an order, or a transaction, first. */
function firstLines(lines: readonly ImportLine[]) {
  const references = new Map<string, ImportLine>()
  const keys = new Map<string, ImportLine>()
  for (const line of lines) {
    if (!references.has(line.reference)) references.set(line.reference, line)
    if (line.key !== '' && !keys.has(line.key)) keys.set(line.key, line)
  }
  return { references, keys }
}

/** Whether the order does not say yet what the line says of its payment. */
const changes = ({ key, amount, date }: ImportLine, order: OrderRow): boolean =>
  order.tx_key !== key ||
  order.paid_amount === null ||
  parseDecimal(order.paid_amount) !== parseDecimal(amount) ||
  (date !== undefined && date.getTime() !== order.paid_at?.getTime())

export const presentLine = (
  { given, order, effect }: PlannedLine,
  isChanged: boolean,
): ImportPlan['lines'][number] => ({
  line: given.line,
  id: order.id,
  reference: shownReference(order.reference),
  effect,
  txId: given.txId,
  txIdBefore: order.tx_id,
  currency: currencyOfOrder(order),
  due: decimalOrNull(order.amount),
  amount: shortDecimal(given.amount),
  paidBefore: decimalOrNull(order.paid_amount),
  difference: differenceOf(given.amount, order.amount),
  updatedAt: order.updated_at.toISOString(),
  isChanged,
})
