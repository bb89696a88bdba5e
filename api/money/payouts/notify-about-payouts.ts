import { shortDecimal, parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import brand from '#content/brand.json' with { type: 'json' }
import type { Tx } from '../../platform/db/database.ts'
import { sendMail, sendMails } from '../../platform/mail/send-mail.ts'
import { consume } from '../../platform/rate-limits/rate-limit.ts'
import type { Services } from '../../platform/services.ts'
import { orderLink, payoutLink, transfersLink } from '../../platform/site-links.ts'
import { formatDay } from '../../platform/text/format-time.ts'
import { shownReference } from '../../platform/text/order-reference.ts'
import { listFinanceOfficers } from '../../people/members/approver.queries.ts'
import { nameOfOfficer } from './candidate.queries.ts'
import { listOwnersOfDeliveries } from './delivered.queries.ts'
import { listPartsOfRun, type RunRow } from './payout.queries.ts'
import { listUnexplained } from './transfer.queries.ts'

type Needed = Pick<Services, 'keys' | 'config'>
type Notified = Pick<RunRow, 'id' | 'number' | 'items' | 'total' | 'hash'>

/** Maximum emails per hour about one officer's proposals. The rest still appear in the list. */
const mailedPerHourMax = 20

/** Lists the officers who can decide about a run: not its author, and nobody whom it pays. */
async function listSeconds(db: Tx, { keys, config }: Needed, runId: string, by: string) {
  const limit = { key: `tell second of payout ${by}`, max: mailedPerHourMax, window: HOUR }
  if ((await consume(db, keys, [limit])) !== undefined) return []
  const paid = (await listPartsOfRun(db, runId)).map(({ member_id }) => member_id)
  return (await listFinanceOfficers(db, config)).filter(({ id }) => id !== by && !paid.includes(id))
}

export async function notifyApproversOfRun(
  db: Tx,
  services: Needed,
  run: Notified,
  by: string,
): Promise<void> {
  const name = await nameOfOfficer(db, by)
  for (const officer of await listSeconds(db, services, run.id, by))
    await sendMail(db, services.keys, officer, 'staff-order-payout-second', {
      number: run.number,
      name,
      quantity: `${shortDecimal(run.total)} ${brand.ticker}`,
      count: String(run.items),
      hash: run.hash,
      link: payoutLink(services.config, run.id),
    })
}

export async function notifyAboutCancel(
  db: Tx,
  services: Needed,
  run: Pick<Notified, 'id' | 'number'>,
  { by, reason }: { by: string; reason: string },
): Promise<void> {
  const name = await nameOfOfficer(db, by)
  for (const officer of await listSeconds(db, services, run.id, by))
    await sendMail(db, services.keys, officer, 'staff-order-payout-cancel', {
      number: run.number,
      name,
      reason,
      link: payoutLink(services.config, run.id),
    })
}

/** Emails finance once a day while transfers prove no delivery. */
export async function notifyAboutTransfers(db: Tx, { keys, config }: Needed): Promise<void> {
  const { length } = await listUnexplained(db)
  if (length === 0) return
  if ((await consume(db, keys, [{ key: 'tell of transfers', max: 1, window: DAY }])) !== undefined) return
  for (const officer of await listFinanceOfficers(db, config))
    await sendMail(db, keys, officer, 'staff-order-payout-unmatched', {
      count: String(length),
      link: transfersLink(config),
    })
}

type Confirmed = { delivery_id: string; address: string; amount: string; tx_id: string }

/**
 * Emails the members that tokens arrived, except those whose accounts were erased. One email covers the deliveries of an
 * order that are confirmed together.
 */
export async function notifyOwnersOfDeliveries(
  db: Tx,
  { keys, config }: Needed,
  items: readonly Confirmed[],
): Promise<void> {
  const byDelivery = new Map(items.map((item) => [item.delivery_id, item]))
  const owners = await listOwnersOfDeliveries(db, [...byDelivery.keys()])
  const letters = owners.map((owner) => {
    const confirmed = owner.delivery_ids.map((id) => byDelivery.get(id)!)
    const each = (of: (item: Confirmed) => string) => [...new Set(confirmed.map(of))].join(', ')
    const sum = confirmed.reduce((total, { amount }) => total + parseDecimal(amount), 0n)
    return {
      reader: owner,
      values: {
        reference: shownReference(owner.reference),
        quantity: tokens(sum),
        address: each(({ address }) => address),
        transaction: each(({ tx_id: txId }) => txId),
        // The email leaves out lines about what isn't there.
        locked: parseDecimal(owner.undelivered) === 0n ? '' : tokens(parseDecimal(owner.undelivered)),
        next: owner.next_amount === null ? '' : tokens(parseDecimal(owner.next_amount)),
        due: owner.next_due === null ? '' : formatDay(owner.next_due, owner.language),
        link: orderLink(config, owner.order_id),
      },
    }
  })
  await sendMails(db, keys, 'order-delivery-confirmed', letters)
}

const tokens = (quantity: bigint): string => `${writeDecimal(quantity)} ${brand.ticker}`
