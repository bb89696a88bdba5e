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
  // After a partial payment, the wallet must not offer to pay the whole amount again.
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

/**
 * Returns the receiving address while the order can be paid. It is hidden after the member withdrew and when the order
 * is due for cancellation.
 */
export function shownAddressOf(order: OrderRow, { isBeingWithdrawn }: { isBeingWithdrawn: boolean }): string {
  const isNotNamed =
    isUnpaid(order) || (order.is_disputed && order.tx_id === '' && !hasRecordedPayment(order))
  const isOverdue = isNotNamed && order.pay_before !== null && order.pay_before.getTime() <= Date.now()
  return order.status === 'pending' && !isOverdue && !isBeingWithdrawn ? order.receiving_address : ''
}

/**
 * Hidden from members: the reason for a shared transaction may reveal another member, and the reason for a recorded
 * payment is an internal note.
 */
export const isForColleagues = (kind: ConsoleStepKind): boolean =>
  kind === 'transaction_shared' || kind === 'payment_recorded'

/**
 * Returns the steps that the member sees. Of the recorded payments, it includes only the last one, while it is in
 * effect. A recording that names a transaction may be an internal note, so one without is preferred.
 */
export function stepsForMember<Step extends { kind: ConsoleStepKind; tx_id: string }>(
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
  const steps = stepsForMember(order, await listOrderSteps(db, order.id))
  return steps.map(({ kind, at, reason, tx_id }) => ({
    kind,
    at: at.toISOString(),
    reason: isForOwner && isForColleagues(kind) ? '' : reason,
    txId: tx_id,
  }))
}
