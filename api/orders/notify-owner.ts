import { shortDecimal } from '#contract/decimal.ts'
import type { Tx } from '../db/database.ts'
import type { MemberContext } from '../http/handler.ts'
import { sendMail } from '../mail/send-mail.ts'
import { orderLink } from '../site-links.ts'
import { getMemberById } from '../members/member.queries.ts'
import type { OrderRow } from './order.queries.ts'
import { shownReference } from './present-order.ts'

type OrderMail = 'order-placed' | 'order-payment-reported' | 'order-completed' | 'order-cancelled'

/** Mails the owner of an order in their language, unless their account was erased. */
export async function notifyOwner(
  db: Tx,
  { keys, config }: Pick<MemberContext, 'keys' | 'config'>,
  order: OrderRow,
  kind: OrderMail,
): Promise<void> {
  const owner = await getMemberById(db, order.member_id)
  if (owner.erased_at) return
  await sendMail(db, keys, owner, kind, {
    reference: shownReference(order.reference),
    amount:
      [order.amount === null ? '' : shortDecimal(order.amount), order.pay_method].join(' ').trim() || '–',
    quantity: order.fab_qty === null ? '–' : shortDecimal(order.fab_qty),
    transaction: order.tx_id || '–',
    link: orderLink(config, order.id),
  })
}
