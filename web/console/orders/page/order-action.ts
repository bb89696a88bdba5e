import type { ChainPayment } from '#contract/chain-payments.ts'
import { declineOrderCompletion, type ConsoleOrderDetail } from '#contract/console-orders.ts'
import { openRefund } from '#contract/console-withdrawals.ts'
import { extendOrderDeadline } from '#contract/order-desk.ts'
import { call } from '../../../call/call.ts'
import { change, reason, textsOf, type OrderAction } from './action.ts'
import { approveCorrection, correct } from './correction-actions.ts'
import { complete, record } from './payment-actions.ts'

const decline = (isOwn: boolean): OrderAction => ({
  name: 'decline',
  ...textsOf(isOwn ? 'consoleOrders.decline.own' : 'consoleOrders.decline'),
  showsProposal: !isOwn,
  fields: [reason('consoleOrders.reason.internal')],
  run: ({ reason = '' }, now) =>
    call(declineOrderCompletion, {
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
  run: ({ reason = '' }, now) => change(now, { status: 'cancelled', reason }),
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

/** Whether the deadline can be extended. The deadline of an order that can't be paid yet hasn't started. */
const hasDeadline = ({ order, receivingAddress }: ConsoleOrderDetail): boolean =>
  order.payBefore !== null || (receivingAddress !== '' && order.amount !== null)

const isReturned = ({ flags }: ConsoleOrderDetail): boolean => flags.includes('payment_returned')

const isSettled = (detail: ConsoleOrderDetail): boolean =>
  !detail.order.disputed && !detail.order.reportedLate && !isReturned(detail)

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
