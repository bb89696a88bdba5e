import type { api } from '#contract/api.ts'
import type { ContentRelease } from '#contract/publishing/console-content.ts'
import type { LegalDocument } from '#contract/people/consents.ts'
import { readSchedule } from '../../announcements/newsroom/read-schedule.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import { recordFourEyes } from '../../../people/four-eyes/record-changes.ts'
import { readContentPolicy } from '../../../people/four-eyes/read-policy.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import { applyPublished } from './apply-published.ts'
import { lockContent, setItemsRelease } from './content-item.queries.ts'
import { notifyApprovers, notifyAuthor } from './notify-editors.ts'
import { holdsOfficialRight, canApprove } from './official-changes.ts'
import { publishItems, readyToPublish, type ItemVersion, type Ready } from './publish-items.ts'
import {
  confirmSchedule,
  findRelease,
  insertRelease,
  listEndedReleases,
  listProposalsOfOthers,
  listReleases,
  type ReleaseRow,
} from './release.queries.ts'
import {
  closeRelease,
  endProposal,
  endReleaseItself,
  isAsReviewed,
  mayPublish,
  needsSecondApproval,
  presentRelease,
  publishRelease,
  recordStep,
} from './releases.ts'

type Schedule = { publishAt: Date | null; zone: string | null }
type Given = { pieces: readonly ItemVersion[]; newVersions: readonly LegalDocument[] }

export const publishContent: Handler<typeof api.publishContent> = ({ body }, context) =>
  release(context, body, { publishAt: null, zone: null })

export const scheduleContent: Handler<typeof api.scheduleContent> = ({ body }, context) =>
  release(context, body, readSchedule(body.publishAt, body.zone))

/** Publishes now, schedules, or proposes either to a second approver. */
async function release(context: MemberContext, given: Given, schedule: Schedule): Promise<ContentRelease> {
  const { caller } = context
  const { pieces, newVersions } = given
  // A legal text gets a new version only together with its own release.
  if (newVersions.length > 0 && !pieces.some(({ piece }) => piece === 'messages/legal'))
    throw refusedField('newVersions', 'invalid')
  const id = await transaction(context.db, async (db) => {
    const ready = await readyToPublish(db, context.keys, pieces)
    const isChange = ready.changes.some(({ changes }) => changes.length > 0)
    if (!isChange && newVersions.length === 0) throw refusedField('pieces', 'invalid')
    for (const { releaseId } of ready.items) await endProposal(db, releaseId, caller.memberId)
    // Checked last, so that nobody proves their identity for a release that is rejected anyway.
    if (ready.sensitive.length > 0 || newVersions.length > 0) caller.requireStepUp()
    const isProposal = await needsApproval(db, context, ready, newVersions)
    if (ready.sensitive.length > 0) await recordFourEyes(db, context)
    const state = isProposal ? 'proposed' : schedule.publishAt ? 'scheduled' : 'published'
    const { changes, sensitive } = ready
    const releaseId = await insertRelease(db, {
      ...schedule,
      state,
      pieces,
      changes,
      sensitive,
      newVersions,
      by: caller.memberId,
    })
    if (state === 'published') {
      await publishItems(db, context, ready, { by: caller.memberId, confirmedBy: null, newVersions })
      return releaseId
    }
    const names = pieces.map(({ piece }) => piece)
    await setItemsRelease(db, names, releaseId)
    await recordStep(db, { pieces }, isProposal ? 'content-proposed' : 'content-scheduled', caller)
    if (isProposal) await notifyApprovers(db, context, { proposed_by: caller.memberId, pieces, changes })
    return releaseId
  })
  return answer(context, id)
}

async function needsApproval(
  db: Tx,
  { caller, config }: MemberContext,
  ready: Ready,
  newVersions: readonly LegalDocument[],
): Promise<boolean> {
  if (needsSecondApproval(await readContentPolicy(db, config), ready, newVersions)) return true
  return ready.changesOfficial && !(await holdsOfficialRight(db, config, [caller.memberId]))
}

/** The publisher sees the result at once, in this instance too. */
async function answer(context: MemberContext, id: string): Promise<ContentRelease> {
  // It is already published: if it can't be applied now, the worker does it soon.
  await applyPublished(context).catch((error: unknown) =>
    context.log.warn({ name: error instanceof Error ? error.name : 'unknown' }, 'published content waits'),
  )
  const row = await findRelease(context.db, id)
  if (!row) throw new Refused('not_found')
  return presentRelease(context.db, context.config, row, context.caller)
}

export const listContentReleases: Handler<typeof api.listContentReleases> = async (
  { query },
  { db, config, caller, answer },
) => {
  const isWaiting = query.state === 'waiting'
  const isForCaller = isWaiting && query.waitingFor !== undefined
  const { rows, next } =
    query.state === 'dropped'
      ? await listEndedReleases(db, query)
      : isForCaller
        ? await listProposalsOfOthers(db, caller.memberId, query)
        : await listReleases(db, isWaiting, query)
  answer.setNext(next)
  const releases: ContentRelease[] = []
  for (const row of rows) {
    const release = await presentRelease(db, config, row, caller)
    if (isForCaller && !release.mayConfirm) continue
    // The versions record what was published.
    releases.push(isWaiting ? release : { ...release, changes: [] })
  }
  return releases
}

export const confirmContentRelease: Handler<typeof api.confirmContentRelease> = async (
  { params },
  context,
) => {
  const { caller, config } = context
  const isAsProposed = await transaction(context.db, async (db) => {
    await lockContent(db)
    const row = await requireWaiting(db, params.id, ['proposed'])
    if (row.proposed_by === caller.memberId) throw new Refused('forbidden')
    if (!(await mayPublish(db, config, row.proposed_by))) throw new Refused('conflict')
    if (!(await canApprove(db, config, row, caller.memberId))) throw new Refused('forbidden')
    const ready = await readyToPublish(db, context.keys, row.pieces as ItemVersion[])
    if (!isAsReviewed(row, ready)) {
      await endReleaseItself(db, row, 'changed')
      return false
    }
    caller.requireStepUp()
    if (row.publish_at && !row.is_due) {
      await confirmSchedule(db, row.id, caller.memberId)
      await recordStep(db, { pieces: ready.items }, 'content-scheduled', caller)
    } else await publishRelease(db, context, row, { ready, approver: caller.memberId })
    await notifyAuthor(db, context, row, { by: caller.memberId })
    return true
  })
  if (!isAsProposed) throw new Refused('conflict')
  return answer(context, params.id)
}

async function requireWaiting(
  db: Tx,
  id: string,
  states: readonly ReleaseRow['state'][],
): Promise<ReleaseRow> {
  const row = await findRelease(db, id)
  if (!row) throw new Refused('not_found')
  if (!states.includes(row.state)) throw new Refused('conflict')
  return row
}

/** The reason is required if someone else made the proposal. */
export const cancelContentRelease: Handler<typeof api.cancelContentRelease> = async (
  { params, body: { reason } },
  context,
) => {
  const by = context.caller.memberId
  await transaction(context.db, async (db) => {
    await lockContent(db)
    const row = await requireWaiting(db, params.id, ['proposed', 'scheduled'])
    if (row.state === 'scheduled' || row.proposed_by === by)
      return closeRelease(db, row, { state: 'cancelled', action: 'content-cancelled', by, reason })
    if (reason === '') throw refusedField('reason', 'required')
    await closeRelease(db, row, { state: 'declined', action: 'content-declined', by, reason })
    await notifyAuthor(db, context, row, { by, reason })
  })
  return answer(context, params.id)
}
