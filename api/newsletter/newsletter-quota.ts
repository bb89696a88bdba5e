import { DAY, HOUR } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { mailboxOf } from '../mail/email-quota.ts'
import { consume, countOne, refund } from '../rate-limits/rate-limit.ts'

const perAddressMax = 3
/** Of one client to one address. */
const perClientMax = 2
const reserveMax = 1

/**
 * Whether one more email may be sent to the mailbox because someone typed its address, with any tag. Three a
 * day are allowed, plus one for a client that triggered none that day, so that one stranger can't block its
 * reader. If no email is sent the permit is refunded.
 */
export async function consumeNewsletterQuota(
  db: Tx,
  keys: Keys,
  { email, client }: { email: string; client: string },
): Promise<{ giveBack: () => Promise<void> } | undefined> {
  const mailbox = mailboxOf(email)
  const ofClient = { key: `newsletter ${mailbox} ${client}`, max: perClientMax, window: HOUR }
  const ofClientToday = { key: `newsletter today ${mailbox} ${client}`, max: perAddressMax, window: DAY }
  const ofAddress = { key: `newsletter ${mailbox}`, max: perAddressMax, window: DAY }
  const reserve = { key: `newsletter reserve ${mailbox}`, max: reserveMax, window: DAY }
  const { wait } = await countOne(db, keys, ofClient)
  const { count } = await countOne(db, keys, ofClientToday)
  const counted = [ofClient, ofClientToday]
  if (wait === undefined)
    for (const limit of count === 1 ? [ofAddress, reserve] : [ofAddress]) {
      if ((await consume(db, keys, [limit])) === undefined)
        return { giveBack: () => refund(db, keys, [...counted, limit]) }
      await refund(db, keys, [limit])
    }
  await refund(db, keys, counted)
  return undefined
}
