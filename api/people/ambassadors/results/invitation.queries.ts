import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { InvitationCause, InvitationFlag } from '#contract/people/ambassador-results.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { ago } from '../../../platform/db/expressions.ts'

/** The Monday of the week in UTC: events are recorded only by week. */
export const thisWeek = sql<string>`(date_trunc('week', now() at time zone 'UTC'))::date`

const flagsOf = (flags: readonly InvitationFlag[]) => sql<string[]>`${[...flags]}::text[]`

/** Returns the owner of a code, while the ambassadorship lasts. */
export const findInviter = (db: Tx, code: string) =>
  db
    .selectFrom('ambassador')
    .leftJoin('member', 'member.id', 'ambassador.member_id')
    .select([
      'ambassador.id',
      'ambassador.member_id',
      sql<string | null>`coalesce(member.email, ambassador.email)`.as('email'),
    ])
    .where('ambassador.code', '=', code)
    .where('ambassador.ended_at', 'is', null)
    .executeTakeFirst()

export type Inviter = NonNullable<Awaited<ReturnType<typeof findInviter>>>

export async function areOneMailbox(db: Tx, one: string, others: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`
    select coalesce(bool_or(email_alias(other) = email_alias(${one})), false) as same from unnest(${others}::text[]) as other`.execute(
    db,
  )
  return rows[0]!.same
}

/** Whether another account has the same mailbox under a different spelling. */
export const isMailboxOfAnother = async (
  db: Tx,
  { id, email }: { id: string; email: string },
): Promise<boolean> =>
  (await db
    .selectFrom('member')
    .select('id')
    .where(sql<boolean>`email_alias(member.email) = email_alias(${email})`)
    .where('id', '!=', id)
    .where('active', '=', true)
    .executeTakeFirst()) !== undefined

/** Returns the mailbox as the email provider sees it. */
export async function mailboxOf(db: Tx, email: string): Promise<string> {
  const { rows } = await sql<{ mailbox: string }>`select email_alias(${email}) as mailbox`.execute(db)
  return rows[0]!.mailbox
}

export const isMailboxCounted = async (db: Tx, mailboxHash: string): Promise<boolean> =>
  (await db
    .selectFrom('counted_mailbox')
    .select('mailbox_hash')
    .where('mailbox_hash', '=', mailboxHash)
    .executeTakeFirst()) !== undefined

/** Records that a mailbox was counted. False if it was counted before, even concurrently. */
export const recordMailboxCounted = async (db: Tx, mailboxHash: string): Promise<boolean> =>
  (await db
    .insertInto('counted_mailbox')
    .values({ mailbox_hash: mailboxHash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('mailbox_hash')
    .executeTakeFirst()) !== undefined

export const deleteOldCountedMailboxes = (db: Tx) =>
  db
    .deleteFrom('counted_mailbox')
    .where('counted_at', '<', ago(56 * DAY))
    .execute()

/**
 * Stores the invitation of a sign-up, once per member and ambassador. Another sign-up with the same address adds its
 * signals, so that retrying hides nothing.
 */
export const addInvited = (
  db: Tx,
  memberId: string,
  ambassadorId: string,
  flags: readonly InvitationFlag[],
) =>
  db
    .insertInto('invited_member')
    .values({
      member_id: memberId,
      ambassador_id: ambassadorId,
      flags: flagsOf(flags),
      signed_up_in: thisWeek,
    })
    .onConflict((conflict) =>
      conflict.columns(['member_id', 'ambassador_id']).doUpdateSet({
        flags: sql<string[]>`array(select distinct unnest(invited_member.flags || excluded.flags))`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

/** Lists the invitations that the member signed up with; at most one once the address is verified. */
export const listInvitationsOf = (db: Tx, memberId: string) =>
  db
    .selectFrom('invited_member')
    .innerJoin('ambassador', 'ambassador.id', 'invited_member.ambassador_id')
    .leftJoin('member', 'member.id', 'ambassador.member_id')
    .selectAll('invited_member')
    .select([
      sql<InvitationFlag[]>`invited_member.flags`.as('flags'),
      'ambassador.code',
      'ambassador.ended_at',
      'ambassador.member_id as inviter_member_id',
      sql<string | null>`coalesce(member.email, ambassador.email)`.as('inviter_email'),
    ])
    .where('invited_member.member_id', '=', memberId)
    .orderBy('invited_member.id')
    .execute()

export type InvitedRow = Awaited<ReturnType<typeof listInvitationsOf>>[number]

export const hasCountedInvitation = async (db: Tx, memberId: string): Promise<boolean> =>
  (await db
    .selectFrom('invited_member')
    .select('id')
    .where('member_id', '=', memberId)
    .where('is_counted', '=', true)
    .executeTakeFirst()) !== undefined

export async function updateInvited(
  db: Tx,
  id: string,
  change: {
    is_counted?: boolean
    activated_in?: typeof thisWeek | null
    identified_in?: typeof thisWeek | null
    flags?: readonly InvitationFlag[]
  },
): Promise<void> {
  const { flags, ...rest } = change
  await db
    .updateTable('invited_member')
    .set({ ...rest, ...(flags && { flags: flagsOf(flags) }) })
    .where('id', '=', id)
    .execute()
}

export const deleteInvited = (db: Tx, id: string) =>
  db.deleteFrom('invited_member').where('id', '=', id).execute()

/** Deletes by whose invitation the member came; counts and points remain. */
export async function deleteInvitedMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('invited_member').where('member_id', '=', memberId).execute()
  await db
    .updateTable('ambassador_point')
    .set({ member_id: null })
    .where('member_id', '=', memberId)
    .execute()
}

type Figure = 'sign_ups' | 'activations' | 'identities'

/**
 * Adds to the count of a week, or subtracts from it. A `week` of null is the current one. Changes to a past week are
 * recorded separately: the ambassador, who may know whom they concern, sees them only when the current week is over.
 */
export async function count(
  db: Tx,
  { ambassadorId, week = null }: { ambassadorId: string; week?: Date | string | null },
  figure: Figure,
  by: 1 | -1,
): Promise<void> {
  await db
    .insertInto('invitation_week')
    .values({ ambassador_id: ambassadorId, week: week ?? thisWeek, [figure]: by })
    .onConflict((conflict) =>
      conflict.columns(['ambassador_id', 'week']).doUpdateSet({
        [figure]: sql<number>`${sql.ref(`invitation_week.${figure}`)} + ${by}`,
      }),
    )
    .execute()
  if (week === null) return
  await db
    .deleteFrom('invitation_correction')
    .where('ambassador_id', '=', ambassadorId)
    .where(sql<boolean>`made_in < ${thisWeek}`)
    .execute()
  await sql`
    insert into invitation_correction (ambassador_id, week, made_in, ${sql.ref(figure)})
    select ${ambassadorId}, ${week}::date, ${thisWeek}, ${by} where ${week}::date < ${thisWeek}
    on conflict (ambassador_id, week, made_in)
    do update set ${sql.ref(figure)} = ${sql.ref(`invitation_correction.${figure}`)} + ${by}`.execute(db)
}

/** Serializes bindings, so that two concurrent ones that close a loop are detected. */
export const lockLoops = (db: Tx) => sql`select pg_advisory_xact_lock(7201849)`.execute(db)

type Cause = { ambassadorId: string; memberId: string; cause: InvitationCause }

/** Adds the points of a cause. The unique index allows each cause once until it is reversed. */
export async function appendPoints(
  db: Tx,
  { ambassadorId, memberId, cause }: Cause,
  points: number,
): Promise<void> {
  if (points === 0) return
  await sql`
    insert into ambassador_point (ambassador_id, member_id, cause, occasion, points, week)
    select ${ambassadorId}, ${memberId}, ${cause}::invitation_cause, count(reversal.id) + 1, ${points}, ${thisWeek}
    from ambassador_point entry left join ambassador_point reversal on reversal.reverses = entry.id
    where entry.member_id = ${memberId} and entry.cause = ${cause}::invitation_cause and entry.reverses is null
    on conflict do nothing`.execute(db)
}

/** Reverses the points of a cause, if there are any that were not reversed before. */
export const reversePoints = (db: Tx, { memberId, cause }: Omit<Cause, 'ambassadorId'>) =>
  sql`
    insert into ambassador_point (ambassador_id, member_id, cause, occasion, points, week, reverses)
    select entry.ambassador_id, entry.member_id, entry.cause, entry.occasion, -entry.points, ${thisWeek}, entry.id
    from ambassador_point entry
    where entry.member_id = ${memberId} and entry.cause = ${cause}::invitation_cause and entry.reverses is null
      and not exists (select from ambassador_point reversal where reversal.reverses = entry.id)
    on conflict do nothing`.execute(db)
