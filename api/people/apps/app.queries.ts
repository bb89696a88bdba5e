import { sql } from 'kysely'
import type { App, AppInput } from '#contract/people/apps.ts'
import type { Tx } from '../../platform/db/database.ts'

export const findAppByFullName = (db: Tx, fullName: string) =>
  db.selectFrom('app').selectAll().where('full_name', '=', fullName).executeTakeFirst()

export const getApp = (db: Tx, id: string) =>
  db.selectFrom('app').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Locks the profile, and waits for concurrent changes. */
export const lockApp = (db: Tx, id: string) =>
  db.selectFrom('app').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

export type AppRow = Awaited<ReturnType<typeof getApp>>

const columnsFor = (app: AppInput) => ({
  name: app.name,
  full_name: app.fullName,
  coins: JSON.stringify(app.coins),
  docs: JSON.stringify(app.docs),
  contact: app.contact,
})

/** Stores the installation's own app profile from its settings and content, at every startup, until staff change it. */
export async function saveAppProfile(db: Tx, app: App): Promise<void> {
  const columns = columnsFor(app)
  // Changes made by staff are kept, even if the installation gets another ID.
  await db
    .updateTable('app')
    .set({ id: app._id })
    .where('edited_at', 'is not', null)
    .where(sql<boolean>`not exists (select from app own where own.id = ${app._id})`)
    .execute()
  const own = await db.selectFrom('app').select('edited_at').where('id', '=', app._id).executeTakeFirst()
  if (own?.edited_at) return
  await db.deleteFrom('app').where('full_name', '=', app.fullName).where('id', '!=', app._id).execute()
  await db
    .insertInto('app')
    .values({ id: app._id, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

export const updateApp = (db: Tx, id: string, app: AppInput) =>
  db
    .updateTable('app')
    .set({
      ...columnsFor(app),
      edited_at: sql<Date>`now()`,
      // Edit conflicts are detected by time, so two changes in one millisecond need different times.
      updated_at: sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
