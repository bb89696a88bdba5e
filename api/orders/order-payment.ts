import type { api } from '#contract/api.ts'
import { shortDecimal } from '#contract/decimal.ts'
import type { ConsoleStepKind } from '#contract/console-orders.ts'
import type { OrderPayment } from '#contract/orders.ts'
import type { Handler } from '../http/handler.ts'
import { findOrder } from './order.queries.ts'
import { listOrderSteps } from './order-step.queries.ts'
import { findBuyerName } from './find-buyer-name.ts'
import { paymentUri, qrSvgOf } from './payment.rules.ts'
import { currencyOfOrder, shownReference } from './present-order.ts'
import { isUnpaid } from './unpaid.ts'

export const getOrderPayment: Handler<typeof api.getOrderPayment> = async ({ params }, { db, caller }) => {
  const order = (await findOrder(db, params.id)).openFor(caller)
  const isOwner = order.member_id === caller.memberId
  const steps = await listOrderSteps(db, order.id)
  // Nobody is shown where to pay for an order that the program is about to cancel.
  const isNotNamed = isUnpaid(order) || (order.is_disputed && order.tx_id === '')
  const isOverdue = isNotNamed && order.pay_before !== null && order.pay_before.getTime() <= Date.now()
  const address = order.status === 'pending' && !isOverdue ? order.receiving_address : ''
  const uri = address === '' ? null : paymentUri(order, address)
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
    steps: [
      { kind: 'placed', at: order.created_at.toISOString(), reason: '', txId: '' },
      ...steps.map((step) => presentStep(step, isOwner)),
    ],
  }
  return shown
}

/** Why two orders share a transaction may tell of the other member. */
export const isForColleagues = (kind: ConsoleStepKind): boolean => kind === 'transaction_shared'

export const presentStep = (
  { kind, at, reason, tx_id }: Awaited<ReturnType<typeof listOrderSteps>>[number],
  isForOwner: boolean,
): OrderPayment['steps'][number] => ({
  kind,
  at: at.toISOString(),
  reason: isForOwner && isForColleagues(kind) ? '' : reason,
  txId: tx_id,
})
