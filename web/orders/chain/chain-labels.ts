import type { ChainPayment, ChainState } from '#contract/money/chain-payments.ts'
import type { Order } from '#contract/money/orders.ts'
import type { KeyTaking, PlainKey } from '../../kernel/i18n/message-key.ts'

export const chainTitles: Readonly<Record<ChainState, PlainKey>> = {
  awaited: 'chainPayment.awaited',
  seen: 'chainPayment.seen',
  confirming: 'chainPayment.confirming',
  paid: 'chainPayment.paid',
  too_little: 'chainPayment.tooLittle',
  too_much: 'chainPayment.tooMuch',
  late: 'chainPayment.late',
  reorganised: 'chainPayment.reorganised',
}

/** A closed order awaits no payment. */
export function chainTitle(payment: ChainPayment, order: Order): PlainKey {
  const { state, droppedAt, address } = payment
  if (isDropped(payment, order)) return 'chainPayment.dropped'
  if (state !== 'awaited') return chainTitles[state]
  if (order.status !== 'pending') return 'chainPayment.none'
  // Without an address, it can't be paid again.
  return droppedAt !== null && address === '' ? 'chainPayment.droppedLate' : 'chainPayment.awaited'
}

/** Whether the network has lost the payment of an order that can still be paid. */
export const isDropped = (
  { state, droppedAt, address, transactions }: ChainPayment,
  { status }: Pick<Order, 'status'>,
): boolean =>
  status === 'pending' &&
  state === 'awaited' &&
  droppedAt !== null &&
  address !== '' &&
  transactions.every((each) => each.state === 'gone')

/** What the status means for the member, and what to do. */
type ChainText = KeyTaking<'due' | 'apart' | 'needed'>

const texts: Readonly<Record<Exclude<ChainState, 'awaited' | 'paid'>, ChainText>> = {
  seen: 'chainPayment.seen.text',
  confirming: 'chainPayment.confirming.text',
  too_little: 'chainPayment.tooLittle.text',
  too_much: 'chainPayment.tooMuch.text',
  late: 'chainPayment.late.text',
  reorganised: 'chainPayment.reorganised.text',
}

export function chainText(payment: ChainPayment, order: Order): ChainText {
  const { state, isOwnAddress, address } = payment
  if (state === 'paid')
    return order.status === 'completed' ? 'chainPayment.paid.completed' : 'chainPayment.paid.text'
  if (state === 'too_little' && address === '') return 'chainPayment.tooLittle.over'
  if (state === 'too_little' && !isOwnAddress) return 'chainPayment.tooLittle.shared'
  if (state === 'late' && order.status === 'cancelled') return 'chainPayment.late.cancelled'
  return state === 'awaited' ? awaitedText(payment, order) : texts[state]
}

function awaitedText(
  { isOwnAddress, address, transactions, droppedAt }: ChainPayment,
  order: Order,
): ChainText {
  // The transaction exists, but does not count.
  if (transactions.some((each) => each.state !== 'gone')) return 'chainPayment.awaited.older'
  if (droppedAt !== null) return address === '' ? 'chainPayment.dropped.over' : 'chainPayment.dropped.text'
  if (order.txId !== '' && order.status === 'pending') return 'chainPayment.awaited.reported'
  // The receiving address is no longer shown.
  if (address === '') return 'chainPayment.awaited.over'
  return isOwnAddress ? 'chainPayment.awaited.own' : 'chainPayment.awaited.shared'
}

/** The next step in the timeline of a pending order. */
export const chainNext: Readonly<Record<ChainState, PlainKey>> = {
  awaited: 'chainPayment.next.pay',
  seen: 'chainPayment.next.confirm',
  confirming: 'chainPayment.next.confirm',
  reorganised: 'chainPayment.next.confirm',
  paid: 'chainPayment.next.complete',
  too_little: 'chainPayment.next.rest',
  too_much: 'chainPayment.next.compare',
  late: 'chainPayment.next.compare',
}
