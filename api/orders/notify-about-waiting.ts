import { reportWaitMax } from '#contract/console-orders.ts'
import { DAY } from '#contract/durations.ts'
import { transaction, type Tx } from '../db/database.ts'
import { sendMail } from '../mail/send-mail.ts'
import { listFinanceOfficers } from '../members/finance-officer.queries.ts'
import { consume } from '../rate-limits/rate-limit.ts'
import { listSaleWatchers } from '../sale/sale.queries.ts'
import type { Services } from '../services.ts'
import { consoleLink, flaggedOrdersLink, saleLink } from '../site-links.ts'
import { lockLongWaiting, lockNotPayable, markNotified } from './waiting-order.queries.ts'

type Needed = Pick<Services, 'db' | 'keys' | 'config'>

/**
 * Notifies staff of waiting orders: each order once, all current ones in a single email, and at most one email a day.
 * The rest stay in the list for the next email. The order is marked and the email queued in one transaction.
 */
export async function notifyAboutWaiting(services: Needed): Promise<void> {
  await tell(services, 'long_wait_told_at', (db) => lockLongWaiting(db, reportWaitMax), mailOfLongWaiting)
  await tell(services, 'not_payable_told_at', lockNotPayable, mailOfNotPayable)
}

const tell = (
  services: Needed,
  column: Parameters<typeof markNotified>[2],
  lock: (db: Tx) => Promise<string[]>,
  mail: (db: Tx, services: Needed, count: string) => Promise<void>,
): Promise<void> =>
  transaction(services.db, async (db) => {
    const ids = await lock(db)
    if (ids.length === 0) return
    const limit = { key: `tell of waiting orders ${column}`, max: 1, window: DAY }
    if ((await consume(db, services.keys, [limit])) !== undefined) return
    await markNotified(db, ids, column)
    await mail(db, services, String(ids.length))
  })

async function mailOfLongWaiting(db: Tx, { keys, config }: Needed, count: string): Promise<void> {
  const values = { count, link: flaggedOrdersLink(config, 'waits_long') }
  for (const officer of await listFinanceOfficers(db, config))
    await sendMail(db, keys, officer, 'staff-orders-waiting', values)
}

/**
 * Emails those who can act on orders that can't be paid: price editors can set addresses, finance can correct the
 * order, and an administrator without either role can grant one.
 */
async function mailOfNotPayable(db: Tx, { keys, config }: Needed, count: string): Promise<void> {
  const officers = await listFinanceOfficers(db, config)
  const isOfficer = new Set(officers.map(({ id }) => id))
  const others = (await listSaleWatchers(db)).filter(({ id }) => !isOfficer.has(id))
  const tell = (reader: Parameters<typeof sendMail>[2], link: string) =>
    sendMail(db, keys, reader, 'staff-orders-not-payable', { count, link })
  for (const officer of officers) await tell(officer, flaggedOrdersLink(config, 'not_payable'))
  for (const other of others)
    await tell(other, other.manage_coins >= 1 ? saleLink(config) : consoleLink(config))
}
