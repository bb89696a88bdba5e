import { HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { consume, countOne, resetCounts, refund, type Limit } from '../rate-limits/rate-limit.ts'
import { Refused } from '../refused.ts'

/** The kinds of email that someone without an account can trigger. */
export type MailSort = 'activation' | 'reset' | 'email-change' | 'ambassador' | 'contact' | 'sale-reminder'

/** As long as a password link is valid, in milliseconds. */
const window = 30 * MINUTE
const perClientMax = 3
const perAddressMax = 5
const reserveMax = 1

/** Forms that anyone can fill in with any address. */
const forms = ['ambassador', 'contact', 'sale-reminder'] as const

/**
 * How emails are counted: for an account that was once activated; for an address without an account, where
 * someone signs up; for an address without a sign-up, which gets no email; at equal cost, for requests that
 * need no count; and for forms, whose emails give no access and must take no room from emails with codes.
 */
type Counted = 'account' | 'new' | 'nobody' | 'uncounted' | (typeof forms)[number]

/** `ownerId` is the member with that address, set if only the owner can have asked, and for a link. */
type Asked = { email: string; client: string; sort: MailSort; of: Counted; ownerId?: string | undefined }

/**
 * Whether one more email of the kind may be sent to the address. Counted outside the transaction of the email.
 *
 * A client can trigger three emails to an address, whatever their kind, and a password link if none was among
 * them. The reserve of a kind is for a client that has triggered none yet; for a link, none with a link. So a
 * link is refused only while an emailed one still works, and the owner of the mailbox can always get in, even
 * from the network of an attacker. The link belongs to the owner of the address: none was sent while it had no
 * owner, so a later owner still has it.
 */
export async function consumeEmailQuota(db: Tx, keys: Keys, asked: Asked): Promise<boolean> {
  return (await waitForPermit(db, keys, asked)) === undefined
}

/** Like `consumeEmailQuota`, but refuses with `rate_limited`, for signed-in callers, who may know. */
export async function requireEmailQuota(db: Tx, keys: Keys, asked: Asked): Promise<void> {
  const retryAfterSeconds = await waitForPermit(db, keys, asked)
  if (retryAfterSeconds !== undefined) throw new Refused('rate_limited', { retryAfterSeconds })
}

/**
 * After a reset no emailed link works anymore. Using one proves access to the mailbox, so the client's next
 * request counts as its first.
 */
export const refundLinkQuota = (db: Tx, keys: Keys, asked: Omit<Asked, 'sort'>): Promise<void> =>
  resetCounts(db, keys, [keyOfAll(asked), keyOfLinks(asked), keyOfReserve({ ...asked, sort: 'reset' })])

/** The owner of an address has a separate reserve, whatever else is sent to the same mailbox. */
const placeOf = ({ email, ownerId }: Pick<Asked, 'email' | 'ownerId'>): string =>
  ownerId === undefined ? mailboxOf(email) : `${email} ${ownerId}`

/** All forms share the limits of an address. Otherwise, each form would add as many emails to a stranger's mailbox. */
const countOf = (of: Counted): string => (forms.some((form) => form === of) ? 'form' : of)

const keyOfAddress = ({ of, email }: Pick<Asked, 'of' | 'email'>) => `mail ${countOf(of)} ${mailboxOf(email)}`
const keyOfAll = ({ client, ...asked }: Omit<Asked, 'sort'>) => `${keyOfAddress(asked)} ${client}`
const keyOfLinks = ({ of, client, ...asked }: Omit<Asked, 'sort'>) =>
  `mail ${of} reset ${placeOf(asked)} ${client}`
const keyOfReserve = ({ of, sort, ...asked }: Omit<Asked, 'client'>) =>
  `mail ${of} reserve ${sort} ${placeOf(asked)}`

async function waitForPermit(db: Tx, keys: Keys, asked: Asked): Promise<number | undefined> {
  const { sort } = asked
  const ofAll = { key: keyOfAll(asked), max: perClientMax, window }
  const ofLinks = { key: keyOfLinks(asked), max: perClientMax, window }
  const counted = sort === 'reset' ? [ofAll, ofLinks] : [ofAll]
  const inAll = await countOne(db, keys, ofAll)
  const isFirst = (sort === 'reset' ? await countOne(db, keys, ofLinks) : inAll).count === 1
  if (inAll.wait !== undefined && !isFirst) return inAll.wait
  const wait = await consume(db, keys, [{ key: keyOfAddress(asked), max: perAddressMax, window: HOUR }])
  if (wait === undefined) return undefined
  if (isFirst && (await consume(db, keys, reserveOf(asked))) === undefined) return undefined
  // No email was sent, so the client's next request counts as its first.
  await refund(db, keys, counted)
  return Math.min(wait, window / SECOND)
}

/**
 * Reserved for the owner. Any member may request a change to an address, so each has a separate reserve of a
 * few per hour: others who only claim to move there can't block the real one.
 */
function reserveOf(asked: Asked): Limit[] {
  const key = keyOfReserve(asked)
  if (asked.sort !== 'email-change' || asked.ownerId !== undefined) return [{ key, max: reserveMax, window }]
  return [
    { key: `${key} ${asked.client}`, max: reserveMax, window },
    { key, max: perAddressMax, window: HOUR },
  ]
}

/** Providers whose mailboxes ignore dots in the name. */
const dotless: Readonly<Record<string, string>> = { 'gmail.com': 'gmail.com', 'googlemail.com': 'gmail.com' }

/**
 * The mailbox that an address most likely belongs to, for counting emails only: accounts with different addresses stay different.
 * What follows a plus sign is a tag of its owner's; a server that takes it for part of the name shares its limit with its neighbors.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  const name = email.slice(0, at).toLowerCase()
  const untagged = name.replace(/(?<=.)\+.*$/s, '')
  const provider = dotless[domain]
  return provider === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '')}@${provider}`
}
