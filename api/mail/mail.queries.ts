import { sql, type SqlBool } from 'kysely'
import { DAY } from '#contract/durations.ts'
import type { Language } from '#contract/fields.ts'
import type { Tx } from '../db/database.ts'
import type { JsonArray, MailState } from '../db/rows.ts'
import { ago, fromNow } from '../db/time.ts'
import { instance } from '../jobs/instance.ts'
import type { MailFailure } from './mail-failure.ts'
import { newsKinds } from './news-kinds.ts'
import type { MailKind } from './render-mail.ts'

const triesMax = 50

const now = sql<Date>`now()`
/** As times are written on the wire. */
const isoNow = sql`to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

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

/**
 * Nobody sends them any more, nor again, so their texts go. What a worker has in hand leaves only if the server has asked for the
 * message already; its attempt ends as those of mails that wait, without another one.
 */
export async function dropMails(db: Tx, ids: readonly string[]): Promise<void> {
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

/** Of one that was dropped and that nobody has in hand: it stays the same mail, under its `Message-ID`. */
export async function rewriteDroppedMail(db: Tx, mail: NewMail): Promise<void> {
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

/** An attempt that begins now, in this instance. */
const newTry = sql<JsonArray>`jsonb_build_array(jsonb_build_object('at', ${isoNow}, 'by', ${instance.id}::text))`

const claimOf = (lease: number) => ({
  next_try_at: fromNow(lease),
  claimed_until: fromNow(lease),
})

/** How old it is, by the clock of the database. */
const ageMs = sql<string>`extract(epoch from now() - created_at) * 1000`.as('age_ms')

/** The one of the first attempt, whatever the settings became since. */
const messageIdAt = (host: string) =>
  sql<string>`coalesce(message_id, '<' || id || '@' || ${host}::text || '>')`

/** Written for whoever has it in hand already: no worker takes it while the lease lasts. */
export const insertClaimedMail = (db: Tx, mail: NewMail, lease: number) =>
  db
    .insertInto('mail')
    .values({ ...newRow(mail), attempts: 1, tries: newTry, ...claimOf(lease) })
    .returningAll()
    .returning(ageMs)
    .executeTakeFirstOrThrow()

/**
 * Claims one due mail for `lease` milliseconds: other workers skip it, and after a crash it becomes due again. `among`: those that
 * somebody waits for, or news, of which few are in the outbox at a time.
 */
export const claimDueMail = (db: Tx, lease: number, host: string, among: 'ordinary' | 'news' = 'ordinary') =>
  db
    .updateTable('mail')
    .set({
      attempts: sql`attempts + 1`,
      // Of a mail that is sent again and again, the last attempts tell enough.
      tries: sql<JsonArray>`case when jsonb_array_length(tries) >= ${triesMax} then tries - 0 else tries end || ${newTry}`,
      changed_at: now,
      message_id: messageIdAt(host),
      ...claimOf(lease),
    })
    .where('id', '=', (query) =>
      query
        .selectFrom('mail')
        .select('id')
        // Written out, as the indexes have it: after an outage thousands of news are due, and would all be passed by.
        .where('state', '=', sql.lit('waiting'))
        .where('next_try_at', '<=', sql<Date>`now()`)
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
type Claim = Pick<ClaimedMail, 'id' | 'attempts'>

/** Holds the claim while the server takes the message. False where it is another worker’s by now. */
export async function extendClaim(db: Tx, { id, attempts }: Claim, lease: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mail')
    .set(claimOf(lease))
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** For whoever comes next, at once: nothing of it has left. */
export async function releaseMail(db: Tx, { id, attempts }: Claim): Promise<void> {
  await db
    .updateTable('mail')
    .set({ next_try_at: now, claimed_until: null })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .execute()
}

/** Claims of instances that are gone. Whoever claims one next repeats the attempt, as it would once the lease had expired. */
export async function releaseMailsOf(db: Tx, instanceIds: readonly string[]): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('mail')
    .set({ next_try_at: now, claimed_until: null })
    // Written out, as the index has it: a claim ends when the mail is due again.
    .where('state', '=', sql.lit('waiting'))
    .where('next_try_at', '>', now)
    .where('claimed_until', '>', now)
    .where(sql<SqlBool>`tries -> -1 ->> 'by' = any (${instanceIds}::text[])`)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export const endOfTry = (outcome: object) =>
  sql<JsonArray>`jsonb_set(tries, '{-1}', coalesce(tries -> -1, '{}') || jsonb_build_object('endedAt', ${isoNow}) || ${JSON.stringify(outcome)}::jsonb)`

/** A report about the last attempt came, perhaps before the server’s answer was noted. */
export const hasComeBack = sql<boolean>`tries -> -1 ->> 'step' = 'REPORT'`

/**
 * The message contains codes and names, so it is deleted once delivered. What was delivered was delivered, also by a worker
 * whose claim had run out, unless it has come back by now.
 */
export async function markMailSent(db: Tx, { id }: Claim): Promise<void> {
  await db
    .updateTable('mail')
    .set({
      state: sql<MailState>`case when ${hasComeBack} then 'failed'::mail_state else 'sent' end`,
      sent_at: now,
      changed_at: now,
      claimed_until: null,
      sealed_message: null,
      last_error: sql<string | null>`case when ${hasComeBack} then last_error end`,
      tries: endOfTry({}),
    })
    .where('id', '=', id)
    .execute()
}

/** Neither this nor giving up touches a mail that another worker has claimed since. */
export async function postponeMail(db: Tx, claim: Claim, wait: number, failure: MailFailure): Promise<void> {
  await endClaim(db, claim, failure)
    .set({ next_try_at: fromNow(wait) })
    .execute()
}

/** The message stays, so that it can be sent again, unless its code has expired. */
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

/** One that was stopped meanwhile stays so. */
const endClaim = (db: Tx, { id, attempts }: Claim, failure: MailFailure) =>
  db
    .updateTable('mail')
    .set({
      last_error: failure.error,
      claimed_until: null,
      changed_at: now,
      tries: endOfTry(failure),
    })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where(sql<SqlBool>`(state = 'waiting' or (state = 'stopped' and claimed_until is not null))`)

/** Of mails that are neither sent nor waiting, and whose code opens nothing any more. */
export async function eraseExpiredMessages(db: Tx, lives: Readonly<Record<string, number>>): Promise<void> {
  for (const [kind, life] of Object.entries(lives))
    await db
      .updateTable('mail')
      .set({ sealed_message: null })
      .where('state', '!=', 'sent')
      .where('state', 'in', ['failed', 'stopped'])
      .where('kind', '=', kind)
      .where('created_at', '<', ago(life))
      .where('sealed_message', 'is not', null)
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

/** Goes to whoever reads a mailbox, whether or not somebody signed up with its address. */
const isForMailbox = sql<SqlBool>`(mail.kind like 'ambassador-%' or mail.kind like 'news%' or mail.kind = 'email-confirm')`

/**
 * Mails of the member, whatever their address was; and, once the mailbox is proved to be theirs, whatever went to it. Before that the
 * account may be a stranger’s.
 */
const isMailOf = ({ id, email, address_proved_at }: Owner) =>
  address_proved_at
    ? sql<SqlBool>`(mail.member_id = ${id} or mail.to_address = ${email})`
    : sql<SqlBool>`(mail.member_id = ${id} and not ${isForMailbox})`

/** Without their messages: those are deleted once sent. */
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

/** Whatever the programme of ambassadors mailed to the address, also what was not delivered yet. */
export async function deleteAmbassadorMailsTo(db: Tx, address: string): Promise<void> {
  await db
    .deleteFrom('mail')
    .where('to_address', '=', address)
    .where('kind', 'like', 'ambassador-%')
    .execute()
}

/** All mails of the member except for the notice of the erasure, which is nobody's now. */
export async function eraseMailsOf(db: Tx, member: Owner, exceptKind?: MailKind): Promise<void> {
  await db
    .deleteFrom('mail')
    .where(isMailOf(member))
    .$if(exceptKind !== undefined, (query) => query.where('kind', '!=', exceptKind!))
    .execute()
  await db.updateTable('mail').set({ member_id: null }).where('member_id', '=', member.id).execute()
}
