import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { CookieSession } from '../../http/handler.ts'
import { isAlive } from '../session.queries.ts'

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

/** The valid session, locked so that its refreshes follow one another; finding it counts as use. */
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

/** The session's newest token becomes `newHash`, in answer to the token `usedHash`; the one before is spent. */
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
}
