import { sql, type SqlBool } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { Tx } from '../db/database.ts'
import type { MailState } from '../db/rows.ts'
import { ago, fromNow } from '../db/expressions.ts'
import {
  claimed,
  ended,
  isClaimedBy,
  isHeld,
  newTry,
  released,
  type Claim,
} from '../outbox/outbox.queries.ts'
import type { MailFailure } from './mail-failure.ts'
import { type MailKind, newsKinds } from './mail-kinds.ts'
import { isDeliveryOn } from './pause/mail-pause.queries.ts'
import {
  insertNotifications,
  insertNotificationsSql,
  type NewNotification,
} from './notifications/notification.queries.ts'

const triesMax = 50

const now = sql<Date>`now()`
type NewMail = { id: string; toAddress: string; kind: string; sealedMessage: Buffer; language?: Language }

const newRow = (mail: NewMail) => ({
  id: mail.id,
  to_address: mail.toAddress,
  kind: mail.kind,
  sealed_message: mail.sealedMessage,
  language: mail.language ?? null,
  member_id: sql<string | null>`(select member.id from member where member.email = ${mail.toAddress})`,
})

export async function insertMail(db: Tx, mail: NewMail): Promise<void> {
  await insertMails(db, [mail])
}

export async function insertMails(db: Tx, mails: readonly NewMail[]): Promise<void> {
  await db.insertInto('mail').values(mails.map(newRow)).execute()
}

/** Inserts emails and notifications in one statement. */
export async function insertMailsWithNotifications(
  db: Tx,
  mails: readonly NewMail[],
  notifications: readonly NewNotification[],
): Promise<void> {
  if (mails.length === 0) return insertNotifications(db, notifications)
  if (notifications.length === 0) return insertMails(db, mails)
  await db
    .with('notified', () => sql`(${insertNotificationsSql(notifications)})`)
    .insertInto('mail')
    .values(mails.map(newRow))
    .execute()
}

/**
 * They will never be sent again, so their texts are deleted. One being sent leaves only if the server has
 * already asked for the message; its attempt then ends without a retry.
 */
export async function discardEmails(db: Tx, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('mail')
    .set({
      state: sql<MailState>`case when state = 'waiting' then 'stopped' else state end`,
      changed_at: sql<Date>`case when state = 'waiting' then now() else changed_at end`,
      sealed_message: null,
    })
    .where(sql<SqlBool>`id = any (${ids}::text[])`)
    .where('state', 'in', ['waiting', 'failed', 'stopped'])
    .execute()
}

/** A dropped email that nobody is sending: it stays the same email, with its `Message-ID`. */
export async function rewriteDiscardedEmail(db: Tx, mail: NewMail): Promise<void> {
  const { id, ...row } = newRow(mail)
  await db
    .updateTable('mail')
    .set({
      ...row,
      state: 'waiting',
      next_try_at: now,
      changed_at: now,
      claimed_until: null,
      last_error: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'stopped')
    .execute()
}

/** Columns of a claim, which ends when the email is due again. */
const leaseOf = (lease: number) => ({ next_try_at: fromNow(lease), claimed_until: fromNow(lease) })

/** Its age by the clock of the database. */
const ageMs = sql<string>`extract(epoch from now() - created_at) * 1000`.as('age_ms')

/** The Message-ID of the first attempt, even if settings have changed since. */
const messageIdAt = (host: string) =>
  sql<string>`coalesce(message_id, '<' || id || '@' || ${host}::text || '>')`

/** Inserted as already claimed: no worker takes it during the lease. */
export const insertClaimedMail = (db: Tx, mail: NewMail, lease: number) =>
  db
    .insertInto('mail')
    .values({ ...newRow(mail), attempts: 1, tries: newTry, ...leaseOf(lease) })
    .returningAll()
    .returning(ageMs)
    .executeTakeFirstOrThrow()

/**
 * Claims one due email for `lease` milliseconds: other workers skip it, and after a crash it becomes due again.
 * `among`: emails that someone waits for, or newsletters, of which few are in the outbox at a time.
 */
export const claimDueMail = (db: Tx, lease: number, host: string, among: 'ordinary' | 'news' = 'ordinary') =>
  db
    .updateTable('mail')
    .set({
      ...claimed(lease, triesMax),
      ...leaseOf(lease),
      message_id: messageIdAt(host),
    })
    .where('id', '=', (query) =>
      query
        .selectFrom('mail')
        .select('id')
        // A literal, as in the indexes: after an outage thousands of newsletters are due, and all would be
        // scanned.
        .where('state', '=', sql.lit('waiting'))
        .where('next_try_at', '<=', sql<Date>`now()`)
        .where(isDeliveryOn)
        .where(
          sql<SqlBool>`kind ${sql.raw(among === 'news' ? 'in' : 'not in')} (${sql.join(newsKinds.map((kind) => sql.lit(kind)))})`,
        )
        .orderBy('next_try_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .returning(ageMs)
    .executeTakeFirst()

export type ClaimedMail = NonNullable<Awaited<ReturnType<typeof claimDueMail>>>

/** Extends the claim while the server accepts the message. False if another worker has claimed it. */
export async function extendClaim(db: Tx, claim: Claim, lease: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mail')
    .set(leaseOf(lease))
    .where(isHeld(claim))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Releases a claim if nothing was sent. */
export async function releaseMail(db: Tx, claim: Claim): Promise<void> {
  await db.updateTable('mail').set(released).where(isHeld(claim)).execute()
}

export async function releaseMailsOf(db: Tx, instanceIds: readonly string[]): Promise<void> {
  await db.updateTable('mail').set(released).where(isClaimedBy(instanceIds)).execute()
}

/** A report about the last attempt arrived, perhaps before the server’s answer was recorded. */
export const hasComeBack = sql<boolean>`tries -> -1 ->> 'step' = 'REPORT'`

/**
 * The message contains codes and names, so it is deleted once delivered. A delivery counts even if the worker's
 * claim had expired, unless the email has been returned since.
 */
export async function markMailSent(db: Tx, { id }: Claim): Promise<void> {
  await db
    .updateTable('mail')
    .set({
      state: sql<MailState>`case when ${hasComeBack} then 'failed'::mail_state else 'sent' end`,
      sent_at: now,
      ...ended({}),
      sealed_message: null,
      last_error: sql<string | null>`case when ${hasComeBack} then last_error end`,
    })
    .where('id', '=', id)
    .execute()
}

/** Neither this nor giving up affects an email that another worker has claimed since. */
export async function postponeMail(db: Tx, claim: Claim, wait: number, failure: MailFailure): Promise<void> {
  await endClaim(db, claim, failure)
    .set({ next_try_at: fromNow(wait) })
    .execute()
}

/** The message is kept so that it can be resent, unless its code has expired. */
export async function markMailFailed(
  db: Tx,
  claim: Claim,
  failure: MailFailure,
  options: { isErased: boolean },
): Promise<void> {
  await endClaim(db, claim, failure)
    .set({ state: sql<MailState>`case when state = 'waiting' then 'failed' else state end` })
    .$if(options.isErased, (query) => query.set({ sealed_message: null }))
    .execute()
}

/** One that was stopped meanwhile stays stopped. */
const endClaim = (db: Tx, { id, attempts }: Claim, failure: MailFailure) =>
  db
    .updateTable('mail')
    .set({ ...ended(failure), last_error: failure.error })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where(sql<SqlBool>`(state = 'waiting' or (state = 'stopped' and claimed_until is not null))`)

/** Emails that are neither sent nor waiting, and whose code has expired. */
export async function eraseExpiredMessages(db: Tx, lives: Readonly<Record<string, number>>): Promise<void> {
  await db
    .updateTable('mail')
    .set({ sealed_message: null })
    .where('state', '!=', 'sent')
    .where('state', 'in', ['failed', 'stopped'])
    .where('sealed_message', 'is not', null)
    .where(({ or, and, eb }) =>
      or(
        Object.entries(lives).map(([kind, life]) =>
          and([eb('kind', '=', kind), eb('created_at', '<', ago(life))]),
        ),
      ),
    )
    .execute()
}

export const listLatestMails = (db: Tx, limit: number) =>
  db
    .selectFrom('mail')
    .selectAll()
    .where('sealed_message', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()

type Owner = { id: string; email: string; address_proved_at: Date | null }

/** Meant for the reader of a mailbox, whether or not someone signed up with its address. */
const isForMailbox = sql<SqlBool>`(mail.kind like 'ambassador-%' or mail.kind like 'news%'
  or mail.kind like 'contact-%' or mail.kind like 'reminder-%'
  or mail.kind in ('email-confirm', 'email-change-confirm', 'staff-invitation'))`

/**
 * Emails to the member at any address and, once the mailbox is verified, everything sent to it. Before that the
 * account may be a stranger’s.
 */
const isMailOf = ({ id, email, address_proved_at }: Owner) =>
  address_proved_at
    ? sql<SqlBool>`(mail.member_id = ${id} or mail.to_address = ${email})`
    : sql<SqlBool>`(mail.member_id = ${id} and not ${isForMailbox})`

/** Without their messages, which are deleted once sent. */
export const listMailsOf = (db: Tx, member: Owner) =>
  db
    .selectFrom('mail')
    .select(['kind', 'state', 'created_at', 'sent_at'])
    .where(isMailOf(member))
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const deleteOldMails = (db: Tx) =>
  db
    .deleteFrom('mail')
    .where('created_at', '<', ago(30 * DAY))
    .execute()

/** All emails of the ambassador program to the address, including undelivered ones. */
export async function deleteAmbassadorMailsTo(db: Tx, address: string): Promise<void> {
  await db
    .deleteFrom('mail')
    .where('to_address', '=', address)
    .where('kind', 'like', 'ambassador-%')
    .execute()
}

/** All emails to the member except the notice of the erasure, which no longer belongs to anyone. */
export async function eraseMailsOf(db: Tx, member: Owner, exceptKind?: MailKind): Promise<void> {
  await db
    .deleteFrom('mail')
    .where(isMailOf(member))
    .$if(exceptKind !== undefined, (query) => query.where('kind', '!=', exceptKind!))
    .execute()
  await db.updateTable('mail').set({ member_id: null }).where('member_id', '=', member.id).execute()
}
