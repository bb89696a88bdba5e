import type { api } from '#contract/api.ts'
import { viewCountMax, viewsMax, type ConsoleView } from '#contract/console/console-views.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { findServedList } from '../../platform/resource/served-lists.ts'
import {
  countSharedViews,
  countViews,
  deleteView,
  findView,
  listViews,
  lockSharing,
  lockViews,
  updateView,
  upsertView,
} from './console-view.queries.ts'

/** Limit for all lists together. List names come from the client, so this keeps anyone from filling the table. */
const viewsInAllMax = 20 * viewsMax

/** Returns a list of the console, if the caller can read it. */
function findReadable(caller: Caller, name: string) {
  const list = findServedList(name)
  if (list?.access.who !== 'staff') return undefined
  return levelOf(caller.rights, list.access.level) >= list.access.atLeast ? list : undefined
}

type View = Awaited<ReturnType<typeof listViews>>[number]

const present = ({ id, name, query, is_shared, member_id }: View, caller: Caller): ConsoleView => ({
  id,
  name,
  query,
  isShared: is_shared,
  isOwn: member_id === caller.memberId,
  isEditable: member_id === caller.memberId || caller.rights.isWriteAccessAdmin,
})

const listVisible = (db: Tx, caller: Caller, list: string) =>
  listViews(db, caller.memberId, list, findReadable(caller, list) !== undefined)

export const listConsoleViews: Handler<typeof api.listConsoleViews> = async ({ query }, { db, caller }) =>
  (await listVisible(db, caller, query.list)).map((view) => present(view, caller))

export const countConsoleViews: Handler<typeof api.countConsoleViews> = async ({ query }, context) => {
  const { db, caller } = context
  const list = findReadable(caller, query.list)
  if (!list) return []
  const counts: { id: string; count: number }[] = []
  for (const view of await listVisible(db, caller, query.list)) {
    const count = await list.count(context, new URLSearchParams(view.query), viewCountMax)
    if (count !== undefined) counts.push({ id: view.id, count })
  }
  return counts
}

/** Shared views can be seen only by those who can read the list, and only they can share one. */
async function requireSharable(db: Tx, caller: Caller, list: string): Promise<void> {
  if (!findReadable(caller, list)) throw new Refused('forbidden')
  await lockSharing(db, list)
  if ((await countSharedViews(db, list)) >= viewsMax)
    throw refusedField('isShared', 'too_many', { max: viewsMax })
}

export const saveConsoleView: Handler<typeof api.saveConsoleView> = ({ body }, { db, caller }) =>
  transaction(db, async (db) => {
    await lockViews(db, caller.memberId)
    const ofList = await listViews(db, caller.memberId, body.list, false)
    const same = ofList.find(({ name }) => name === body.name)
    if (!same && (ofList.length >= viewsMax || (await countViews(db, caller.memberId)) >= viewsInAllMax))
      throw refusedField('name', 'too_many', { max: viewsMax })
    if (body.isShared && !same?.is_shared) await requireSharable(db, caller, body.list)
    return present(await upsertView(db, caller.memberId, body), caller)
  })

/** Returns a view that the caller can change. Any other one is reported as not found. */
async function getEditable(db: Tx, caller: Caller, id: string) {
  const view = await findView(db, id)
  const isOwn = view?.member_id === caller.memberId
  const isOpen = view?.is_shared && caller.rights.isWriteAccessAdmin && findReadable(caller, view.list)
  if (!view || !(isOwn || isOpen)) throw new Refused('not_found')
  return view
}

export const renameConsoleView: Handler<typeof api.renameConsoleView> = ({ params, body }, { db, caller }) =>
  transaction(db, async (db) => {
    const known = await getEditable(db, caller, params.id)
    await lockViews(db, known.member_id)
    const view = await getEditable(db, caller, params.id)
    const others = await listViews(db, view.member_id, view.list, false)
    if (others.some(({ id, name }) => id !== view.id && name === body.name)) throw new Refused('conflict')
    const { name, isShared = view.is_shared } = body
    if (isShared && !view.is_shared) await requireSharable(db, caller, view.list)
    return present(await updateView(db, view.id, { name, is_shared: isShared }), caller)
  })

export const deleteConsoleView: Handler<typeof api.deleteConsoleView> = async (
  { params },
  { db, caller },
) => {
  const { id } = await getEditable(db, caller, params.id)
  await deleteView(db, id)
  return { dropped: true }
}
