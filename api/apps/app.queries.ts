import type { App } from '#contract/apps.ts'
import type { Tx } from '../db/database.ts'

export const findAppByFullName = (db: Tx, fullName: string) =>
  db.selectFrom('app').selectAll().where('full_name', '=', fullName).executeTakeFirst()

/** Writes the installation's own record from its settings and content, at every start. */
export async function keepAppRecord(db: Tx, app: App): Promise<void> {
  const columns = {
    name: app.name,
    full_name: app.fullName,
    coins: JSON.stringify(app.coins),
    docs: JSON.stringify(app.docs),
    contact: app.contact,
  }
  await db.deleteFrom('app').where('full_name', '=', app.fullName).where('id', '!=', app._id).execute()
  await db
    .insertInto('app')
    .values({ id: app._id, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}
