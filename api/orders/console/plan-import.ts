import type { ImportEffect, ImportHold, ImportPlan, ImportProblem } from '#contract/import-payments.ts'
import { parseDecimal, shortDecimal, writeDecimal } from '#contract/decimal.ts'
import type { Tx } from '../../db/database.ts'
import type { MemberContext } from '../../http/handler.ts'
import { listFinanceOfficers } from '../../members/finance-officer.queries.ts'
import { listLargestQuantities } from '../largest-quantity.queries.ts'
import type { OrderRow } from '../order.queries.ts'
import { readTxId } from '../payment.rules.ts'
import { listPayMethods } from '../../sale/sale.queries.ts'
import { currencyOfOrder, shownReference } from '../present-order.ts'
import { listContested, lockTransactionsOfOrders } from '../transaction-history.queries.ts'
import { lockOfficer, sumCompletedAlone } from '../completed-alone.queries.ts'
import { listChainEvidence } from '../paid-on-chain.queries.ts'
import { isCoveredOnChain } from '../require-payment.ts'
import { aloneQuantityOf, isApprovalBy, secondPersonCause } from '../four-eyes.ts'
import { listReturned, listReturnedKeys } from '../statements/returned-payment.queries.ts'
import { listBeingWithdrawn } from '../withdrawals/withdrawal.queries.ts'
import { holdOf } from './held-import.ts'
import { listSetByStaff } from './held-import.queries.ts'
import { listKeysOfMember, listOrdersToPlan, listOrdersNaming, listOrdersWithKeys } from './import.queries.ts'
import { decimalOrNull, differenceOf } from './present-console-order.ts'
import { orderPolicyWith } from '../../four-eyes/read-policy.ts'
import { listDoubts } from '../statements/list-doubts.ts'
import { matchOrders, type Match } from '../statements/match-orders.ts'
import { aboutOf } from '../statements/known-lines.ts'
import type { BadLine, ImportLine } from '../statements/read-lines.ts'
import { isOtherPayment, listRecordedLines } from '../statements/recorded-line.queries.ts'
import { isAboutOrderOf, listKnown } from '../statements/statement-line.queries.ts'
import { canBecome } from '../statements/stored-line.rules.ts'

/** A line with its order, and its effect on that order. `wasRecorded`: an earlier import recorded it. */
export type PlannedLine = {
  given: ImportLine
  order: OrderRow
  effect: ImportEffect
  held: ImportHold | null
  wasRecorded: boolean
}
/** A line that someone has to resolve, with its first problem, and the order it may concern. */
export type OpenLine = BadLine & { orderId: string | null }
type Plan = {
  planned: PlannedLine[]
  problems: ImportPlan['problems']
  open: OpenLine[]
  /** The orders that the lines match. */
  orders: ReadonlyMap<string, OrderRow>
  /** Lines that an earlier import recorded, or someone resolved. */
  duplicates: number
}
type Wrong = { column: string; problem: ImportProblem; value: string }

type Planning = Pick<MemberContext, 'caller' | 'config'> & {
  /** Author of the mapping used for the file; null if the importing officer sent it. */
  mapperId: string | null
  /** Orders whose payment is returned in the same file. */
  returned: readonly string[]
}

/**
 * Plans what the lines would do to the orders in their current state. `isLocking` locks the orders because the plan is
 * about to be carried out.
 */
export async function planImport(
  db: Tx,
  lines: readonly ImportLine[],
  isLocking: boolean,
  { caller, config, mapperId, returned: returnedHere }: Planning,
): Promise<Plan> {
  const known = new Map(
    (
      await listKnown(
        db,
        lines.map(({ fingerprint }) => fingerprint),
      )
    ).map((each) => [each.fingerprint, each]),
  )
  const matches = await matchOrders(db, lines)
  const idOf = (line: ImportLine) => orderIdOf(matches.get(line))
  const found = await listOrdersToPlan(db, [...new Set(lines.flatMap((line) => idOf(line) ?? []))], isLocking)
  const orders = new Map(found.map((order) => [order.id, order]))
  const ids = found.map(({ id }) => id)
  if (isLocking)
    await lockTransactionsOfOrders(
      db,
      ids,
      lines.filter((line) => orders.has(idOf(line) ?? '')).map(({ key }) => key),
    )
  const own = await readInterest(db, caller.memberId, found)
  const ofMapper = mapperId === null ? own : await readInterest(db, mapperId, found)
  const isSuggested = (line: ImportLine) => isSuggestion(matches.get(line))
  const firstOf = firstLines(lines, (line) => (isSuggested(line) ? undefined : idOf(line)))
  const keys = [...firstOf.keys.keys()]
  const holders = Map.groupBy(
    keys.length > 0 ? await listOrdersWithKeys(db, keys) : [],
    ({ tx_key }) => tx_key,
  )
  const contested = new Set(ids.length > 0 ? (await listContested(db, ids)).map(({ id }) => id) : [])
  const withdrawn = new Set(ids.length > 0 ? await listBeingWithdrawn(db, ids) : [])
  const returned = new Set([...(await listReturned(db, ids)), ...returnedHere])
  const returnedKeys = new Set(await listReturnedKeys(db, keys))
  const recorded = Map.groupBy(await listRecordedLines(db, ids), ({ order_id }) => order_id)
  const doubts = await listDoubts(db, config, { lines, matches, orders })
  const officers = await listFinanceOfficers(db, config)
  const largest = await listLargestQuantities(db, found)
  const evidence = await listChainEvidence(db, ids)
  const setByStaff = await listSetByStaff(db, ids)
  const saleRates = new Map((await listPayMethods(db)).map(({ code, rate }) => [code, rate]))
  if (isLocking) await lockOfficer(db, caller.memberId)
  let completedAlone = await sumCompletedAlone(db, caller.memberId)

  const otherPayment = (line: ImportLine, order: OrderRow): Wrong[] =>
    isOtherPayment(line, order, recorded.get(order.id) ?? [])
      ? [{ column: 'amount', problem: 'other_payment', value: decimalOrNull(order.paid_amount) ?? '' }]
      : []
  const wrongWith = (line: ImportLine, order: OrderRow | undefined): Wrong[] => {
    const at = (column: keyof ImportLine | 'complete', problem: ImportProblem, value = ''): Wrong[] => [
      { column, problem, value },
    ]
    if (!order) return at('reference', problemOf(matches.get(line)), line.reference.slice(0, 60))
    const shown = shownReference(order.reference)
    if (!isSuggested(line) && firstOf.orders.get(order.id) !== line)
      return at('reference', 'order_twice', shown)
    const { key } = line
    if (concerns(own, order, key)) return at('reference', 'own_order', shown)
    if (concerns(ofMapper, order, key)) return at('reference', 'mapped_by_owner', shown)
    if (line.currency !== '' && line.currency !== currencyOfOrder(order).toUpperCase())
      return at('currency', 'currency', line.currency)
    if (line.txId !== '' && readTxId(order, line.txId) === undefined) return at('txId', 'tx_id', line.txId)
    if (
      key !== '' &&
      order.tx_key !== key &&
      holders.get(key)?.some(({ id, is_taken }) => id !== order.id || is_taken)
    )
      return at('txId', 'tx_used', line.txId)
    if (key !== '' && order.tx_key !== key && firstOf.keys.get(key) !== line)
      return at('txId', 'tx_twice', line.txId)
    const isNew = changes(line, order)
    if (order.status !== 'pending')
      return isNew || (line.isComplete && order.status === 'cancelled')
        ? at('reference', 'closed', shown)
        : otherPayment(line, order)
    if (key !== '' && order.tx_key !== '' && order.tx_key !== key) return at('txId', 'other_tx', order.tx_id)
    const [other] = otherPayment(line, order)
    if (other) return [other]
    const doubt = doubts.get(line)
    if (doubt && (isNew || line.isComplete)) return [doubt]
    if (!line.isComplete) return []
    // One of its past payments belongs to another order: an officer must handle that on the order's page, with a
    // reason.
    if (contested.has(order.id)) return at('txId', 'tx_used', line.txId)
    return [
      ...(order.is_disputed || order.is_reported_late || returned.has(order.id) || returnedKeys.has(key)
        ? at('complete', 'unsettled', shown)
        : []),
      ...(withdrawn.has(order.id) ? at('complete', 'withdrawn', shown) : []),
      ...(order.amount === null || parseDecimal(order.amount) !== parseDecimal(line.amount)
        ? at('amount', 'amount_differs', decimalOrNull(order.amount) ?? '')
        : []),
    ]
  }

  const heldOf = (line: ImportLine, order: OrderRow): ImportHold | null => {
    if (orderPolicyWith(config, officers, order.member_id).twoPersonsFrom === null) return null
    const match = matches.get(line)
    return holdOf(line, order, {
      setByStaff: setByStaff.get(order.id),
      isByTransaction: match !== undefined && 'by' in match && match.by === 'transaction',
      isProposed: !changes(line, order) && isApprovalBy(order, officers),
    })
  }

  const effectOf = (line: ImportLine, order: OrderRow): ImportEffect => {
    const isNew = changes(line, order)
    if (!line.isComplete || order.status !== 'pending' || heldOf(line, order))
      return isNew ? 'records' : 'nothing'
    const policy = orderPolicyWith(config, officers, order.member_id)
    const { amount, fab_qty: fabQty, rate } = order
    const isCovered = isCoveredOnChain(evidence.get(order.id), { amount, fabQty, rate })
    const quantity = largest.get(order.id) ?? null
    const price = rate ?? saleRates.get(order.pay_method) ?? null
    const received = line.amount
    // The import leaves orders that any officer changed to their pages.
    const completing = {
      amount,
      fabQty: quantity,
      rate: price,
      received,
      isCovered,
      isChangedByOfficer: false,
    }
    if (secondPersonCause(policy, completing, completedAlone)) return 'proposes'
    // Includes what earlier lines complete.
    completedAlone = addDecimals(completedAlone, aloneQuantityOf(completing) ?? '0')
    return 'completes'
  }

  const plannedOf = (given: ImportLine, order: OrderRow, effect: ImportEffect) => ({
    given,
    order,
    effect,
    held: heldOf(given, order),
  })

  const problems: ImportPlan['problems'] = []
  const planned: PlannedLine[] = []
  const open: OpenLine[] = []
  let duplicates = 0
  for (const line of lines) {
    const before = known.get(line.fingerprint)
    const order = orders.get(idOf(line) ?? '')
    const wasRecorded = before !== undefined && before.state !== 'open'
    const wrong = wasRecorded && line.key === '' ? [] : wrongWith(line, order)
    if (wasRecorded) {
      const effect = order && wrong.length === 0 && line.key !== '' ? effectOf(line, order) : 'nothing'
      // A second import of the same file can complete an order that couldn't be completed before.
      const isNews = before.state === 'applied' && effect === 'completes'
      if (order && (isNews || (wrong.length === 0 && before.order_id === order.id)))
        planned.push({ ...plannedOf(line, order, isNews ? effect : 'nothing'), wasRecorded })
      if (!isNews) duplicates += 1
      continue
    }
    const [first] = wrong.map((each) => ({ line: line.line, ...each }))
    problems.push(...wrong.map((each) => ({ line: line.line, ...each })))
    if (first) open.push({ line, problem: first, orderId: order?.id ?? null })
    else if (
      before &&
      (!canBecome(before, line, 'applied') || (await isAboutOrderOf(db, caller.memberId, aboutOf(before))))
    )
      duplicates += 1
    else if (order) planned.push({ ...plannedOf(line, order, effectOf(line, order)), wasRecorded })
  }
  return { planned, problems, open, orders, duplicates }
}

/** Orders in which a member has an interest: their own, and those that share a transaction with one of them. */
type Interest = { orders: ReadonlySet<string>; keys: ReadonlySet<string> }

async function readInterest(db: Tx, memberId: string, found: readonly OrderRow[]): Promise<Interest> {
  const keys = await listKeysOfMember(db, memberId)
  const ids = found.map(({ id }) => id)
  const naming = ids.length > 0 ? await listOrdersNaming(db, ids, keys) : []
  const owned = found.filter(({ member_id }) => member_id === memberId).map(({ id }) => id)
  return { orders: new Set([...owned, ...naming]), keys: new Set(keys) }
}

const concerns = ({ orders, keys }: Interest, { id }: OrderRow, key: string): boolean =>
  orders.has(id) || keys.has(key)

const addDecimals = (a: string, b: string): string => writeDecimal(parseDecimal(a) + parseDecimal(b))

const orderIdOf = (match: Match | undefined): string | undefined =>
  match && 'orderId' in match ? match.orderId : undefined

const isSuggestion = (match: Match | undefined): boolean =>
  match !== undefined && 'by' in match && match.by === 'shared'

const problemOf = (match: Match | undefined): ImportProblem =>
  match && 'problem' in match ? match.problem : 'unknown_order'

/** Returns which line names each order or transaction first. */
function firstLines(lines: readonly ImportLine[], idOf: (line: ImportLine) => string | undefined) {
  const orders = new Map<string, ImportLine>()
  const keys = new Map<string, ImportLine>()
  for (const line of lines) {
    const id = idOf(line)
    if (id !== undefined && !orders.has(id)) orders.set(id, line)
    if (line.key !== '' && !keys.has(line.key)) keys.set(line.key, line)
  }
  return { orders, keys }
}

/** Whether the line adds information about the payment that the order doesn't have yet. */
const changes = ({ key, amount, date }: ImportLine, order: OrderRow): boolean =>
  (key !== '' && order.tx_key !== key) ||
  order.paid_amount === null ||
  parseDecimal(order.paid_amount) !== parseDecimal(amount) ||
  (date !== undefined && date.getTime() !== order.paid_at?.getTime())

export const presentLine = (
  { given, order, effect, held }: PlannedLine,
  isChanged: boolean,
): ImportPlan['lines'][number] => ({
  line: given.line,
  id: order.id,
  reference: shownReference(order.reference),
  effect,
  held,
  fabQty: decimalOrNull(order.fab_qty),
  addresses: [order.fab_address, order.eth_address, order.btc_address].filter((each) => each !== ''),
  txId: given.txId || order.tx_id,
  txIdBefore: order.tx_id,
  currency: currencyOfOrder(order),
  due: decimalOrNull(order.amount),
  amount: shortDecimal(given.amount),
  paidBefore: decimalOrNull(order.paid_amount),
  difference: differenceOf(given.amount, order.amount),
  updatedAt: order.updated_at.toISOString(),
  isChanged,
})
