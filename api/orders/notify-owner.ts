import brand from '#content/brand.json' with { type: 'json' }
import { parseDecimal, shortDecimal } from '#contract/decimal.ts'
import type { Tx } from '../db/database.ts'
import { formatMoment } from '../format-time.ts'
import { sendMail } from '../mail/send-mail.ts'
import { orderLink } from '../site-links.ts'
import { getMemberById } from '../members/member.queries.ts'
import type { Services } from '../services.ts'
import type { OrderRow } from './order.queries.ts'
import { currencyOfOrder, shownReference } from './present-order.ts'
import { describeCorrection } from './describe-correction.ts'

export type OrderMail =
  | 'order-placed'
  | 'order-placed-waiting'
  | 'order-payable'
  | 'order-reminder'
  | 'order-unpaid'
  | 'order-unpaid-dropped'
  | 'order-unpaid-unconfirmed'
  | 'order-payment-dropped'
  | 'order-withdrawn'
  | 'order-payment-reported'
  | 'order-payment-seen'
  | 'order-payment-seen-late'
  | 'order-reported-late'
  | 'order-address-given'
  | 'order-corrected'
  | 'order-completed'
  | 'order-completed-unpaid'
  | 'order-cancelled'
  | 'order-cancelled-paid'
  | 'order-paid-cancelled'
  | 'order-disputed'
  | 'order-disputed-seen'
  | 'order-other-transaction'
  | 'order-deadline-extended'

/** Returns the email for a placed order. It names no deadline if the order can't be paid yet. */
export const placedMail = (order: OrderRow): OrderMail =>
  order.pay_before !== null ? 'order-placed' : 'order-placed-waiting'

/** Returns the email for a completed order. It mentions no payment for a gift. */
export const completedMail = ({ paid_amount }: Pick<OrderRow, 'paid_amount'>): OrderMail =>
  parseDecimal(paid_amount ?? '0') > 0n ? 'order-completed' : 'order-completed-unpaid'

const unknown = '–'

/**
 * Emails the owner of an order in their language, unless their account was erased. `before` is the order before a
 * correction.
 */
export async function notifyOwner(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  kind: OrderMail,
  { order, reason = '', before = order }: { order: OrderRow; reason?: string; before?: OrderRow },
): Promise<void> {
  const owner = await getMemberById(db, order.member_id)
  if (owner.erased_at) return
  await sendMail(db, keys, owner, kind, {
    reference: shownReference(order.reference),
    amount: order.amount === null ? unknown : `${shortDecimal(order.amount)} ${currencyOfOrder(order)}`,
    quantity: order.fab_qty === null ? unknown : `${shortDecimal(order.fab_qty)} ${brand.ticker}`,
    transaction: order.tx_id || unknown,
    address: order.fab_address || unknown,
    deadline: order.pay_before === null ? unknown : formatMoment(order.pay_before, owner.language),
    reason,
    changes: describeCorrection(before, order, owner.language),
    link: orderLink(config, order.id),
  })
}
