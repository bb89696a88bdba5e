import { sql } from 'kysely'
import { DAY, SECOND } from '#contract/platform/durations.ts'
import { transaction, type Database, type Tx } from '../../../platform/db/database.ts'
import type { CookieSession } from '../../../platform/http/handler.ts'
import { isAlive } from '../session.queries.ts'
import { refreshesOfDayMax, spentTokensKept } from '../tokens.ts'

/** A batch size that can be deleted quickly enough. */
const tokensAtOnce = 5000
const sessionsAtOnce = 200

/** The valid session that has, or had, the refresh token. */
export async function findCookieSession(
  db: Tx,
  refreshHash: string,
): Promise<(CookieSession & { xsrfHash: string }) | undefined> {
  const row = await db
    .selectFrom('session')
    .innerJoin('member', 'member.id', 'session.member_id')
    .select(['session.id', 'session.member_id', 'xsrf_hash'])
    .where('member.active', '=', true)
    .where(isAlive)
    .where((where) =>
      where.or([
        where('refresh_hash', '=', refreshHash),
        where('session.id', '=', (query) =>
          query.selectFrom('spent_refresh_token').select('session_id').where('token_hash', '=', refreshHash),
        ),
      ]),
    )
    .executeTakeFirst()
  return row && { sessionId: row.id, memberId: row.member_id, xsrfHash: row.xsrf_hash, refreshHash }
}

/** The valid session, locked so that its refreshes run in sequence; finding it counts as use. */
export const lockSession = (db: Tx, sessionId: string) =>
  db
    .updateTable('session')
    .from('member')
    .set({ last_used_at: sql<Date>`now()` })
    .whereRef('member.id', '=', 'session.member_id')
    .where('member.active', '=', true)
    .where('session.id', '=', sessionId)
    .where(isAlive)
    .returning(['session.member_id', 'refresh_hash', 'previous_refresh_hash', 'expires_at'])
    .executeTakeFirst()

/** Whether the token was replaced less than `grace` milliseconds ago. */
export async function wasJustSpent(db: Tx, tokenHash: string, grace: number): Promise<boolean> {
  const row = await db
    .selectFrom('spent_refresh_token')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .where(sql<boolean>`spent_at > clock_timestamp() - ${grace} * interval '1 millisecond'`)
    .executeTakeFirst()
  return row !== undefined
}

const aDayAgo = sql<Date>`clock_timestamp() - ${DAY / SECOND} * interval '1 second'`

/**
 * Seconds until the session may replace its token again; `undefined` if it may now. The tokens themselves are
 * counted, so that the limit never allows more than are remembered. The caller has locked the session.
 */
export async function waitToReplace(db: Tx, sessionId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('spent_refresh_token')
    .select(sql<number>`ceil(extract(epoch from spent_at - (${aDayAgo})))::int`.as('seconds'))
    .where('session_id', '=', sessionId)
    .where('spent_at', '>', aDayAgo)
    .orderBy('spent_at', 'desc')
    .offset(refreshesOfDayMax - 1)
    .limit(1)
    .executeTakeFirst()
  return row && Math.max(1, row.seconds)
}

/** Makes `newHash` the session's newest token, in answer to `usedHash`; the previous one is spent. */
export async function replaceRefreshToken(
  db: Tx,
  sessionId: string,
  { newestHash, usedHash, newHash }: { newestHash: string; usedHash: string; newHash: string },
): Promise<void> {
  const spent = [...new Set([newestHash, usedHash])]
  await db
    .insertInto('spent_refresh_token')
    .values(spent.map((token_hash) => ({ token_hash, session_id: sessionId })))
    .onConflict((conflict) => conflict.column('token_hash').doUpdateSet({ spent_at: sql`now()` }))
    .execute()
  await db
    .updateTable('session')
    .set({ refresh_hash: newHash, previous_refresh_hash: usedHash })
    .where('id', '=', sessionId)
    .execute()
  await deleteOldestSpent(db, sessionId)
}

/**
 * Deletes the oldest spent tokens beyond the maximum, but none spent within a day: using up the refreshes of a
 * day must not hide a copy. Returns whether any were deleted. Checks a limited number: a token older than the
 * maximum among any subset is so among all.
 */
async function deleteOldestSpent(db: Tx, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('spent_refresh_token')
    .where('spent_at', '<=', aDayAgo)
    .where('token_hash', 'in', (query) =>
      query
        .selectFrom((query) =>
          query
            .selectFrom('spent_refresh_token')
            .select(['token_hash', 'spent_at'])
            .where('session_id', '=', sessionId)
            .limit(tokensAtOnce)
            .as('some'),
        )
        .select('token_hash')
        .orderBy('spent_at', 'desc')
        .offset(spentTokensKept),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Deletes old spent tokens of every session, valid or not, from before there was a maximum; each statement is
 * short.
 */
export async function deleteSurplusSpent(db: Database, lifecycle: { isStopping: boolean }): Promise<void> {
  let after = ''
  const forgetSome = (id: string) => transaction(db, (db) => deleteOldestSpent(db, id))
  for (;;) {
    const sessions = await db
      .selectFrom('session')
      .select('id')
      .select((select) =>
        select
          .exists(
            select
              .selectFrom('spent_refresh_token')
              .select('token_hash')
              .whereRef('session_id', '=', 'session.id')
              .offset(spentTokensKept)
              .limit(1),
          )
          .as('has_surplus'),
      )
      .where('id', '>', after)
      .orderBy('id')
      .limit(sessionsAtOnce)
      .execute()
    for (const { id, has_surplus } of sessions)
      while (has_surplus && !lifecycle.isStopping && (await forgetSome(id))) continue
    const last = sessions.at(-1)
    if (!last || lifecycle.isStopping) return
    after = last.id
  }
}
