import { HOUR } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import { sendMail } from '../mail/send-mail.ts'
import { listFinanceOfficers } from '../members/finance-officer.queries.ts'
import { consume } from '../rate-limits/rate-limit.ts'
import type { Services } from '../services.ts'
import { consoleOrderLink } from '../site-links.ts'
import { markFinanceNotified } from './order-staff.queries.ts'
import type { OrderRow } from './order.queries.ts'
import { shownReference } from './present-order.ts'

/**
 * Maximum emails per hour about one member's orders, so that they can't flood a mailbox. Flags are still set for the
 * rest.
 */
const mailedPerHourMax = 5

/** Emails the officers who may decide on the order that it awaits them, once per order. */
export async function notifyFinance(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  order: OrderRow,
  kind: 'staff-order-late' | 'staff-order-disputed' | 'staff-order-disputed-seen',
): Promise<void> {
  if (order.finance_told_at) return
  const limit = { key: `tell finance ${order.member_id}`, max: mailedPerHourMax, window: HOUR }
  if ((await consume(db, keys, [limit])) !== undefined) return
  await markFinanceNotified(db, order.id)
  const values = { reference: shownReference(order.reference), link: consoleOrderLink(config, order.id) }
  for (const officer of await listFinanceOfficers(db, config))
    // Officers can't decide on their own orders.
    if (officer.id !== order.member_id) await sendMail(db, keys, officer, kind, values)
}
