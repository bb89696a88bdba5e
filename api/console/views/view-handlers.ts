import type { api } from '#contract/api.ts'
import { viewsMax } from '#contract/console/console-views.ts'
import { transaction } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import {
  countViews,
  deleteView,
  findView,
  listViews,
  lockViews,
  renameView,
  upsertView,
} from './console-view.queries.ts'

/** Limit for all lists together. List names come from the client, so this keeps anyone from filling the table. */
const viewsInAllMax = 20 * viewsMax

export const listConsoleViews: Handler<typeof api.listConsoleViews> = async ({ query }, { db, caller }) =>
  listViews(db, caller.memberId, query.list)

export const saveConsoleView: Handler<typeof api.saveConsoleView> = ({ body }, { db, caller }) =>
  transaction(db, async (db) => {
    await lockViews(db, caller.memberId)
    const ofList = await listViews(db, caller.memberId, body.list)
    const isNew = ofList.every(({ name }) => name !== body.name)
    if (isNew && (ofList.length >= viewsMax || (await countViews(db, caller.memberId)) >= viewsInAllMax))
      throw refusedField('name', 'too_many', { max: viewsMax })
    return upsertView(db, caller.memberId, body)
  })

/** Renames a view. One that belongs to someone else is reported as not found. */
export const renameConsoleView: Handler<typeof api.renameConsoleView> = ({ params, body }, { db, caller }) =>
  transaction(db, async (db) => {
    await lockViews(db, caller.memberId)
    const view = await findView(db, caller.memberId, params.id)
    if (!view) throw new Refused('not_found')
    const others = await listViews(db, caller.memberId, view.list)
    if (others.some(({ id, name }) => id !== view.id && name === body.name)) throw new Refused('conflict')
    return renameView(db, view.id, body.name)
  })

export const deleteConsoleView: Handler<typeof api.deleteConsoleView> = async (
  { params },
  { db, caller },
) => {
  if (!(await deleteView(db, caller.memberId, params.id))) throw new Refused('not_found')
  return { dropped: true }
}
