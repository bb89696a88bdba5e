import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

const columns = ['id', 'name', 'query', 'is_shared', 'member_id'] as const

/** Serializes changes of one member's views, so that their number is exact. */
export const lockViews = (db: Tx, memberId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`console views ${memberId}`}, 0))`.execute(db)

/** Serializes sharing, so that the number of shared views is exact. */
export const lockSharing = (db: Tx, list: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`shared console views ${list}`}, 0))`.execute(db)

/** Returns the member's own views of a list and, if `withShared`, those that others share. */
export const listViews = (db: Tx, memberId: string, list: string, withShared: boolean) =>
  db
    .selectFrom('console_view')
    .select(columns)
    .where((is) =>
      is.or([is('member_id', '=', memberId), ...(withShared ? [is('is_shared', '=', true)] : [])]),
    )
    .where('list', '=', list)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const countSharedViews = async (db: Tx, list: string): Promise<number> => {
  const { count } = await db
    .selectFrom('console_view')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('list', '=', list)
    .where('is_shared', '=', true)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const countViews = async (db: Tx, memberId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('console_view')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

type NewView = { list: string; name: string; query: string; isShared: boolean }

export const upsertView = (db: Tx, memberId: string, { list, name, query, isShared }: NewView) =>
  db
    .insertInto('console_view')
    .values({ member_id: memberId, list, name, query, is_shared: isShared })
    .onConflict((conflict) =>
      conflict.columns(['member_id', 'list', 'name']).doUpdateSet({ query, is_shared: isShared }),
    )
    .returning(columns)
    .executeTakeFirstOrThrow()

export const findView = (db: Tx, id: string) =>
  db
    .selectFrom('console_view')
    .select([...columns, 'list'])
    .where('id', '=', id)
    .executeTakeFirst()

export const updateView = (db: Tx, id: string, change: { name: string; is_shared?: boolean }) =>
  db.updateTable('console_view').set(change).where('id', '=', id).returning(columns).executeTakeFirstOrThrow()

export const deleteView = (db: Tx, id: string) => db.deleteFrom('console_view').where('id', '=', id).execute()

export const listViewsOfMember = (db: Tx, memberId: string) =>
  db
    .selectFrom('console_view')
    .selectAll()
    .where('member_id', '=', memberId)
    .orderBy('list')
    .orderBy('created_at')
    .execute()

export async function deleteViewsOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('console_view').where('member_id', '=', memberId).execute()
}
