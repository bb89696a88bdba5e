import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

const columns = ['id', 'name', 'query'] as const

/** Serializes changes of one member's views, so that their number is exact. */
export const lockViews = (db: Tx, memberId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`console views ${memberId}`}, 0))`.execute(db)

export const listViews = (db: Tx, memberId: string, list: string) =>
  db
    .selectFrom('console_view')
    .select(columns)
    .where('member_id', '=', memberId)
    .where('list', '=', list)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const countViews = async (db: Tx, memberId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('console_view')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

type NewView = { list: string; name: string; query: string }

export const upsertView = (db: Tx, memberId: string, { list, name, query }: NewView) =>
  db
    .insertInto('console_view')
    .values({ member_id: memberId, list, name, query })
    .onConflict((conflict) => conflict.columns(['member_id', 'list', 'name']).doUpdateSet({ query }))
    .returning(columns)
    .executeTakeFirstOrThrow()

export const findView = (db: Tx, memberId: string, id: string) =>
  db
    .selectFrom('console_view')
    .select([...columns, 'list'])
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .executeTakeFirst()

export const renameView = (db: Tx, id: string, name: string) =>
  db
    .updateTable('console_view')
    .set({ name })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()

/** Returns whether there was one. */
export async function deleteView(db: Tx, memberId: string, id: string): Promise<boolean> {
  const row = await db
    .deleteFrom('console_view')
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

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
