import type { ChainPayment } from '#contract/chain-payments.ts'
import { declineOrderCompletion, type ConsoleOrderDetail } from '#contract/console-orders.ts'
import { extendOrderDeadline } from '#contract/order-desk.ts'
import { call } from '../../../call/call.ts'
import { change, reason, type OrderAction } from './action.ts'
import { approveCorrection, correct } from './correction-actions.ts'
import { complete, record } from './payment-actions.ts'

const decline = (isOwn: boolean): OrderAction => ({
  name: 'decline',
  label: isOwn ? 'consoleOrders.decline.own' : 'consoleOrders.decline',
  title: isOwn ? 'consoleOrders.decline.own.title' : 'consoleOrders.decline.title',
  text: isOwn ? 'consoleOrders.decline.own.text' : 'consoleOrders.decline.text',
  confirm: isOwn ? 'consoleOrders.decline.own.confirm' : 'consoleOrders.decline.confirm',
  done: isOwn ? 'consoleOrders.decline.own.done' : 'consoleOrders.decline.done',
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
  label: 'consoleOrders.cancel',
  title: 'consoleOrders.cancel.title',
  text: 'consoleOrders.cancel.text',
  confirm: 'consoleOrders.cancel.confirm',
  dismiss: 'consoleOrders.cancel.keep',
  done: 'consoleOrders.cancel.done',
  kind: 'danger',
  fields: [reason('consoleOrders.reason.member', () => (needsReason ? 'paid' : 'none'))],
  run: ({ reason = '' }, now) => change(now, { status: 'cancelled', reason }),
})

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
  label: 'consoleOrders.extend',
  title: 'consoleOrders.extend.title',
  text: 'consoleOrders.extend.text',
  confirm: 'consoleOrders.extend.confirm',
  done: 'consoleOrders.extend.done',
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

/** Returns the actions available for the order, most urgent first. */
export function actionsFor(
  detail: ConsoleOrderDetail,
  memberId: string,
  chain: ChainPayment | null,
): OrderAction[] {
  const { order, proposal, receivingAddress, flags, isBeingWithdrawn, cancellingNeeds } = detail
  // The deadline of an order that cannot be paid yet has not started.
  const hasTime = order.payBefore !== null || (receivingAddress !== '' && order.amount !== null)
  const isPending = order.status === 'pending'
  const isReturned = flags.includes('payment_returned')
  const isSettled = !order.disputed && !order.reportedLate && !isReturned
  const isOwnProposal = proposal?.by.id === memberId
  // Payments that arrived, disappeared, or went back after the order was closed are resolved by recording what was received.
  const isToRecord =
    isPending || isReturned || flags.includes('payment_gone') || flags.includes('payment_unexpected')
  return [
    ...(isPending && isSettled && !isOwnProposal && !isBeingWithdrawn ? [complete(detail, chain)] : []),
    ...(proposal?.correction && proposal.counts && !isOwnProposal ? [approveCorrection(detail)] : []),
    ...(proposal ? [decline(isOwnProposal)] : []),
    ...(order.disputed ? [resolveFlag('disputed')] : []),
    ...(order.reportedLate ? [resolveFlag('reportedLate')] : []),
    ...(isToRecord ? [record(detail, chain)] : []),
    ...(isPending && hasTime ? [extend] : []),
    correct(detail),
    ...(isPending && !order.disputed && cancellingNeeds !== 'withdrawal'
      ? [cancel(cancellingNeeds === 'reason')]
      : []),
  ]
}
