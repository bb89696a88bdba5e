import { sql } from 'kysely'
import { SECOND } from '#contract/platform/durations.ts'
import type { KycState } from '#contract/people/kyc.ts'
import { stepUpLife } from '#contract/people/sessions.ts'
import { compileOnce } from '../../platform/db/compile-once.ts'
import type { Tx } from '../../platform/db/database.ts'
import { fromNow } from '../../platform/db/expressions.ts'
import { Refused } from '../../platform/refused.ts'
import type { KnownSession } from '../../platform/http/caller.ts'
import { hasFactor, type MemberRow } from '../members/member.queries.ts'
import { recordColumns } from '../members/profile-columns.ts'
import { countingRightsOf } from '../members/rights.ts'
import { accessTokenLife, sessionsMax } from './tokens.ts'

export const isAlive = sql<boolean>`session.expires_at > now() and session.last_used_at + session.idle_ms * interval '1 millisecond' > now()`

const provedUntil = sql<Date>`session.proved_at + ${sql.lit(stepUpLife / SECOND)} * interval '1 second'`

/** With the member's own view of their record, so that most member calls need no further statement. */
const readSession = compileOnce((db) =>
  db
    .selectFrom('access_token')
    .innerJoin('session', 'session.id', 'access_token.session_id')
    .innerJoin('member', 'member.id', 'session.member_id')
    .leftJoin('email_change', (join) =>
      join
        .onRef('email_change.member_id', '=', 'member.id')
        .on('email_change.opened_by', 'is', null)
        .on('email_change.expires_at', '>', sql<Date>`now()`),
    )
    .select(['session.id as session_id', 'has_proved_factor', 'new_email', hasFactor.as('has_factor')])
    .select(recordColumns.map((column) => `member.${column}` as const))
    .select(sql<boolean>`${provedUntil} > now()`.as('has_fresh_proof'))
    .where('access_token.token_hash', '=', sql<string>`$1`)
    .where('access_token.expires_at', '>', sql<Date>`now()`)
    .where(sql<boolean>`member.active`)
    .where(isAlive),
)

/** The member data in a sign-in's answer. */
export type EnteredMember = MemberRow & {
  kyc_state: KycState | null
  is_staff: boolean
  has_factor: boolean
  expires_at: Date
}
export const enteredMember = sql`member.*, summary.kyc_state, granted_any_right(member) as is_staff, ${hasFactor} as has_factor`

/** The valid session of an access token, of an active member. */
export async function findSessionByToken(db: Tx, tokenHash: string): Promise<KnownSession | undefined> {
  const [row] = await readSession(db, tokenHash)
  if (!row) return undefined
  return {
    memberId: row.id,
    sessionId: row.session_id,
    record: row,
    pendingEmail: row.new_email ?? undefined,
    // In an account with a second factor, the password alone does not prove that factor.
    hasSecondFactor: row.has_factor && row.has_proved_factor,
    hasFactor: row.has_factor,
    // Nor does it count as a fresh proof once there is a factor.
    hasFreshProof: row.has_fresh_proof && (!row.has_factor || row.has_proved_factor),
    rights: countingRightsOf(row),
  }
}

/** Creates an access token for the session and reads the member data of its answer, in one statement. */
export async function insertAccessTokenOf(
  db: Tx,
  sessionId: string,
  tokenHash: string,
): Promise<EnteredMember> {
  const { rows } = await sql<EnteredMember>`
    with given as (
      insert into access_token (token_hash, session_id, expires_at)
      values (${tokenHash}, ${sessionId}, ${fromNow(accessTokenLife)}) returning expires_at)
    select ${enteredMember}, given.expires_at from given, session
    join member on member.id = session.member_id left join member_summary summary on summary.id = member.id
    where session.id = ${sessionId}`.execute(db)
  return rows[0]!
}

export const listSessionsOfMember = (db: Tx, memberId: string) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('member_id', '=', memberId)
    .where(isAlive)
    .orderBy('last_used_at', 'desc')
    .limit(sessionsMax)
    .execute()

/** Whether one of these members is signed in from there. */
export async function isPlaceOfAny(db: Tx, place: string, memberIds: readonly string[]): Promise<boolean> {
  if (memberIds.length === 0) return false
  const row = await db
    .selectFrom('session')
    .select('id')
    .where('member_id', 'in', memberIds)
    .where('place', '=', place)
    .where(isAlive)
    .executeTakeFirst()
  return row !== undefined
}

/** The sessions among these that are still valid, of active members. */
export async function listLiveSessions(db: Tx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('session')
    .innerJoin('member', 'member.id', 'session.member_id')
    .select('session.id')
    .where('session.id', 'in', ids)
    .where(isAlive)
    .where(sql<boolean>`member.active`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function countSessionsOfMember(db: Tx, memberId: string): Promise<number> {
  const { count } = await db
    .selectFrom('session')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('member_id', '=', memberId)
    .where(isAlive)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function deleteSessionOfMember(db: Tx, memberId: string, sessionId: string): Promise<boolean> {
  const result = await db
    .deleteFrom('session')
    .where('id', '=', sessionId)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Ends the member's sessions except the given one, at once in every instance, and returns how many there were. */
export async function deleteSessionsOfMember(
  db: Tx,
  memberId: string,
  exceptSessionId?: string,
): Promise<number> {
  const result = await db
    .deleteFrom('session')
    .where('member_id', '=', memberId)
    .$if(exceptSessionId !== undefined, (query) => query.where('id', '!=', exceptSessionId!))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Ends the member's sessions except the given one, and returns how many there were. */
export async function deleteOtherSessions(db: Tx, memberId: string, sessionId: string): Promise<number> {
  const result = await db
    .deleteFrom('session')
    .where('member_id', '=', memberId)
    .where('id', '!=', sessionId)
    .where(isAlive)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/**
 * When an account gets its first second factor, its other sessions end; only the one that just proved the
 * factor stays.
 */
export async function deleteSessionsWithoutFactor(db: Tx, memberId: string): Promise<void> {
  await db
    .deleteFrom('session')
    .where('member_id', '=', memberId)
    .where('has_proved_factor', '=', false)
    .execute()
}

/**
 * After the last factor of an account was removed: a session's proof of it must not count for a later factor.
 */
export async function deleteFactorProofs(db: Tx, memberId: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ has_proved_factor: false })
    .where('member_id', '=', memberId)
    .execute()
}

/** Records the step-up of the session and until when it is valid. */
export async function recordProof(db: Tx, sessionId: string, isFactor: boolean): Promise<Date> {
  const row = await db
    .updateTable('session')
    .set({ proved_at: sql<Date>`now()`, ...(isFactor ? { has_proved_factor: true } : {}) })
    .where('id', '=', sessionId)
    .returning(provedUntil.as('proved_until'))
    .executeTakeFirst()
  if (!row) throw new Refused('session_expired')
  return row.proved_until
}

/** Few enough that their tokens are deleted with them in time. */
const sessionsAtOnce = 10
const accessTokensAtOnce = 10_000

/** Deletes some; returns whether there may be more. */
export async function deleteSomeDeadSessions(db: Tx): Promise<boolean> {
  const isDead = sql<boolean>`not (${isAlive})`
  const { numDeletedRows } = await db
    .deleteFrom('session')
    // Checked again for each, because a session used meanwhile stays valid.
    .where(isDead)
    .where('id', 'in', (query) =>
      query.selectFrom('session').select('id').where(isDead).limit(sessionsAtOnce),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes some; returns whether there may be more. */
export async function deleteSomeDeadAccessTokens(db: Tx): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('access_token')
    .where('token_hash', 'in', (query) =>
      query
        .selectFrom('access_token')
        .select('token_hash')
        .where('expires_at', '<', sql<Date>`now()`)
        .limit(accessTokensAtOnce),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}
