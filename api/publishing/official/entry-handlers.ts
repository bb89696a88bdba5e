import type { api } from '#contract/api.ts'
import {
  listedChannel,
  listedChannels,
  type ChannelStatus,
  type EntryInput,
  type ListedChannel,
} from '#contract/publishing/console-official.ts'
import { levelOf } from '#contract/people/level-of.ts'
import type { ChannelKind } from '#contract/publishing/official.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import { project } from '../../platform/db/project.ts'
import { fieldColumns, type CsvColumns } from '../../platform/http/csv-download.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { serveResource } from '../../platform/resource/serve-resource.ts'
import { classifyPasted } from './classify/classify-pasted.ts'
import { readGiven } from './key-of.ts'
import {
  findByKeys,
  getKnown,
  insertKnown,
  listActive,
  listKnown,
  lockKnown,
  lockKnownList,
  updateKnown,
  withdrawKnown,
  type KnownRow,
} from './known-entry.queries.ts'
import { listOfficialChannels, readKnown } from './list-official-channels.ts'
import { notifyAboutOfficial } from '../../people/settings/notify-about-official.ts'

const presentKnown = (row: KnownRow): ListedChannel => ({
  ...project(listedChannel, row),
  addedBy: row.added_by === null ? null : { id: row.added_by, name: row.author_name ?? '' },
  lastUpdated: row.updated_at.toISOString(),
})

const columns: CsvColumns<ListedChannel> = [
  ...fieldColumns('id', 'standing', 'kind', 'value', 'note', 'evidence'),
  ['added', ({ addedAt }) => addedAt],
  ['by', ({ addedBy }) => addedBy?.name ?? ''],
  ['withdrawn', ({ withdrawnAt }) => withdrawnAt ?? ''],
]

export const { list: listChannels, file: exportChannels } = serveResource(listedChannels, {
  read: ({ db }, filters, page) => listKnown(db, { state: 'active', ...filters }, page),
  present: (_, rows) => rows.map(presentKnown),
  file: { name: 'official-or-not', columns },
})

/** Lists official channels. Receiving addresses are only for people who may read the sale settings. */
export const listOfficialSources: Handler<typeof api.listOfficialSources> = async (_input, context) => {
  const seesAddresses = levelOf(context.caller.rights, 'coins') >= 1
  const entries = await listOfficialChannels(context.db, context)
  return entries.map(({ kind, role, name, value }) => ({
    kind,
    role,
    name,
    value: role === 'receiving' && !seesAddresses ? '' : value,
  }))
}

export const addImpersonator: Handler<typeof api.addImpersonator> = ({ body }, context) =>
  add(context, 'false', body)
export const updateImpersonator: Handler<typeof api.updateImpersonator> = ({ params, body }, context) =>
  change(context, 'false', params.id, body)
export const withdrawImpersonator: Handler<typeof api.withdrawImpersonator> = ({ params }, context) =>
  withdraw(context, 'false', params.id)

export const addOfficialEntry: Handler<typeof api.addOfficialEntry> = ({ body }, context) =>
  add(context, 'official', body)
export const changeOfficialEntry: Handler<typeof api.changeOfficialEntry> = ({ params, body }, context) =>
  change(context, 'official', params.id, body)
export const withdrawOfficialEntry: Handler<typeof api.withdrawOfficialEntry> = ({ params }, context) =>
  withdraw(context, 'official', params.id)

const add = (context: MemberContext, standing: ChannelStatus, given: EntryInput) =>
  changeList(context, standing, 'added', async (db, requireProof) => {
    const columns = { ...given, ...readGiven(given) }
    await requireFree(db, context, standing, columns)
    requireProof()
    const id = await insertKnown(db, { ...columns, standing, by: context.caller.memberId })
    return { id, values: [columns.value] }
  })

const change = (
  context: MemberContext,
  standing: ChannelStatus,
  id: string,
  { lastUpdated, ...given }: EntryInput & { lastUpdated: string },
) =>
  changeList(context, standing, 'changed', async (db, requireProof) => {
    const stored = await lockActive(db, id, standing)
    if (stored.updated_at.toISOString() !== lastUpdated) throw new Refused('conflict')
    const columns = { ...given, ...readGiven(given), id }
    await requireFree(db, context, standing, columns)
    requireProof()
    await updateKnown(db, columns)
    return { id, values: [stored.value, columns.value] }
  })

const withdraw = (context: MemberContext, standing: ChannelStatus, id: string) =>
  changeList(context, standing, 'withdrawn', async (db, requireProof) => {
    const { value } = await lockActive(db, id, standing)
    requireProof()
    await withdrawKnown(db, id, context.caller.memberId)
    return { id, values: [value] }
  })

type Step = (db: Tx, requireProof: () => void) => Promise<{ id: string; values: readonly string[] }>

/** Changes the list, one change at a time. `values` are what an entry said before and says now. */
const changeList = (
  context: MemberContext,
  standing: ChannelStatus,
  done: 'added' | 'changed' | 'withdrawn',
  step: Step,
): Promise<ListedChannel> =>
  transaction(context.db, async (db) => {
    const { caller } = context
    const isOfficial = standing === 'official'
    await lockKnownList(db)
    // Official entries determine where readers send money.
    const { id, values } = await step(db, () => isOfficial && caller.requireStepUp())
    await recordAudit(db, {
      actorId: caller.memberId,
      action: `${standing}-entry-${done}`,
      subjectKind: 'official',
      subjectId: id,
      // An impersonating address may belong to a person, so only the entry contains it.
      detail: {},
    })
    const by = { memberIds: [caller.memberId] }
    if (isOfficial) await notifyAboutOfficial(db, context, by, () => [...new Set(values)].join(' → '))
    return presentKnown(await getKnown(db, id))
  })

async function lockActive(db: Tx, id: string, standing: ChannelStatus) {
  const stored = await lockKnown(db, id, standing)
  if (!stored) throw new Refused('not_found')
  if (stored.withdrawn_at) throw new Refused('conflict')
  return stored
}

type Given = { kind: ChannelKind; value: string; key: string }

/**
 * Requires that nothing is listed twice, and nothing is both official and an impersonation. `id` is that of an entry
 * being changed.
 */
async function requireFree(
  db: Tx,
  context: MemberContext,
  standing: ChannelStatus,
  given: Given & { id?: string },
): Promise<void> {
  const [same] = await findByKeys(db, [given.key])
  if (same && same.id !== given.id)
    throw refusedField('value', same.standing === standing ? 'already_listed' : 'listed_otherwise')
  const isOtherwise = await (standing === 'official' ? coversFalse : coversOurs)(db, context, given)
  if (isOtherwise) throw refusedField('value', 'listed_otherwise')
}

/** Whether an impersonation entry would become official with this entry, or contain it. */
async function coversFalse(db: Tx, context: MemberContext, { kind, value }: Given): Promise<boolean> {
  const known = await readKnown(db, context, [{ kind, role: 'added', name: '', value }])
  const around = await findByKeys(db, classifyPasted(value, known).keys)
  if (around.some((each) => each.standing === 'false')) return true
  return (await listActive(db, 'false')).some((each) => classifyPasted(each.value, known).official)
}

/**
 * Whether one of our channels would count as an impersonation with this entry, or contain it: a page of our own, or a
 * name below our domain.
 */
async function coversOurs(db: Tx, context: MemberContext, given: Given): Promise<boolean> {
  const known = await readKnown(db, context)
  if (classifyPasted(given.value, known).official) return true
  return (await listOfficialChannels(db, context)).some((ours) =>
    classifyPasted(ours.value, known).keys.includes(given.key),
  )
}
