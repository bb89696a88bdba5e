import { HOUR } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import { sendMail } from '../mail/send-mail.ts'
import { listFinanceOfficers } from '../members/finance-officer.queries.ts'
import { consume } from '../rate-limits/rate-limit.ts'
import type { Services } from '../services.ts'
import { consoleOrderLink } from '../site-links.ts'
import { markFinanceTold } from './order-staff.queries.ts'
import type { OrderRow } from './order.queries.ts'
import { shownReference } from './present-order.ts'

/** One member’s orders fill nobody’s mailbox; what is not mailed is flagged all the same. */
const mailedPerHourMax = 5

/** Mails whoever may decide on the order that it waits for them: once, whatever happens to it later. */
export async function tellFinance(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  order: OrderRow,
  kind: 'staff-order-late' | 'staff-order-disputed' | 'staff-order-disputed-seen',
): Promise<void> {
  if (order.finance_told_at) return
  const limit = { key: `tell finance ${order.member_id}`, max: mailedPerHourMax, window: HOUR }
  if ((await consume(db, keys, [limit])) !== undefined) return
  await markFinanceTold(db, order.id)
  const values = { reference: shownReference(order.reference), link: consoleOrderLink(config, order.id) }
  for (const officer of await listFinanceOfficers(db, config))
    // Nobody decides on an order of their own.
    if (officer.id !== order.member_id) await sendMail(db, keys, officer, kind, values)
}
