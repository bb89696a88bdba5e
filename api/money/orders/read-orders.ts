import { shownReference } from '../../platform/text/order-reference.ts'
import { fullName } from '#contract/people/full-name.ts'
import { renderSVG } from 'uqr'
import brand from '#content/brand.json' with { type: 'json' }
import type { api } from '#contract/api.ts'
import { parseDecimal, shortDecimal } from '#contract/platform/decimal.ts'
import type { ConsoleStepKind } from '#contract/money/console-orders.ts'
import { orderStepKinds, type OrderPayment } from '#contract/money/orders.ts'
import { coinOf, type ChainSetting } from '../../platform/config/read-chains.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { defined } from './order-fields.ts'
import { findOrder, listAnyOrders, listOrdersOfMember, type OrderRow } from './order.queries.ts'
import { presentOrder, currencyOfOrder } from './present-order.ts'
import type { Tx } from '../../platform/db/database.ts'
import { listOrderSteps } from './order-history.queries.ts'
import { payChainOf } from './payment.rules.ts'
import { canWithdraw, hasRecordedPayment, isUnpaid } from './order.rules.ts'
import { isBeingWithdrawn } from './withdrawals/withdrawal.queries.ts'
import { readDisplayRates } from '../sale/display-rates.ts'
import { listKycOfMember } from '../../people/kyc/kyc.queries.ts'
import { findMemberById } from '../../people/members/member.queries.ts'

export const getOrder: Handler<typeof api.getOrder> = async ({ params }, { db, caller }) => {
  const order = (await findOrder(db, params.id)).openFor(caller)
  return presentOrder(order)
}

export const listOrders: Handler<typeof api.listOrders> = async ({ query }, { db, answer }) => {
  const page = await listAnyOrders(db, {}, query)
  answer.setNext(page.next)
  return page.rows.map(presentOrder)
}

export const findOrders: Handler<typeof api.findOrders> = async ({ body, query }, { db, caller, answer }) => {
  if (body.memberId !== undefined && body.memberId !== caller.memberId) caller.requireStaff()
  const filter = defined(body)
  const page = caller.isStaff
    ? await listAnyOrders(db, filter, query)
    : await listOrdersOfMember(db, caller.memberId, filter, query)
  answer.setNext(page.next)
  return page.rows.map(presentOrder)
}

export const getOrderPayment: Handler<typeof api.getOrderPayment> = async (
  { params },
  { db, config, content, caller },
) => {
  const order = (await findOrder(db, params.id)).openFor(caller)
  const isOwner = order.member_id === caller.memberId
  const isRecorded = hasRecordedPayment(order)
  const isTakenBack = await isBeingWithdrawn(db, order.id)
  const address = shownAddressOf(order, { isBeingWithdrawn: isTakenBack })
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
    isBeingWithdrawn: isTakenBack,
    hasRecordedPayment: isRecorded,
    receivedAmount:
      order.status === 'completed' && order.paid_amount !== null ? shortDecimal(order.paid_amount) : null,
    displayRates: readDisplayRates(content),
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

/** Returns the buyer's name for the receipt: the verified name, or else the profile name. */
async function findBuyerName(db: Tx, memberId: string): Promise<string> {
  const { rows } = await listKycOfMember(db, memberId, {}, { limit: 20 })
  const verified =
    rows.find(({ status }) => status === 'approved') ?? rows.find(({ status }) => status === 'expired')
  const ofIdentity = verified && fullName(verified.full_name, verified.last_name)
  if (ofIdentity) return ofIdentity
  const member = await findMemberById(db, memberId)
  const ofProfile = member && fullName(member.first_name, member.last_name, member.mid_name)
  return ofProfile || member?.display_name || ''
}

type Paid = Pick<OrderRow, 'pay_chain' | 'pay_method' | 'amount' | 'reference'>

type Watched = Pick<ChainSetting, 'coin' | 'kind' | 'network'>

/** Returns a payment URI: BIP-21 in whole coins, EIP-681 in wei; null for other chains or an unknown network. */
export function paymentUri(order: Paid, address: string, chains: readonly Watched[]): string | null {
  const chain = payChainOf(order)
  if (chain === 'bitcoin') {
    const message = `${brand.name} ${shownReference(order.reference)}`
    const parts = [
      ...(order.amount === null ? [] : [`amount=${shortDecimal(order.amount)}`]),
      `label=${encodeURIComponent(brand.name)}`,
      `message=${encodeURIComponent(message)}`,
    ]
    return `bitcoin:${address}?${parts.join('&')}`
  }
  const network = chain === 'ethereum' ? networkOf(order, chains) : null
  if (network !== null)
    // Amounts are stored with 18 decimals, and 10^-18 of the coin is one wei.
    return `ethereum:${address}@${network}${order.amount === null ? '' : `?value=${parseDecimal(order.amount)}`}`
  return null
}

export const qrSvgOf = (text: string): string => renderSVG(text, { ecc: 'M', border: 4 })

/**
 * Returns the network of an Ethereum-type coin: as configured, or the main network for its own coin. A wallet given the
 * wrong network would pay another coin.
 */
function networkOf(order: Pick<Paid, 'pay_chain' | 'pay_method'>, chains: readonly Watched[]): string | null {
  const coin = coinOf(order.pay_method)
  const watched = chains.find((each) => each.coin === coin)
  if (watched) return watched.kind === 'ethereum' ? watched.network : null
  return coin === 'ETH' ? '1' : null
}
