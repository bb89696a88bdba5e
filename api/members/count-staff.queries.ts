import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { hasFactor } from './member.queries.ts'

/** Active members with any staff right, and the number without a second factor. */
export async function countStaff(db: Tx): Promise<{ all: number; withoutFactor: number }> {
  const { all, without } = await db
    .selectFrom('member')
    .where('active', '=', true)
    .where((is) =>
      is.or([
        is('is_write_access_admin', '=', true),
        is('manage_news', '>', 0),
        is('manage_employee', '>', 0),
        is('manage_finance', '>', 0),
        is('manage_coins', '>', 0),
      ]),
    )
    .select(sql<number>`count(*)::int`.as('all'))
    .select(sql<number>`(count(*) filter (where not ${hasFactor}))::int`.as('without'))
    .executeTakeFirstOrThrow()
  return { all, withoutFactor: without }
}
