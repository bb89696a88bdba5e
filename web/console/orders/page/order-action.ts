import type { ChainPayment } from '#contract/money/chain-payments.ts'
import {
  type ConsoleOrderDetail,
  declineOrderCompletion,
  type OrderFieldChange,
} from '#contract/money/console-orders.ts'
import { openRefund } from '#contract/money/console-withdrawals.ts'
import {
  isBeyondTolerance,
  multiplyDown,
  parseDecimal,
  tokenPlaces,
  writeDecimal,
} from '#contract/platform/decimal.ts'
import { extendOrderDeadline } from '#contract/money/order-desk.ts'
import type { Order } from '#contract/money/orders.ts'
import { call } from '../../../kernel/call/call.ts'
import { typedFrom } from '../../../kernel/typed-amount.ts'
import { change, fields, type OrderAction, reason, textsOf, type Values } from './action.ts'
import { complete, decimalOf, record } from './payment-actions.ts'

const decline = (isOwn: boolean): OrderAction => ({
  name: 'decline',
  ...textsOf(isOwn ? 'consoleOrders.decline.own' : 'consoleOrders.decline'),
  showsProposal: !isOwn,
  fields: [reason('consoleOrders.reason.internal')],
  isUndoable: true,
  run: ({ reason = '' }, now, _, send) =>
    send(declineOrderCompletion, {
      params: { id: now.id },
      body: { reason, updatedAt: now.order.updatedAt },
    }),
})

const cancel = (needsReason: boolean): OrderAction => ({
  name: 'cancel',
  ...textsOf('consoleOrders.cancel'),
  dismiss: 'consoleOrders.cancel.keep',
  kind: 'danger',
  fields: [reason('consoleOrders.reason.member', () => (needsReason ? 'paid' : 'none'))],
  isUndoable: true,
  run: ({ reason = '' }, now, _, send) => change(now, { status: 'cancelled', reason }, send),
})

const refund: OrderAction = {
  name: 'refund',
  label: 'consoleOrders.refund',
  title: 'consoleOrders.refund.title',
  text: 'consoleOrders.refund.text',
  confirm: 'consoleOrders.refund.confirm',
  done: 'consoleOrders.refund.done',
  fields: [
    {
      name: 'refundAddress',
      label: 'consoleOrders.refund.address',
      help: 'consoleOrders.refund.address.help',
      schema: openRefund.body.shape.refundAddress,
      kind: 'code',
    },
    { ...reason('consoleOrders.reason.member'), isRequired: true },
  ],
  run: ({ refundAddress = '', reason = '' }, now) =>
    call(openRefund, {
      params: { id: now.id },
      body: {
        ...(refundAddress.trim() && { refundAddress: refundAddress.trim() }),
        reason,
        updatedAt: now.order.updatedAt,
      },
    }),
}

const resolveFlag = (which: 'disputed' | 'reportedLate'): OrderAction => ({
  name: which,
  label: which === 'disputed' ? 'consoleOrders.settleDispute' : 'consoleOrders.settleLate',
  title: which === 'disputed' ? 'consoleOrders.settleDispute.title' : 'consoleOrders.settleLate.title',
  text: which === 'disputed' ? 'consoleOrders.settleDispute.text' : 'consoleOrders.settleLate.text',
  confirm: 'consoleOrders.settle.confirm',
  done: 'consoleOrders.settle.done',
  fields: [reason('consoleOrders.reason.member')],
  run: ({ reason = '' }, now) => change(now, { [which]: false, reason }),
})

const extend: OrderAction = {
  name: 'extend',
  ...textsOf('consoleOrders.extend'),
  fields: [
    {
      name: 'payBefore',
      label: 'consoleOrders.extend.until',
      schema: extendOrderDeadline.body.shape.payBefore,
      kind: 'moment',
    },
    reason('consoleOrders.reason.member'),
  ],
  run: ({ payBefore = '', reason = '' }, now) => {
    const at = new Date(payBefore)
    return call(extendOrderDeadline, {
      params: { id: now.id },
      body: {
        payBefore: Number.isNaN(at.getTime()) ? '' : at.toISOString(),
        reason,
        updatedAt: now.order.updatedAt,
      },
    })
  },
}

/**
 * Whether the deadline can be extended. The deadline of an order that can't be paid yet hasn't started, and an order
 * with a recorded payment or an open withdrawal has none.
 */
const hasDeadline = ({
  order,
  receivingAddress,
  paidAmount,
  paidAt,
  isBeingWithdrawn,
}: ConsoleOrderDetail): boolean =>
  !isBeingWithdrawn &&
  parseDecimal(paidAmount ?? '0') === 0n &&
  paidAt === null &&
  (order.payBefore !== null || (receivingAddress !== '' && order.amount !== null))

const isReturned = ({ flags }: ConsoleOrderDetail): boolean => flags.includes('payment_returned')

const isSettled = (detail: ConsoleOrderDetail): boolean =>
  !detail.order.disputed && !detail.order.reportedLate && !isReturned(detail)

const corrected = [
  ['payMethod', 'consoleOrders.payMethod'],
  ['amount', 'consoleOrders.amount'],
  ['fabQty', 'consoleOrders.quantity'],
  ['fabAddress', 'consoleOrders.fabAddress'],
  ['ethAddress', 'consoleOrders.ethAddress'],
  ['btcAddress', 'consoleOrders.btcAddress'],
  ['email', 'consoleOrders.email'],
] as const
type Corrected = (typeof corrected)[number][0]
/** Fields of a completed order that require the approval of two finance members. */
const approvedByTwo: readonly string[] = ['fabQty', 'fabAddress', 'ethAddress', 'btcAddress']
/** Fields that also require it while four-eyes approval is on. */
const moneyByTwo: readonly string[] = ['amount', 'payMethod']

const isReceipt = (name: string): boolean => name === 'paidAmount' || name === 'paidAt' || name === 'txId'
const isDecimal = (name: string): boolean => name === 'amount' || name === 'fabQty'

const textOf = (order: Order, name: Corrected): string =>
  (name === 'amount' ? order.exactAmount : name === 'fabQty' ? order.exactFabQty : order[name]) ?? ''

const changesIn = (order: Order, values: Values): OrderFieldChange[] =>
  corrected.flatMap(([field]) => {
    const before = textOf(order, field)
    const typed = values[field]?.trim() ?? before
    const after = isDecimal(field) ? (decimalOf(typed) ?? typed) : typed
    const isSame =
      isDecimal(field) && before !== '' && decimalOf(typed) !== undefined
        ? parseDecimal(before) === parseDecimal(after)
        : before === after
    return isSame ? [] : [{ field, before: before || null, after: after || null }]
  })

/** Returns the quantity that the entered amount buys, if the entered quantity differs. */
function quantityAtRate({ order, tolerancePercent }: ConsoleOrderDetail, values: Values): string | undefined {
  const [amount, quantity] = [decimalOf(values['amount']), decimalOf(values['fabQty'])]
  const isChanged = changesIn(order, values).some(({ field }) => isDecimal(field))
  const isOtherMethod = (values['payMethod'] ?? order.payMethod).trim() !== order.payMethod
  if (order.rate === null || !amount || !quantity || !isChanged || isOtherMethod) return undefined
  const bought = writeDecimal(multiplyDown(parseDecimal(amount), parseDecimal(order.rate), tokenPlaces))
  return isBeyondTolerance(tolerancePercent, quantity, bought) ? bought : undefined
}

/** Returns by how much the changes raise the quantity above what the caps of the sale leave for the order. */
function excessOf(
  { order, capRoom }: ConsoleOrderDetail,
  changes: readonly OrderFieldChange[],
): string | undefined {
  const after = decimalOf(changes.find(({ field }) => field === 'fabQty')?.after ?? '')
  if (capRoom === null || after === undefined) return undefined
  const [quantity, room] = [parseDecimal(after), parseDecimal(capRoom)]
  const isRaised = quantity > parseDecimal(order.exactFabQty ?? '0')
  return isRaised && quantity > room ? writeDecimal(quantity - room) : undefined
}

/** Whether the change needs no reason: it fills in data that an order without a quote lacks. */
const isExplained = (order: Order, values: Values): boolean =>
  order.status !== 'pending' ||
  changesIn(order, values).some(
    ({ field, before }) => before !== null || field.endsWith('Address') || field === 'email',
  )

const bodyOf = (changes: readonly OrderFieldChange[]): object =>
  Object.fromEntries(
    changes.map(({ field, after }) => [field, after ?? (isDecimal(field) || isReceipt(field) ? null : '')]),
  )

/** As with payments, only edited fields are sent. */
function correct(detail: ConsoleOrderDetail): OrderAction {
  const { order, twoPersonsFrom } = detail
  const byTwo = twoPersonsFrom === null ? approvedByTwo : [...approvedByTwo, ...moneyByTwo]
  const isCompleted = order.status === 'completed'
  const isProposed = (values: Values) =>
    isCompleted && changesIn(order, values).some(({ field }) => byTwo.includes(field))
  return {
    name: 'correct',
    ...textsOf('consoleOrders.correct'),
    text: isCompleted ? 'consoleOrders.correct.byTwo' : 'consoleOrders.correct.text',
    confirm: (values) =>
      isProposed(values) ? 'consoleOrders.correct.proposeConfirm' : 'consoleOrders.correct.confirm',
    done: (values) => (isProposed(values) ? 'consoleOrders.correct.proposed' : 'consoleOrders.correct.done'),
    fields: [
      ...corrected.map(([name, label]) => ({
        name,
        label,
        schema: fields[name],
        initial: isDecimal(name) ? typedFrom(textOf(order, name)) : textOf(order, name),
        ...(isDecimal(name) && { kind: 'decimal' as const }),
      })),
      reason('consoleOrders.reason.member', (values) => (isExplained(order, values) ? 'change' : 'none')),
    ],
    changes: (values) => changesIn(order, values),
    quantityAtRate: (values) => quantityAtRate(detail, values),
    excess: (values) => excessOf(detail, changesIn(order, values)),
    run: (values, now, { isQuantityMeant, isExcessMeant }) =>
      change(now, {
        ...bodyOf(changesIn(order, values)),
        ...(isQuantityMeant && { confirmsQuantity: true }),
        ...(isExcessMeant && { exceedsCap: true }),
        reason: values['reason'] ?? '',
      }),
  }
}

/** The second approver sends the values of the proposal. */
function approveCorrection(detail: ConsoleOrderDetail): OrderAction {
  const changes = detail.proposal?.correction ?? []
  return {
    name: 'approve',
    label: 'consoleOrders.approve',
    title: 'consoleOrders.approve.title',
    text: 'consoleOrders.approve.text',
    confirm: 'consoleOrders.approve.confirm',
    done: 'consoleOrders.correct.done',
    kind: 'primary',
    showsProposal: true,
    fields: [reason('consoleOrders.reason.memberOptional')],
    changes: () => changes,
    excess: () => excessOf(detail, changes),
    run: ({ reason: why = '' }, now, { isExcessMeant, isShared }) =>
      change(now, {
        ...bodyOf(changes),
        ...(isExcessMeant && { exceedsCap: true }),
        ...(isShared && { sharesTransaction: true }),
        reason: why,
      }),
  }
}

const proposalActions = (detail: ConsoleOrderDetail, isOwn: boolean): OrderAction[] => {
  const { proposal } = detail
  if (!proposal) return []
  const isToApprove = proposal.correction !== null && proposal.counts && !isOwn
  return [...(isToApprove ? [approveCorrection(detail)] : []), decline(isOwn)]
}

/** Returns the actions available for the order, most urgent first. */
export function actionsFor(
  detail: ConsoleOrderDetail,
  memberId: string,
  chain: ChainPayment | null,
): OrderAction[] {
  const { order, proposal, isBeingWithdrawn, cancellingNeeds, canRefund } = detail
  const isPending = order.status === 'pending'
  const isOwnProposal = proposal?.by.id === memberId
  const isCompletable = isPending && isSettled(detail) && !isOwnProposal && !isBeingWithdrawn
  return [
    isCompletable && complete(detail, chain),
    ...proposalActions(detail, isOwnProposal),
    order.disputed && resolveFlag('disputed'),
    order.reportedLate && resolveFlag('reportedLate'),
    record(detail, chain),
    isPending && hasDeadline(detail) && extend,
    correct(detail),
    canRefund && refund,
    isPending && !order.disputed && cancellingNeeds !== 'withdrawal' && cancel(cancellingNeeds === 'reason'),
  ].filter((action) => action !== false)
}
