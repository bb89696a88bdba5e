import { shortDecimal } from '#contract/decimal.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import type { Tx } from '../db/database.ts'
import type { MemberContext } from '../http/handler.ts'
import { sendMail } from '../mail/send-mail.ts'
import { orderLink } from '../site-links.ts'
import { getMemberById } from '../members/member.queries.ts'
import type { OrderRow } from './order.queries.ts'
import { shownReference } from './present-order.ts'

type OrderMail = 'order-placed' | 'order-payment-reported' | 'order-completed' | 'order-cancelled'

/** Each step is mailed to the order's owner in their language; not to who has left. */
export async function tellOwner(
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

export const auditOrder = (
  db: Tx,
  actorId: string,
  action: string,
  id: string,
  detail: { status?: string; fields?: string[] } = {},
): Promise<void> => recordAudit(db, { actorId, action, subjectKind: 'order', subjectId: id, detail })
