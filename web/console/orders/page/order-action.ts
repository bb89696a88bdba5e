import type { ZodMiniType } from 'zod/mini'
import { declineOrderCompletion, type ConsoleOrderDetail } from '#contract/console-orders.ts'
import { extendOrderDeadline, updateOrder } from '#contract/order-desk.ts'
import type { Order } from '#contract/orders.ts'
import { call } from '../../../call/call.ts'
import type { KeyTaking, PlainKey } from '../../../i18n/message-key.ts'

type Values = Readonly<Record<string, string>>

export type ActionField = {
  name: string
  label: PlainKey
  /** Bounds what is typed. */
  schema: ZodMiniType
  kind?: 'day' | 'moment' | 'lines'
  initial?: string
  /** Says beside it what is due, and in which coin. */
  saysDue?: true
}

/** What finance can do with an order. `run` gets the order as it was last shown. */
export type OrderAction = {
  name: string
  label: PlainKey
  title: KeyTaking<'reference'>
  text: PlainKey
  confirm: PlainKey
  done: PlainKey
  kind?: 'primary' | 'danger'
  dismiss?: PlainKey
  fields: readonly ActionField[]
  run: (values: Values, now: ConsoleOrderDetail, isShared: boolean) => Promise<Order>
}

const fields = updateOrder.body.shape
const reason = (label: PlainKey): ActionField => ({
  name: 'reason',
  label,
  schema: fields.reason,
  kind: 'lines',
})
const change = (
  now: ConsoleOrderDetail,
  body: Partial<Parameters<typeof call<typeof updateOrder>>[1]['body']>,
) => call(updateOrder, { body: { ...body, _id: now.id, updatedAt: now.order.updatedAt } })

/** Only what was typed differently is sent: the rest may have been changed by others meanwhile. */
const record = ({ order, paidAmount, paidAt }: ConsoleOrderDetail): OrderAction => ({
  name: 'record',
  label: 'consoleOrders.record',
  title: 'consoleOrders.record.title',
  text: 'consoleOrders.record.text',
  confirm: 'consoleOrders.record.confirm',
  done: 'consoleOrders.record.done',
  fields: [
    { name: 'txId', label: 'consoleOrders.txId', schema: fields.txId, initial: order.txId },
    {
      name: 'paidAmount',
      label: 'consoleOrders.record.amount',
      schema: fields.paidAmount,
      initial: paidAmount ?? '',
      saysDue: true,
    },
    {
      name: 'paidAt',
      label: 'consoleOrders.record.at',
      schema: fields.paidAt,
      kind: 'day',
      initial: paidAt?.slice(0, 10) ?? '',
    },
    // Another transaction is a correction, and so is that nothing was received: its member is mailed the reason.
    reason(
      order.txId === '' && paidAmount === null && paidAt === null
        ? 'consoleOrders.reason.internalOptional'
        : 'consoleOrders.reason.replacing',
    ),
  ],
  run: (values, now, isShared) => {
    const typed = (name: string, before: string | null | undefined) => {
      const value = (values[name] ?? '').trim()
      return value === (before ?? '') ? undefined : value
    }
    const txId = typed('txId', order.txId)
    const amount = typed('paidAmount', paidAmount)
    const day = typed('paidAt', paidAt?.slice(0, 10))
    return change(now, {
      ...(txId !== undefined && { txId: txId || null }),
      ...(amount !== undefined && { paidAmount: amount || null }),
      ...(day !== undefined && { paidAt: day ? `${day}T00:00:00.000Z` : null }),
      ...(isShared && { sharesTransaction: true }),
      reason: values['reason'] ?? '',
    })
  },
})

const complete = ({ difference, takesTwo, proposal }: ConsoleOrderDetail): OrderAction => {
  const isSecond = proposal?.counts === true
  const proposes = takesTwo && !isSecond
  return {
    name: 'complete',
    label: proposes
      ? 'consoleOrders.complete.propose'
      : isSecond
        ? 'consoleOrders.complete.second'
        : 'consoleOrders.complete',
    title: 'consoleOrders.complete.title',
    text: proposes ? 'consoleOrders.complete.proposeText' : 'consoleOrders.complete.text',
    confirm: proposes ? 'consoleOrders.complete.proposeConfirm' : 'consoleOrders.complete.confirm',
    done: proposes ? 'consoleOrders.complete.proposed' : 'consoleOrders.complete.done',
    kind: 'primary',
    fields: [
      reason(
        difference === null || difference === '0'
          ? 'consoleOrders.reason.memberOptional'
          : 'consoleOrders.reason.difference',
      ),
    ],
    run: ({ reason = '' }, now, isShared) =>
      change(now, { status: 'completed', reason, ...(isShared && { sharesTransaction: true }) }),
  }
}

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
export function actionsFor(detail: ConsoleOrderDetail, memberId: string): OrderAction[] {
  const { order, proposal, receivingAddress } = detail
  // The time of what cannot be paid yet has not begun.
  const hasTime = order.payBefore !== null || (receivingAddress !== '' && order.amount !== null)
  const isPending = order.status === 'pending'
  const isSettled = !order.disputed && !order.reportedLate
  const isOwnProposal = proposal?.by.id === memberId
  return [
    ...(isPending && isSettled && !isOwnProposal ? [complete(detail)] : []),
    ...(isPending && proposal ? [decline(isOwnProposal)] : []),
    ...(order.disputed ? [settle('disputed')] : []),
    ...(order.reportedLate ? [settle('reportedLate')] : []),
    ...(isPending ? [record(detail), ...(hasTime ? [extend] : [])] : []),
    correct(detail),
    ...(isPending ? [cancel] : []),
  ]
}
