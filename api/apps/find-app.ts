import type { api } from '#contract/api.ts'
import type { App } from '#contract/apps.ts'
import type { Tx } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { Refused } from '../refused.ts'

export const findApp: Handler<typeof api.findApp> = async ({ body }, { db }) => {
  const row = await db.selectFrom('app').selectAll().where('full_name', '=', body.fullName).executeTakeFirst()
  if (!row) throw new Refused('not_found')
  return {
    _id: row.id,
    name: row.name,
    fullName: row.full_name,
    coins: row.coins as App['coins'],
    docs: row.docs as App['docs'],
    contact: row.contact,
  }
}

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
