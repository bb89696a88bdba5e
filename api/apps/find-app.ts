import type { api } from '#contract/api.ts'
import type { App } from '#contract/apps.ts'
import type { Handler } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import { findAppByFullName } from './app.queries.ts'

export const findApp: Handler<typeof api.findApp> = async ({ body }, { db }) => {
  const row = await findAppByFullName(db, body.fullName)
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
