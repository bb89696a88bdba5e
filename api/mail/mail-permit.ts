import { HOUR, MINUTE } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { consume, type Limit } from '../rate-limits/rate-limit.ts'

/**
 * The sorts of mail that somebody without an account can cause. Each has a reserve of its own, so that using up one sort
 * does not silence the others. A window of resets is as long as the life of a link: while no other link is mailed, one that
 * was mailed still works, so whoever reads the mailbox always gets in.
 */
const sorts = {
  activation: { window: HOUR, reserve: 2 },
  reset: { window: 30 * MINUTE, reserve: 2 },
  'email-change': { window: HOUR, reserve: 2 },
  ambassador: { window: HOUR, reserve: 0 },
} as const
export type MailSort = keyof typeof sorts

const perClientMax = 3
const perAddressMax = 5

/**
 * Whether one more mail of the sort may go to the address. Counted in the same way for known and unknown addresses, before
 * anything is looked up, and outside the transaction of the mail.
 */
export async function takeMailPermit(
  db: Tx,
  keys: Keys,
  { email, client, sort }: { email: string; client: string; sort: MailSort },
): Promise<boolean> {
  const { window, reserve } = sorts[sort]
  const isWithin = async (limit: Limit) => (await consume(db, keys, [limit])) === undefined
  if (!(await isWithin({ key: `mail ${sort} ${email} ${client}`, max: perClientMax, window }))) return false
  if (await isWithin({ key: `mail ${email}`, max: perAddressMax, window: HOUR })) return true
  return isWithin({ key: `mail reserve ${sort} ${email}`, max: reserve, window })
}
