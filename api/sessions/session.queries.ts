import { sql } from 'kysely'
import { SECOND } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import { countingRightsOf } from '../members/present-user.ts'
import type { Rights } from './caller.ts'

const isAlive = sql<boolean>`session.expires_at > now() and session.last_used_at + session.idle_ms * interval '1 millisecond' > now()`
const fromNow = (ms: number) => sql<Date>`now() + ${ms / SECOND} * interval '1 second'`

export type KnownSession = { memberId: string; sessionId: string; rights: Rights; hasSecondFactor: boolean }

/** The living session of an access token, of a member who is active. */
export async function findSessionByToken(db: Tx, tokenHash: string): Promise<KnownSession | undefined> {
  const row = await db
    .selectFrom('access_token')
    .innerJoin('session', 'session.id', 'access_token.session_id')
    .innerJoin('member', 'member.id', 'session.member_id')
    .leftJoin('totp', (join) =>
      join.onRef('totp.member_id', '=', 'member.id').on('totp.confirmed_at', 'is not', null),
    )
    .select([
      'session.id as session_id',
      'member.id as member_id',
      'is_write_access_admin',
      'manage_news',
      'manage_employee',
      'manage_finance',
      'manage_coins',
      'password_length_ok_for_staff',
      'totp.member_id as totp_member_id',
    ])
    .where('access_token.token_hash', '=', tokenHash)
    .where('access_token.expires_at', '>', sql<Date>`now()`)
    .where('member.active', '=', true)
    .where(isAlive)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    memberId: row.member_id,
    sessionId: row.session_id,
    hasSecondFactor: row.totp_member_id !== null,
    rights: countingRightsOf(row),
  }
}

/** The living session of a refresh token; finding it counts as use. */
export async function findCookieSession(
  db: Tx,
  refreshHash: string,
): Promise<{ sessionId: string; memberId: string } | undefined> {
  const row = await db
    .updateTable('session')
    .from('member')
    .set({ last_used_at: sql<Date>`now()` })
    .whereRef('member.id', '=', 'session.member_id')
    .where('member.active', '=', true)
    .where('refresh_hash', '=', refreshHash)
    .where(isAlive)
    .returning(['session.id', 'session.member_id'])
    .executeTakeFirst()
  return row && { sessionId: row.id, memberId: row.member_id }
}

export async function insertSession(
  db: Tx,
  session: {
    memberId: string
    refreshHash: string
    device: string
    place: string
    life: number
    idle: number
  },
): Promise<string> {
  const row = await db
    .insertInto('session')
    .values({
      member_id: session.memberId,
      refresh_hash: session.refreshHash,
      device: session.device,
      place: session.place,
      idle_ms: session.idle,
      expires_at: fromNow(session.life),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function insertAccessToken(
  db: Tx,
  sessionId: string,
  tokenHash: string,
  life: number,
): Promise<Date> {
  const row = await db
    .insertInto('access_token')
    .values({ token_hash: tokenHash, session_id: sessionId, expires_at: fromNow(life) })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return row.expires_at
}

export const listSessionsOfMember = (db: Tx, memberId: string) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('member_id', '=', memberId)
    .where(isAlive)
    .orderBy('last_used_at', 'desc')
    .execute()

export async function deleteSessionOfMember(db: Tx, memberId: string, sessionId: string): Promise<boolean> {
  const result = await db
    .deleteFrom('session')
    .where('id', '=', sessionId)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function deleteSessionByRefreshHash(db: Tx, refreshHash: string): Promise<void> {
  await db.deleteFrom('session').where('refresh_hash', '=', refreshHash).execute()
}

/** Ends the member's sessions, but for the one given. Their access tokens go with them, at once in every instance. */
export async function deleteSessionsOfMember(
  db: Tx,
  memberId: string,
  exceptSessionId?: string,
): Promise<void> {
  await db
    .deleteFrom('session')
    .where('member_id', '=', memberId)
    .$if(exceptSessionId !== undefined, (query) => query.where('id', '!=', exceptSessionId!))
    .execute()
}

/** The row is locked until the transaction ends, so that sign-in and a change of rights cannot pass each other. */
export const lockMember = (db: Tx, memberId: string) =>
  db.selectFrom('member').selectAll().where('id', '=', memberId).forUpdate().executeTakeFirst()

export async function deleteDeadSessions(db: Tx): Promise<void> {
  await db
    .deleteFrom('access_token')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
  await db
    .deleteFrom('session')
    .where(sql<boolean>`not (${isAlive})`)
    .execute()
}
