import { HOUR, MINUTE, SECOND } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { consume, countOne, forgetCounts, refund, type Limit } from '../rate-limits/rate-limit.ts'
import { Refused } from '../refused.ts'
import { mailboxOf } from './mailbox-of.ts'

/** The sorts of mail that somebody without an account can cause. */
export type MailSort = 'activation' | 'reset' | 'email-change' | 'ambassador'

/** As long as the life of a link to set a password. */
const window = 30 * MINUTE
const perClientMax = 3
const perAddressMax = 5
const reserveMax = 1

/**
 * Whose mails are counted: of an account that was activated once; of an address as if it had no account, where somebody signs up
 * or has; of one that nobody signed up with, which mails nobody; at equal cost, of what need not be counted; and of the form for
 * ambassadors, whose receipts open no account and take no room from mails with codes.
 */
export type Counted = 'account' | 'new' | 'nobody' | 'uncounted' | 'ambassador'

/** `ownerId` is of the member with that address: given where only the owner can have asked, and for a link. */
type Asked = { email: string; client: string; sort: MailSort; of: Counted; ownerId?: string | undefined }

/**
 * Whether one more mail of the sort may go to the address. Counted outside the transaction of the mail.
 *
 * A client causes three mails to an address, whatever their sort, and a link to set the password if none was among them.
 * The reserve of a sort is for a client that has caused none yet; for a link, none with a link. So a link is refused only
 * while one that was mailed still works: whoever reads the mailbox always gets in, also from the network of who fills it.
 * The link belongs to the owner of the address: nothing was mailed while it had none, and a later one has it still.
 */
export async function takeMailPermit(db: Tx, keys: Keys, asked: Asked): Promise<boolean> {
  return (await waitForPermit(db, keys, asked)) === undefined
}

/** As `takeMailPermit`, refusing with `rate_limited`: for who is signed in, and may know. */
export async function requireMailPermit(db: Tx, keys: Keys, asked: Asked): Promise<void> {
  const retryAfterSeconds = await waitForPermit(db, keys, asked)
  if (retryAfterSeconds !== undefined) throw new Refused('rate_limited', { retryAfterSeconds })
}

/**
 * After a reset no mailed link works any more: whoever used one reads the mailbox, and the next request of the client is its
 * first again.
 */
export const giveBackLinkPermits = (db: Tx, keys: Keys, asked: Omit<Asked, 'sort'>): Promise<void> =>
  forgetCounts(db, keys, [keyOfAll(asked), keyOfLinks(asked), keyOfReserve({ ...asked, sort: 'reset' })])

/** The owner of an address keeps a reserve of their own, whatever else is mailed to the same mailbox. */
const placeOf = ({ email, ownerId }: Pick<Asked, 'email' | 'ownerId'>): string =>
  ownerId === undefined ? mailboxOf(email) : `${email} ${ownerId}`

const keyOfAll = ({ of, email, client }: Omit<Asked, 'sort'>) => `mail ${of} ${mailboxOf(email)} ${client}`
const keyOfLinks = ({ of, client, ...asked }: Omit<Asked, 'sort'>) =>
  `mail ${of} reset ${placeOf(asked)} ${client}`
const keyOfReserve = ({ of, sort, ...asked }: Omit<Asked, 'client'>) =>
  `mail ${of} reserve ${sort} ${placeOf(asked)}`

async function waitForPermit(db: Tx, keys: Keys, asked: Asked): Promise<number | undefined> {
  const { email, sort, of } = asked
  const ofAll = { key: keyOfAll(asked), max: perClientMax, window }
  const ofLinks = { key: keyOfLinks(asked), max: perClientMax, window }
  const counted = sort === 'reset' ? [ofAll, ofLinks] : [ofAll]
  const inAll = await countOne(db, keys, ofAll)
  const isFirst = (sort === 'reset' ? await countOne(db, keys, ofLinks) : inAll).count === 1
  if (inAll.wait !== undefined && !isFirst) return inAll.wait
  const wait = await consume(db, keys, [
    { key: `mail ${of} ${mailboxOf(email)}`, max: perAddressMax, window: HOUR },
  ])
  if (wait === undefined) return undefined
  if (isFirst && (await consume(db, keys, reserveOf(asked))) === undefined) return undefined
  // Nothing was mailed: the next request of the client is its first again.
  await refund(db, keys, counted)
  return Math.min(wait, window / SECOND)
}

/**
 * One for the owner alone. Any member may ask to change to an address, so there each has one of their own, a few of them in an
 * hour: who would move there is not kept out by one who only says so.
 */
function reserveOf(asked: Asked): Limit[] {
  const key = keyOfReserve(asked)
  if (asked.sort !== 'email-change' || asked.ownerId !== undefined) return [{ key, max: reserveMax, window }]
  return [
    { key: `${key} ${asked.client}`, max: reserveMax, window },
    { key, max: perAddressMax, window: HOUR },
  ]
}
