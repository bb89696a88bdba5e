import type { api } from '#contract/api.ts'
import { shortDecimal } from '#contract/decimal.ts'
import type { ConsoleStepKind } from '#contract/console-orders.ts'
import { orderStepKinds, type OrderPayment } from '#contract/orders.ts'
import type { Tx } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { findOrder, type OrderRow } from './order.queries.ts'
import { listOrderSteps } from './order-step.queries.ts'
import { findBuyerName } from './find-buyer-name.ts'
import { paymentUri, qrSvgOf } from './payment.rules.ts'
import { currencyOfOrder, shownReference } from './present-order.ts'
import { canWithdraw, hasRecordedPayment, isUnpaid } from './unpaid.ts'
import { isBeingWithdrawn } from './withdrawals/withdrawal.queries.ts'

export const getOrderPayment: Handler<typeof api.getOrderPayment> = async (
  { params },
  { db, config, caller },
) => {
  const order = (await findOrder(db, params.id)).openFor(caller)
  const isOwner = order.member_id === caller.memberId
  const isRecorded = hasRecordedPayment(order)
  const address = shownAddressOf(order, { isBeingWithdrawn: await isBeingWithdrawn(db, order.id) })
  // Of what was received in part nobody is asked for the whole again.
  const due = isRecorded ? { ...order, amount: null } : order
  const uri = address === '' ? null : paymentUri(due, address, config.chains)
  const shown: OrderPayment = {
    orderId: order.id,
    memberId: order.member_id,
    reference: shownReference(order.reference),
    status: order.status,
    name: isOwner ? await findBuyerName(db, order.member_id) : '',
    payMethod: order.pay_method,
    currency: currencyOfOrder(order),
    payBefore: order.pay_before?.toISOString() ?? null,
    amount: order.amount === null ? null : shortDecimal(order.amount),
    receivingAddress: address,
    uri,
    qrSvg: address === '' ? null : qrSvgOf(uri ?? address),
    txId: order.tx_id,
    canWithdraw: canWithdraw(order),
    hasRecordedPayment: isRecorded,
    steps: [
      { kind: 'placed', at: order.created_at.toISOString(), reason: '', txId: '' },
      ...(await listShownSteps(db, order, isOwner)),
    ],
  }
  return shown
}

/** Where it is paid, while it can be: not once its member has withdrawn. Nobody is shown where to pay for an order that the program is about to cancel. */
export function shownAddressOf(order: OrderRow, { isBeingWithdrawn }: { isBeingWithdrawn: boolean }): string {
  const isNotNamed =
    isUnpaid(order) || (order.is_disputed && order.tx_id === '' && !hasRecordedPayment(order))
  const isOverdue = isNotNamed && order.pay_before !== null && order.pay_before.getTime() <= Date.now()
  return order.status === 'pending' && !isOverdue && !isBeingWithdrawn ? order.receiving_address : ''
}

/** Why two orders share a transaction may tell of the other member, and why a payment was recorded is a note. */
export const isForColleagues = (kind: ConsoleStepKind): boolean =>
  kind === 'transaction_shared' || kind === 'payment_recorded'

/** What its member is told of an order: of what finance recorded as received the last, while it is so. A note names a transaction. */
export function saidToMember<Step extends { kind: ConsoleStepKind; tx_id: string }>(
  order: Pick<OrderRow, 'paid_amount' | 'paid_at'>,
  steps: readonly Step[],
): Step[] {
  const recordings = hasRecordedPayment(order) ? steps.filter(({ kind }) => kind === 'payment_recorded') : []
  const recorded = recordings.findLast(({ tx_id }) => tx_id === '') ?? recordings.at(-1)
  return steps.filter((step) =>
    step.kind === 'payment_recorded' ? step === recorded : orderStepKinds.some((said) => said === step.kind),
  )
}

export async function listShownSteps(
  db: Tx,
  order: OrderRow,
  isForOwner: boolean,
): Promise<OrderPayment['steps']> {
  const steps = saidToMember(order, await listOrderSteps(db, order.id))
  return steps.map(({ kind, at, reason, tx_id }) => ({
    kind,
    at: at.toISOString(),
    reason: isForOwner && isForColleagues(kind) ? '' : reason,
    txId: tx_id,
  }))
}
