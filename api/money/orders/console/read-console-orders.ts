import { shownReference } from '../../../platform/text/order-reference.ts'
import { fullName } from '#contract/people/full-name.ts'
import type { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { parseDecimal, shortDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import {
  type ConsoleOrderDetail,
  type OrderFieldChange,
  consoleOrders,
} from '#contract/money/console-orders.ts'
import type { FourEyesCause } from '#contract/people/four-eyes.ts'
import {
  totalsDaysDefault,
  totalsDaysMax,
  type MemberOrderTotals,
  type OrderTotals,
} from '#contract/money/order-totals.ts'
import { findKycStateOfMember } from '../../../people/kyc/kyc.queries.ts'
import { findStaffName } from '../../../people/members/member.queries.ts'
import { presentNotes } from '../../../people/notes/present-notes.ts'
import { coinOf } from '../../../platform/config/read-chains.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import { findCapRoom, isCoveredOnChain, coversPrice, readSaleRates } from '../order-requirements.ts'
import {
  listChangedBy,
  findOnChain,
  hasLeftChain,
  findChainFlags,
  largestQuantity,
  sumCompletedAlone,
} from '../order-change.queries.ts'
import { describeOrderChanges } from '../order-fields.ts'
import { findOrder, type OrderChange, type OrderRow } from '../order.queries.ts'
import { isForColleagues, stepsForMember } from '../read-orders.ts'
import { sharesWithOrderOf } from '../order-history.queries.ts'
import { currencyOfOrder, presentOrder } from '../present-order.ts'
import { shownNameOf } from '../../sale/current-round.ts'
import { findRound } from '../../sale/rounds.queries.ts'
import { cancellingNeedOf } from '../require-allowed.ts'
import { canRefund } from '../withdrawals/request-withdrawal.ts'
import { isBeingWithdrawn } from '../withdrawals/withdrawal.queries.ts'
import { isApprovalValid, secondPersonCause as findCause } from '../four-eyes.ts'
import { readOrderPolicy, type OrderPolicy } from '../../../people/four-eyes/read-policy.ts'
import {
  findNamesOfMember,
  listAllStepsOfOrder,
  listOrdersOfSameTransaction,
  listOrderTotals,
  listTotalsOfMember,
  listConsoleOrderRows,
  listEndsOfOrders,
  type Ends,
  type ListedOrder,
} from './console-order.queries.ts'
import { decimalOrNull, differenceOf, flagsOf, presentConsoleOrder } from './present-console-order.ts'
import { utc, type CsvColumns } from '../../../platform/http/csv-download.ts'
import { sendFile, serveResource } from '../../../platform/resource/serve-resource.ts'

type Line = { row: ListedOrder; ends: Ends | undefined; readerId: string }

type Columns = CsvColumns<Line>

const shown = (row: ListedOrder, readerId = '') => presentConsoleOrder(row, readerId)

const listed: Columns = [
  ['reference', ({ row }) => shown(row).reference],
  ['state', ({ row }) => row.status],
  ['flags', ({ row, readerId }) => shown(row, readerId).flags.join(' ')],
  ['member', ({ row }) => row.member_email],
  ['payMethod', ({ row }) => row.pay_method],
  ['coin', ({ row }) => shown(row).currency],
  ['amount', ({ row }) => decimalOrNull(row.amount) ?? ''],
  ['quantity', ({ row }) => decimalOrNull(row.fab_qty) ?? ''],
  ['txId', ({ row }) => row.tx_id],
  ['placed', ({ row }) => utc(row.created_at)],
  ['payBefore', ({ row }) => utc(row.pay_before)],
]

/** Stable columns for programs that read the file: new ones are added at the end, and none is renamed. */
const accounts: Columns = [
  ['reference', ({ row }) => shown(row).reference],
  ['id', ({ row }) => row.id],
  ['state', ({ row }) => row.status],
  ['payMethod', ({ row }) => row.pay_method],
  ['coin', ({ row }) => shown(row).currency],
  ['amountDue', ({ row }) => decimalOrNull(row.amount) ?? ''],
  ['amountReceived', ({ row }) => decimalOrNull(row.paid_amount) ?? ''],
  ['difference', ({ row }) => ({ decimal: differenceOf(row.paid_amount, row.amount) ?? '' })],
  ['rate', ({ row }) => decimalOrNull(row.rate) ?? ''],
  ['quantity', ({ row }) => decimalOrNull(row.fab_qty) ?? ''],
  ['txId', ({ row }) => row.tx_id],
  ['placedAt', ({ row }) => utc(row.created_at)],
  ['receivedAt', ({ row }) => utc(row.paid_at)],
  ['completedAt', ({ ends }) => utc(ends?.completed_at)],
  ['completedBy', ({ ends }) => ends?.completed_by ?? ''],
  ['proposedBy', ({ row, ends, readerId }) => (row.member_id === readerId ? '' : (ends?.proposed_by ?? ''))],
  ['cancelledAt', ({ row, ends }) => utc(row.status === 'cancelled' ? ends?.cancelled_at : null)],
]

const linesOf = ({ caller }: MemberContext, rows: readonly ListedOrder[], ends = new Map<string, Ends>()) =>
  rows.map((row) => ({ row, ends: ends.get(row.id), readerId: caller.memberId }))

export const {
  list: listConsoleOrders,
  file: exportConsoleOrders,
  get: getConsoleOrder,
} = serveResource(consoleOrders, {
  read: ({ db, caller }, filters, page) => listConsoleOrderRows(db, caller.memberId, filters, page),
  present: ({ caller }, rows) => rows.map((row) => presentConsoleOrder(row, caller.memberId)),
  file: { name: 'orders', columns: listed, lines: linesOf, limit: { name: 'order' } },
  detail: readConsoleOrder,
})

export const exportOrderAccounts: Handler<typeof api.exportOrderAccounts> = async ({ query }, context) => {
  const { db, caller } = context
  caller.requireStepUp()
  return sendFile<ListedOrder, Line>(
    context,
    {
      name: 'orders-accounting',
      columns: accounts,
      lines: async (context, rows) => {
        const ids = rows.map(({ id }) => id)
        return linesOf(context, rows, await listEndsOfOrders(db, ids))
      },
      limit: { name: 'order' },
    },
    (page) => listConsoleOrderRows(db, caller.memberId, query, page),
  )
}

export const readOrderTotals: Handler<typeof api.readOrderTotals> = async ({ query }, { db }) => {
  const to = query.to ?? dayOf(Date.now())
  const from = query.from ?? dayOf(Date.parse(to) - (totalsDaysDefault - 1) * DAY)
  const days = (Date.parse(to) - Date.parse(from)) / DAY + 1
  if (days < 1) throw refusedField('to', 'invalid')
  if (days > totalsDaysMax) throw refusedField('to', 'too_far', { max: totalsDaysMax })
  const sums = new Map<string, OrderTotals['rows'][number]>()
  for (const row of await listOrderTotals(db, from, to)) {
    const { day, status } = row
    const currency = currencyOfOrder(row)
    const key = `${day} ${status} ${currency}`
    sums.set(key, { day, status, currency, ...addToSum(sums.get(key), row) })
  }
  return { from, to, rows: [...sums.values()] }
}

export const readMemberOrderTotals: Handler<typeof api.readMemberOrderTotals> = async (
  { params },
  { db },
) => {
  if (!(await findNamesOfMember(db, params.id))) throw new Refused('not_found')
  const sums = new Map<string, MemberOrderTotals[number]>()
  for (const row of await listTotalsOfMember(db, params.id)) {
    const { status } = row
    const currency = currencyOfOrder(row)
    const key = `${status} ${currency}`
    const sum = sums.get(key)
    const received = addDecimals(sum?.received ?? '0', row.received)
    sums.set(key, { status, currency, received, ...addToSum(sum, row) })
  }
  return [...sums.values()]
}

type Sum = Pick<MemberOrderTotals[number], 'count' | 'amount' | 'quantity'>

/** Adds the totals of one payment method to those of other payment methods in the same coin. */
const addToSum = (
  sum: Sum | undefined,
  row: { count: string; amount: string | null; quantity: string | null },
): Sum => ({
  count: (sum?.count ?? 0) + Number(row.count),
  amount: addDecimals(sum?.amount ?? '0', row.amount),
  quantity: addDecimals(sum?.quantity ?? '0', row.quantity),
})

const sameTransactionMax = 20

/** An order as one of the staff sees it. Staff see only what members see when they view their own order. */
type Viewed = { order: OrderRow; isOwn: boolean; context: MemberContext }

export async function readConsoleOrder(context: MemberContext, id: string): Promise<ConsoleOrderDetail> {
  const { db, config, caller } = context
  const order = (await findOrder(db, id)).openFor(caller)
  const viewed = { order, isOwn: order.member_id === caller.memberId, context }
  const policy = await readOrderPolicy(db, config)
  const onChain = await findOnChain(db, order.id)
  const secondPersonCause = await findCompletionCause(viewed, policy, onChain)
  return {
    id: order.id,
    notes: viewed.isOwn ? [] : await presentNotes(db, caller, { kind: 'order', id }),
    assignee: viewed.isOwn ? null : await findAssignee(db, order),
    order: presentOrder(order),
    ...(await describeMember(db, order)),
    flags: flagsOf({ ...order, ...(await findChainFlags(db, order.id)) }, caller.memberId),
    explorer: config.explorers.get(coinOf(order.pay_method)) ?? null,
    receivingAddress: order.receiving_address,
    payChain: order.pay_chain,
    paidAmount: decimalOrNull(order.paid_amount),
    paidAt: order.paid_at?.toISOString() ?? null,
    ...(await describeRound(db, order)),
    difference: differenceOf(order.paid_amount, order.amount),
    forbids: await findForbidding(viewed),
    sameTransaction: await listSameTransaction(db, order),
    twoPersonsFrom: policy.twoPersonsFrom,
    takesTwo: secondPersonCause !== null,
    secondPersonCause,
    capRoom: await findCapRoom(db, order),
    tolerancePercent: config.orderTolerance,
    ...(await findEnding(viewed, onChain.proven)),
    proposal: await findProposal(viewed),
    steps: await listSteps(viewed),
  }
}

async function findAssignee(db: Tx, { assignee_id: id }: OrderRow): Promise<ConsoleOrderDetail['assignee']> {
  return id === null ? null : { id, name: await findStaffName(db, id) }
}

async function describeMember(db: Tx, order: OrderRow) {
  const member = await findNamesOfMember(db, order.member_id)
  const name = member && fullName(member.first_name, member.last_name)
  return {
    memberEmail: member?.email ?? '',
    memberName: name || (member?.display_name ?? ''),
    kyc: await findKycStateOfMember(db, order.member_id),
  }
}

async function describeRound(db: Tx, { round_id: id, bonus_percent: bonus }: OrderRow) {
  const round = id === null ? undefined : await findRound(db, id)
  return { round: shownNameOf(round), bonusPercent: shortDecimal(bonus) }
}

async function listSameTransaction(db: Tx, order: OrderRow): Promise<ConsoleOrderDetail['sameTransaction']> {
  const same = await listOrdersOfSameTransaction(db, order.id, sameTransactionMax)
  return same.map(({ id, reference, status }) => ({ id, reference: shownReference(reference), status }))
}

/** Why the reader must not change the order. */
async function findForbidding({
  order,
  isOwn,
  context: { db, caller },
}: Viewed): Promise<ConsoleOrderDetail['forbids']> {
  if (isOwn) return 'own'
  return (await sharesWithOrderOf(db, caller.memberId, order.id, '')) ? 'own_transaction' : null
}

/** How the order can still be canceled or its payment refunded. */
async function findEnding({ order, isOwn, context: { db, config } }: Viewed, proven: string | undefined) {
  const isOpen = order.status === 'pending' && !isOwn
  return {
    hasLeftChain: isOpen && (await hasLeftChain(db, order.id)),
    provenAmount: isOpen && proven !== undefined ? decimalOrNull(proven) : null,
    isBeingWithdrawn: await isBeingWithdrawn(db, order.id),
    cancellingNeeds: isOpen ? await cancellingNeedOf(db, config, order) : ('nothing' as const),
    canRefund: !isOwn && (await canRefund(db, config, order)),
  }
}

/** Why completing the order would need a second approval. */
async function findCompletionCause(
  { order, context: { db, config, caller } }: Viewed,
  policy: OrderPolicy,
  { seen, evidence }: Awaited<ReturnType<typeof findOnChain>>,
): Promise<FourEyesCause | null> {
  const { amount, fab_qty: fabQty, rate } = order
  // If the amount received is unknown, the amount due determines whether four-eyes approval is needed.
  const received = order.paid_amount ?? seen ?? amount ?? '1'
  const completing = {
    amount,
    fabQty: await largestQuantity(db, order),
    received,
    coversPrice: coversPrice(config, await readSaleRates(db), {
      rate,
      payMethod: order.pay_method,
      roundId: order.round_id,
      received,
      fabQty,
    }),
    isCovered: isCoveredOnChain(evidence, { amount, fabQty, rate }),
    isChangedByOfficer: (await listChangedBy(db, caller.memberId, [order.id])).has(order.id),
  }
  return findCause(policy, completing, await sumCompletedAlone(db, caller.memberId)) ?? null
}

async function findProposal({
  order,
  isOwn,
  context: { db, config },
}: Viewed): Promise<ConsoleOrderDetail['proposal']> {
  const { completion_proposed_by: by, completion_proposed_at: at } = order
  if (isOwn || by === null || at === null) return null
  const first = await findNamesOfMember(db, by)
  return {
    by: { id: by, name: first?.staff_name ?? '' },
    at: at.toISOString(),
    reason: order.completion_reason,
    counts: await isApprovalValid(db, config, order),
    correction: order.proposed_correction
      ? describeOrderChanges(order, order.proposed_correction as OrderChange)
      : null,
  }
}

async function listSteps({ order, isOwn, context: { db } }: Viewed): Promise<ConsoleOrderDetail['steps']> {
  const steps = await listAllStepsOfOrder(db, order.id, { isForOwner: isOwn })
  const placedAt = order.created_at.toISOString()
  return [
    { kind: 'placed', at: placedAt, by: null, reason: '', txId: '', changes: [] },
    ...(isOwn ? stepsForMember(order, steps) : steps).map(
      ({ kind, at, reason, tx_id, by_member_id, by_name, changes }) => ({
        kind,
        at: at.toISOString(),
        by: by_member_id === null ? null : { id: by_member_id, name: by_name ?? '' },
        reason: isOwn && isForColleagues(kind) ? '' : reason,
        txId: tx_id,
        changes: isOwn ? [] : (changes as OrderFieldChange[]),
      }),
    ),
  ]
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const addDecimals = (a: string, b: string | null): string =>
  b === null ? a : writeDecimal(parseDecimal(a) + parseDecimal(b))
