import type { api } from '#contract/api.ts'
import type { AuditAction } from '#contract/audit-actions.ts'
import type { EntryInput, ListedChannel, ChannelStatus } from '#contract/console-official.ts'
import type { ChannelKind } from '#contract/official.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { Handler, MemberContext } from '../http/handler.ts'
import { Refused, refusedField } from '../refused.ts'
import { classifyPasted } from './classify/classify-pasted.ts'
import { readGiven } from './key-of.ts'
import {
  findByKeys,
  getKnown,
  insertKnown,
  listFalse,
  lockKnown,
  lockKnownList,
  updateKnown,
  withdrawKnown,
} from './known-entry.queries.ts'
import { presentKnown } from './present-known.ts'
import { readKnown, listOfficialChannels } from './list-official-channels.ts'
import { notifyAboutOfficial } from './notify-about-official.ts'

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

/** Requires step-up authentication for official entries, because they determine where readers send money. */
function requireProof({ caller }: MemberContext, standing: ChannelStatus): void {
  if (standing === 'official') caller.requireStepUp()
}

const add = (context: MemberContext, standing: ChannelStatus, given: EntryInput): Promise<ListedChannel> =>
  transaction(context.db, async (db) => {
    await lockKnownList(db)
    const columns = { ...given, ...readGiven(given) }
    await requireFree(db, context, standing, columns)
    requireProof(context, standing)
    const id = await insertKnown(db, { ...columns, standing, by: context.caller.memberId })
    await note(db, context, standing, 'added', id, [columns.value])
    return presentKnown(await getKnown(db, id))
  })

const change = (
  context: MemberContext,
  standing: ChannelStatus,
  id: string,
  { lastUpdated, ...given }: EntryInput & { lastUpdated: string },
): Promise<ListedChannel> =>
  transaction(context.db, async (db) => {
    await lockKnownList(db)
    const stored = await lockKnown(db, id, standing)
    if (!stored) throw new Refused('not_found')
    if (stored.withdrawn_at || stored.updated_at.toISOString() !== lastUpdated) throw new Refused('conflict')
    const columns = { ...given, ...readGiven(given) }
    await requireFree(db, context, standing, columns, stored)
    requireProof(context, standing)
    await updateKnown(db, id, columns)
    await note(db, context, standing, 'changed', id, [stored.value, columns.value])
    return presentKnown(await getKnown(db, id))
  })

const withdraw = (context: MemberContext, standing: ChannelStatus, id: string): Promise<ListedChannel> =>
  transaction(context.db, async (db) => {
    await lockKnownList(db)
    const stored = await lockKnown(db, id, standing)
    if (!stored) throw new Refused('not_found')
    if (stored.withdrawn_at) throw new Refused('conflict')
    requireProof(context, standing)
    await withdrawKnown(db, id, context.caller.memberId)
    await note(db, context, standing, 'withdrawn', id, [stored.value])
    return presentKnown(await getKnown(db, id))
  })

/**
 * Requires that nothing is listed twice, and nothing is both official and an impersonation. `stored` is the entry being
 * changed.
 */
async function requireFree(
  db: Tx,
  context: MemberContext,
  standing: ChannelStatus,
  given: Given,
  stored?: { id: string; key: string },
): Promise<void> {
  const [same] = await findByKeys(db, [given.key])
  if (same && same.id !== stored?.id)
    throw refusedField('value', same.standing === standing ? 'already_listed' : 'listed_otherwise')
  const isOtherwise = await (standing === 'official' ? coversFalse : coversOurs)(db, context, given)
  if (isOtherwise) throw refusedField('value', 'listed_otherwise')
}

type Given = { kind: ChannelKind; value: string; key: string }

/** Whether an impersonation entry would become official with this entry, or contain it. */
async function coversFalse(db: Tx, context: MemberContext, given: Given): Promise<boolean> {
  const { kind, value } = given
  const known = await readKnown(db, context, [{ kind, role: 'added', name: '', value }])
  const around = await findByKeys(db, classifyPasted(value, known).keys)
  if (around.some((each) => each.standing === 'false')) return true
  return (await listFalse(db)).some((each) => classifyPasted(each.value, known).official)
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

type Done = 'added' | 'changed' | 'withdrawn'

async function note(
  db: Tx,
  context: MemberContext,
  standing: ChannelStatus,
  done: Done,
  id: string,
  values: readonly string[],
): Promise<void> {
  const action: AuditAction = `${standing}-entry-${done}`
  await recordAudit(db, {
    actorId: context.caller.memberId,
    action,
    subjectKind: 'official',
    subjectId: id,
    // An impersonating address may belong to a person, so only the entry contains it.
    detail: {},
  })
  if (standing === 'official') {
    const by = { memberIds: [context.caller.memberId] }
    await notifyAboutOfficial(db, context, by, () => [...new Set(values)].join(' → '))
  }
}
