import { shownReference } from '../../../platform/text/order-reference.ts'
import type {
  ImportEffect,
  ImportHold,
  ImportPlan,
  ImportProblem,
  PersonCause,
} from '#contract/money/import-payments.ts'
import { parseDecimal, shortDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { MemberContext } from '../../../platform/http/handler.ts'
import { listFinanceOfficers } from '../../../people/members/approver.queries.ts'
import {
  listLargestQuantities,
  listChainEvidence,
  listChangedBy,
  lockOfficer,
  sumCompletedAlone,
} from '../order-change.queries.ts'
import type { OrderRow } from '../order.queries.ts'
import { hasRecordedAmount } from '../order.rules.ts'
import { readTxId } from '../payment.rules.ts'
import { currencyOfOrder } from '../present-order.ts'
import { listContested, lockTransactionsOfOrders } from '../order-transaction.queries.ts'
import { DAY, SECOND } from '#contract/platform/durations.ts'
import { findPersonCause } from '../person-cause.ts'
import { isCoveredOnChain, coversPrice, readSaleRates } from '../order-requirements.ts'
import { aloneQuantityOf, isApprovalBy, secondPersonCause } from '../four-eyes.ts'
import { listReturned, listReturnedKeys } from '../statements/returned-payment.queries.ts'
import { listBeingWithdrawn } from '../withdrawals/withdrawal.queries.ts'
import {
  listSetByStaff,
  listKeysOfMember,
  listOrdersToPlan,
  listOrdersNaming,
  listOrdersWithKeys,
  type SetByStaff,
} from './import.queries.ts'
import { decimalOrNull, differenceOf } from './present-console-order.ts'
import { orderPolicyWith } from '../../../people/four-eyes/read-policy.ts'
import { isDateOnly, listDoubts, matchOrders, type Match, aboutOf } from '../statements/match-orders.ts'
import type { BadLine, ImportLine } from '../statements/read-lines.ts'
import {
  isOtherPayment,
  listRecordedLines,
  findAboutOrderOf,
  listKnown,
} from '../statements/statement-line.queries.ts'
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
type Problem = { column: string; problem: ImportProblem; value: string }

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
  planning: Planning,
): Promise<Plan> {
  const state = await readState(db, lines, isLocking, planning)
  const plan: Plan = { planned: [], problems: [], open: [], orders: state.orders, duplicates: 0 }
  for (const line of lines) {
    const before = state.known.get(line.fingerprint)
    if (before === undefined || before.state === 'open') await planNew(db, state, line, plan)
    else planRecorded(state, line, before, plan)
  }
  return plan
}

type State = Awaited<ReturnType<typeof readState>>
type Known = Awaited<ReturnType<typeof listKnown>>[number]

/** Reads what is known about the lines and their orders. `completedAlone` grows while the lines are planned. */
async function readState(
  db: Tx,
  lines: readonly ImportLine[],
  isLocking: boolean,
  { caller, config, mapperId, returned }: Planning,
) {
  const { memberId } = caller
  const fingerprints = lines.map(({ fingerprint }) => fingerprint)
  const known = new Map((await listKnown(db, fingerprints)).map((each) => [each.fingerprint, each]))
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
  const own = await readInterest(db, memberId, found)
  const ofMapper = mapperId === null ? own : await readInterest(db, mapperId, found)
  const firstOf = firstLines(lines, (line) => (isSuggestion(matches.get(line)) ? undefined : idOf(line)))
  const keys = [...firstOf.keys.keys()]
  const withKeys = keys.length > 0 ? await listOrdersWithKeys(db, keys) : []
  const state = {
    config,
    memberId,
    known,
    matches,
    orders,
    own,
    ofMapper,
    firstOf,
    holders: Map.groupBy(withKeys, ({ tx_key }) => tx_key),
    contested: new Set(ids.length > 0 ? (await listContested(db, ids)).map(({ id }) => id) : []),
    withdrawn: new Set(ids.length > 0 ? await listBeingWithdrawn(db, ids) : []),
    returned: new Set([...(await listReturned(db, ids)), ...returned]),
    returnedKeys: new Set(await listReturnedKeys(db, keys)),
    recorded: Map.groupBy(await listRecordedLines(db, ids), ({ order_id }) => order_id),
    doubts: await listDoubts(db, config, { lines, matches, orders }),
    officers: await listFinanceOfficers(db, config),
    largest: await listLargestQuantities(db, found),
    evidence: await listChainEvidence(db, ids),
    setByStaff: await listSetByStaff(db, ids),
    personCauses: await listPersonCauses(db, config, lines, (line) => orders.get(idOf(line) ?? '')),
    changedByOfficer: await listChangedBy(db, memberId, ids),
    saleRates: await readSaleRates(db),
  }
  if (isLocking) await lockOfficer(db, memberId)
  return { ...state, completedAlone: await sumCompletedAlone(db, memberId) }
}

/** A payment of which the statement gives only the date may have arrived until the end of that day. */
const latestTimeOf = ({ date }: ImportLine): Date | null =>
  date ? new Date(date.getTime() + (isDateOnly(date) ? DAY - SECOND : 0)) : null

/** Lists why lines that are marked as complete must not complete their orders. */
async function listPersonCauses(
  db: Tx,
  config: Planning['config'],
  lines: readonly ImportLine[],
  orderOf: (line: ImportLine) => OrderRow | undefined,
): Promise<ReadonlyMap<ImportLine, PersonCause>> {
  const causes = new Map<ImportLine, PersonCause>()
  for (const line of lines) {
    const order = line.isComplete ? orderOf(line) : undefined
    const cause =
      order?.status === 'pending' ? await findPersonCause(db, config, order, latestTimeOf(line)) : null
    if (cause) causes.set(line, cause)
  }
  return causes
}

const orderOf = ({ matches, orders }: State, line: ImportLine): OrderRow | undefined =>
  orders.get(orderIdOf(matches.get(line)) ?? '')

/** Plans a line that an earlier import recorded, or that someone resolved. */
function planRecorded(state: State, line: ImportLine, before: Known, plan: Plan): void {
  const order = orderOf(state, line)
  const isWrong = line.key !== '' && findProblems(state, line, order).length > 0
  const effect = order && !isWrong && line.key !== '' ? decideEffect(state, line, order) : 'nothing'
  // A second import of the same file can complete an order that couldn't be completed before.
  const isNews = before.state === 'applied' && effect === 'completes'
  if (order && (isNews || (!isWrong && before.order_id === order.id)))
    plan.planned.push({
      given: line,
      order,
      effect: isNews ? effect : 'nothing',
      held: findHold(state, line, order),
      wasRecorded: true,
    })
  if (!isNews) plan.duplicates += 1
}

/** Plans a line that no import has recorded, or that is still open. */
async function planNew(db: Tx, state: State, line: ImportLine, plan: Plan): Promise<void> {
  const before = state.known.get(line.fingerprint)
  const order = orderOf(state, line)
  const problems = findProblems(state, line, order).map((each) => ({ line: line.line, ...each }))
  plan.problems.push(...problems)
  const [problem] = problems
  if (problem) plan.open.push({ line, problem, orderId: order?.id ?? null })
  else if (
    before &&
    (!canBecome(before, line, 'applied') ||
      (await findAboutOrderOf(db, state.memberId, aboutOf(before))) !== undefined)
  )
    plan.duplicates += 1
  else if (order) {
    const effect = decideEffect(state, line, order)
    plan.planned.push({ given: line, order, effect, held: findHold(state, line, order), wasRecorded: false })
  }
}

const problemAt = (column: keyof ImportLine | 'complete', problem: ImportProblem, value = ''): Problem => ({
  column,
  problem,
  value,
})

/** Returns why a line can't be imported. Problems that make others meaningless are returned alone. */
function findProblems(state: State, line: ImportLine, order: OrderRow | undefined): Problem[] {
  if (!order) return [problemAt('reference', problemOf(state.matches.get(line)), line.reference.slice(0, 60))]
  const problem =
    findOrderProblem(state, line, order) ??
    findTransactionProblem(state, line, order) ??
    (order.status === 'pending'
      ? findPendingProblem(state, line, order)
      : findClosedProblem(state, line, order))
  if (problem) return [problem]
  return order.status === 'pending' && line.isComplete ? findCompletionProblems(state, line, order) : []
}

/** The line names an order that this import, or this officer, must not pay. */
function findOrderProblem(state: State, line: ImportLine, order: OrderRow): Problem | undefined {
  const shown = shownReference(order.reference)
  const isFirst = state.firstOf.orders.get(order.id) === line
  if (!isFirst && !isSuggestion(state.matches.get(line))) return problemAt('reference', 'order_twice', shown)
  if (concerns(state.own, order, line.key)) return problemAt('reference', 'own_order', shown)
  if (concerns(state.ofMapper, order, line.key)) return problemAt('reference', 'mapped_by_owner', shown)
  if (line.currency !== '' && line.currency !== currencyOfOrder(order).toUpperCase())
    return problemAt('currency', 'currency', line.currency)
  return undefined
}

function findTransactionProblem(
  { holders, firstOf }: State,
  line: ImportLine,
  order: OrderRow,
): Problem | undefined {
  const { key, txId } = line
  if (txId !== '' && readTxId(order, txId) === undefined) return problemAt('txId', 'tx_id', txId)
  if (key === '') return undefined
  const used = problemAt('txId', 'tx_used', txId)
  if (order.tx_key === key) {
    // The line shows the whole transaction, which finance may have divided among these orders.
    const isDivided = holders.get(key)?.some(({ id, is_paid }) => id !== order.id && is_paid)
    return isDivided && !hasRecordedAmount(order) ? used : undefined
  }
  if (holders.get(key)?.some(({ id, is_taken }) => id !== order.id || is_taken)) return used
  return firstOf.keys.get(key) === line ? undefined : problemAt('txId', 'tx_twice', txId)
}

function findClosedProblem(state: State, line: ImportLine, order: OrderRow): Problem | undefined {
  return changes(line, order) || (line.isComplete && order.status === 'cancelled')
    ? problemAt('reference', 'closed', shownReference(order.reference))
    : findOtherPayment(state, line, order)
}

function findPendingProblem(state: State, line: ImportLine, order: OrderRow): Problem | undefined {
  const { key } = line
  if (key !== '' && order.tx_key !== '' && order.tx_key !== key)
    return problemAt('txId', 'other_tx', order.tx_id)
  const other = findOtherPayment(state, line, order)
  if (other) return other
  const doubt = state.doubts.get(line)
  if (doubt && (changes(line, order) || line.isComplete)) return doubt
  // One of its past payments belongs to another order: an officer must handle that on the order's page, with a
  // reason.
  if (line.isComplete && state.contested.has(order.id)) return problemAt('txId', 'tx_used', line.txId)
  return undefined
}

const findOtherPayment = ({ recorded }: State, line: ImportLine, order: OrderRow): Problem | undefined =>
  isOtherPayment(line, order, recorded.get(order.id) ?? [])
    ? problemAt('amount', 'other_payment', decimalOrNull(order.paid_amount) ?? '')
    : undefined

/** Why the order can't be completed, whatever else the line says. */
function findCompletionProblems(
  { returned, returnedKeys, withdrawn }: State,
  line: ImportLine,
  order: OrderRow,
): Problem[] {
  const shown = shownReference(order.reference)
  const isReturned = returned.has(order.id) || returnedKeys.has(line.key)
  const isDue = order.amount !== null && parseDecimal(order.amount) === parseDecimal(line.amount)
  return [
    ...(order.is_disputed || order.is_reported_late || isReturned
      ? [problemAt('complete', 'unsettled', shown)]
      : []),
    ...(withdrawn.has(order.id) ? [problemAt('complete', 'withdrawn', shown)] : []),
    ...(isDue ? [] : [problemAt('amount', 'amount_differs', decimalOrNull(order.amount) ?? '')]),
  ]
}

function findHold(state: State, line: ImportLine, order: OrderRow): ImportHold | null {
  return findHoldOfColleagues(state, line, order) ?? state.personCauses.get(line) ?? null
}

/** What a colleague did to the order matters only while four-eyes approval is on. */
function findHoldOfColleagues(state: State, line: ImportLine, order: OrderRow): ImportHold | null {
  const { config, officers, matches, setByStaff } = state
  if (orderPolicyWith(config, officers).twoPersonsFrom === null) return null
  const match = matches.get(line)
  return holdOf(line, order, {
    setByStaff: setByStaff.get(order.id),
    isByTransaction: match !== undefined && 'by' in match && match.by === 'transaction',
    isProposed: !changes(line, order) && isApprovalBy(order, officers),
  })
}

function decideEffect(state: State, line: ImportLine, order: OrderRow): ImportEffect {
  if (!line.isComplete || order.status !== 'pending' || findHold(state, line, order))
    return changes(line, order) ? 'records' : 'nothing'
  const { amount, fab_qty: fabQty, rate } = order
  const completing = {
    amount,
    fabQty: state.largest.get(order.id) ?? null,
    received: line.amount,
    coversPrice: coversPrice(state.config, state.saleRates, {
      rate,
      payMethod: order.pay_method,
      roundId: order.round_id,
      received: line.amount,
      fabQty,
    }),
    isCovered: isCoveredOnChain(state.evidence.get(order.id), { amount, fabQty, rate }),
    isChangedByOfficer: state.changedByOfficer.has(order.id),
  }
  const policy = orderPolicyWith(state.config, state.officers)
  if (secondPersonCause(policy, completing, state.completedAlone)) return 'proposes'
  // Includes what earlier lines complete.
  state.completedAlone = addDecimals(state.completedAlone, aloneQuantityOf(completing) ?? '0')
  return 'completes'
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

type Facts = {
  setByStaff: SetByStaff | undefined
  /** Whether nothing but its transaction links the line to the order. */
  isByTransaction: boolean
  /** Whether a valid proposal to complete the order remains valid with this line. */
  isProposed: boolean
}

/**
 * Returns why the line doesn't complete its order. An officer who imports a statement approves many orders at once and
 * doesn't see what other officers changed in them. Only the order page shows those changes.
 */
function holdOf(
  { isComplete }: Pick<ImportLine, 'isComplete'>,
  { status }: Pick<OrderRow, 'status'>,
  { setByStaff, isByTransaction, isProposed }: Facts,
): ImportHold | null {
  if (!isComplete || status !== 'pending') return null
  if (setByStaff?.is_changed) return 'changed_by_staff'
  if (setByStaff?.is_named && isByTransaction) return 'transaction_by_staff'
  return isProposed ? 'proposed' : null
}
