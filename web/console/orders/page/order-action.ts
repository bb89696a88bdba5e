import type { ChainPayment } from '#contract/chain-payments.ts'
import { declineOrderCompletion, type ConsoleOrderDetail } from '#contract/console-orders.ts'
import { extendOrderDeadline } from '#contract/order-desk.ts'
import type { Order } from '#contract/orders.ts'
import { call } from '../../../call/call.ts'
import { change, fields, reason, type OrderAction } from './action.ts'
import { complete, record } from './payment-actions.ts'

const decline = (isOwn: boolean): OrderAction => ({
  name: 'decline',
  label: isOwn ? 'consoleOrders.decline.own' : 'consoleOrders.decline',
  title: 'consoleOrders.decline.title',
  text: 'consoleOrders.decline.text',
  confirm: 'consoleOrders.decline.confirm',
  done: 'consoleOrders.decline.done',
  fields: [reason('consoleOrders.reason.internal')],
  run: ({ reason = '' }, now) =>
    call(declineOrderCompletion, {
      params: { id: now.id },
      body: { reason, updatedAt: now.order.updatedAt },
    }),
})

const cancel: OrderAction = {
  name: 'cancel',
  label: 'consoleOrders.cancel',
  title: 'consoleOrders.cancel.title',
  text: 'consoleOrders.cancel.text',
  confirm: 'consoleOrders.cancel.confirm',
  dismiss: 'consoleOrders.cancel.keep',
  done: 'consoleOrders.cancel.done',
  kind: 'danger',
  fields: [reason('consoleOrders.reason.memberOptional')],
  run: ({ reason = '' }, now) => change(now, { status: 'cancelled', reason }),
}

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

const textOf = (order: Order, name: Corrected): string =>
  (name === 'amount' ? order.exactAmount : name === 'fabQty' ? order.exactFabQty : order[name]) ?? ''

/** What two completed stays as both saw it. */
const isFixed = (name: Corrected, { status, exactFabQty }: Order, takesTwo: boolean): boolean =>
  takesTwo &&
  status === 'completed' &&
  (name.endsWith('Address') || (name === 'fabQty' && exactFabQty !== null))

/** As of a payment, only what was typed differently is sent. */
const correct = ({ order, takesTwo }: ConsoleOrderDetail): OrderAction => ({
  name: 'correct',
  label: 'consoleOrders.correct',
  title: 'consoleOrders.correct.title',
  text: 'consoleOrders.correct.text',
  confirm: 'consoleOrders.correct.confirm',
  done: 'consoleOrders.correct.done',
  fields: [
    ...corrected
      .filter(([name]) => !isFixed(name, order, takesTwo))
      .map(([name, label]) => ({
        name,
        label,
        schema: fields[name],
        initial: textOf(order, name),
      })),
    reason('consoleOrders.reason.member'),
  ],
  run: (values, now) => {
    const typed = corrected.flatMap(([name]) => {
      const value = values[name]?.trim()
      if (value === undefined || value === textOf(order, name)) return []
      return [[name, value === '' && (name === 'amount' || name === 'fabQty') ? null : value]]
    })
    return change(now, { ...(Object.fromEntries(typed) as object), reason: values['reason'] ?? '' })
  },
})

const settle = (which: 'disputed' | 'reportedLate'): OrderAction => ({
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

/** What can be done with the order as it is: what it waits for first. */
export function actionsFor(
  detail: ConsoleOrderDetail,
  memberId: string,
  chain: ChainPayment | null,
): OrderAction[] {
  const { order, proposal, receivingAddress, flags } = detail
  // The time of what cannot be paid yet has not begun.
  const hasTime = order.payBefore !== null || (receivingAddress !== '' && order.amount !== null)
  const isPending = order.status === 'pending'
  const isSettled = !order.disputed && !order.reportedLate
  const isOwnProposal = proposal?.by.id === memberId
  // What came, or went, after it was closed is dealt with by saying what was received.
  const isToRecord = isPending || flags.includes('payment_gone') || flags.includes('payment_unexpected')
  return [
    ...(isPending && isSettled && !isOwnProposal ? [complete(detail, chain)] : []),
    ...(isPending && proposal ? [decline(isOwnProposal)] : []),
    ...(order.disputed ? [settle('disputed')] : []),
    ...(order.reportedLate ? [settle('reportedLate')] : []),
    ...(isToRecord ? [record(detail, chain)] : []),
    ...(isPending && hasTime ? [extend] : []),
    correct(detail),
    ...(isPending ? [cancel] : []),
  ]
}
