import type { api } from '#contract/api.ts'
import type { ContentRelease } from '#contract/console-content.ts'
import type { LegalDocument } from '#contract/consents.ts'
import { readSchedule } from '../../announcements/newsroom/read-schedule.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction, type Tx } from '../../db/database.ts'
import { noteFourEyes } from '../../four-eyes/note-changes.ts'
import { readContentPolicy } from '../../four-eyes/read-policy.ts'
import type { Handler, MemberContext } from '../../http/handler.ts'
import { Refused, refusedField } from '../../refused.ts'
import { applyPublished } from './apply-published.ts'
import { endReleaseItself } from './end-release-itself.ts'
import { endWaiting } from './end-waiting.ts'
import { freePieces, lockContent, setPieceRelease } from './piece.queries.ts'
import { presentRelease } from './present-release.ts'
import { publishPieces, readyToPublish, requireLegalPiece, type GivenPiece } from './publish-pieces.ts'
import {
  confirmSchedule,
  endRelease,
  findRelease,
  insertRelease,
  isPast,
  listDroppedReleases,
  listReleases,
  mayPublish,
  type ReleaseRow,
} from './release.queries.ts'
import { isAsLookedAt, mayChangeOfficial, mayConfirm, takesTwo } from './release-still-holds.ts'
import { tellAuthor, tellSecond } from './tell-editors.ts'

type Schedule = { publishAt: Date; zone: string }
type ToRelease = { pieces: readonly GivenPiece[]; newVersions: readonly LegalDocument[] }

export const publishContent: Handler<typeof api.publishContent> = ({ body }, context) =>
  release(context, body, null)

export const scheduleContent: Handler<typeof api.scheduleContent> = ({ body }, context) =>
  release(context, body, readSchedule(body.publishAt, body.zone))

/** Publishes now, sets a time, or proposes either to a second person. */
async function release(
  context: MemberContext,
  { pieces: given, newVersions }: ToRelease,
  schedule: Schedule | null,
): Promise<ContentRelease> {
  const { caller, config } = context
  requireLegalPiece(given, newVersions)
  const id = await transaction(context.db, async (db) => {
    const ready = await readyToPublish(db, context.keys, given)
    if (ready.sensitive.length > 0 || newVersions.length > 0) caller.requireStepUp()
    const changing = ready.changes.some(({ changes }) => changes.length > 0)
    if (!changing && newVersions.length === 0) throw refusedField('pieces', 'invalid')
    for (const { releaseId } of ready.pieces) await endWaiting(db, releaseId, caller.memberId)
    const takesAnother =
      takesTwo(await readContentPolicy(db, config), ready, newVersions) ||
      !(await mayChangeOfficial(db, config, ready, [caller.memberId]))
    if (!takesAnother && ready.sensitive.length > 0) await noteFourEyes(db, context)
    const state = takesAnother ? 'proposed' : schedule ? 'scheduled' : 'published'
    const releaseId = await insertRelease(db, {
      state,
      pieces: given,
      changes: ready.changes,
      sensitive: ready.sensitive,
      newVersions,
      publishAt: schedule?.publishAt ?? null,
      zone: schedule?.zone ?? null,
      by: caller.memberId,
    })
    if (state === 'published')
      await publishPieces(db, context, ready, {
        by: caller.memberId,
        confirmedBy: null,
        newVersions,
        origin: 'console',
      })
    else {
      await setPieceRelease(
        db,
        given.map(({ piece }) => piece),
        releaseId,
      )
      await record(
        db,
        state === 'proposed' ? 'content-proposed' : 'content-scheduled',
        given,
        caller.memberId,
      )
      const proposal = { proposed_by: caller.memberId, pieces: given, changes: ready.changes }
      if (state === 'proposed') await tellSecond(db, context, proposal)
    }
    return releaseId
  })
  return answer(context, id)
}

const record = async (
  db: Tx,
  action: 'content-proposed' | 'content-scheduled' | 'content-cancelled' | 'content-declined',
  pieces: readonly { piece: string }[],
  actorId: string,
): Promise<void> => {
  for (const { piece } of pieces)
    await recordAudit(db, { actorId, action, subjectKind: 'content', subjectId: piece })
}

/** Whoever published sees it at once, in this instance too. */
async function answer(context: MemberContext, id: string): Promise<ContentRelease> {
  // It is published already: where it cannot be shown now, the worker does it soon.
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
  const { rows, next } =
    query.state === 'dropped'
      ? await listDroppedReleases(db, query)
      : await listReleases(db, query.state === 'waiting', query)
  answer.setNext(next)
  // What became public is told by the versions.
  const releases: ContentRelease[] = []
  for (const row of rows) {
    const release = await presentRelease(db, config, row, caller)
    releases.push(query.state === 'waiting' ? release : { ...release, changes: [] })
  }
  return releases
}

export const confirmContentRelease: Handler<typeof api.confirmContentRelease> = async (
  { params },
  context,
) => {
  const { caller, config } = context
  caller.requireStepUp()
  const isStill = await transaction(context.db, async (db) => {
    await lockContent(db)
    const row = await requireWaiting(db, params.id, 'proposed')
    if (row.proposed_by === caller.memberId) throw new Refused('forbidden')
    // Whoever proposed it must still be one who may.
    if (!(await mayPublish(db, config, row.proposed_by))) throw new Refused('conflict')
    if (!(await mayConfirm(db, config, row, caller.memberId))) throw new Refused('forbidden')
    const ready = await readyToPublish(db, context.keys, row.pieces as GivenPiece[])
    if (!isAsLookedAt(row, ready)) {
      await endReleaseItself(db, row, 'changed')
      return false
    }
    if (row.publish_at && !(await isPast(db, row.publish_at))) {
      await confirmSchedule(db, row.id, caller.memberId)
      await record(db, 'content-scheduled', ready.pieces, caller.memberId)
      await tellAuthor(db, context, row, { by: caller.memberId })
      return true
    }
    await endRelease(db, row.id, {
      state: 'published',
      by: caller.memberId,
      confirmedBy: caller.memberId,
    })
    await publishPieces(db, context, ready, {
      by: row.proposed_by,
      confirmedBy: caller.memberId,
      newVersions: row.new_versions as LegalDocument[],
      origin: 'console',
    })
    await tellAuthor(db, context, row, { by: caller.memberId })
    return true
  })
  if (!isStill) throw new Refused('conflict')
  return answer(context, params.id)
}

async function requireWaiting(db: Tx, id: string, state?: 'proposed'): Promise<ReleaseRow> {
  const row = await findRelease(db, id)
  if (!row) throw new Refused('not_found')
  const isWaiting = state ? row.state === state : row.state === 'proposed' || row.state === 'scheduled'
  if (!isWaiting) throw new Refused('conflict')
  return row
}

/** The reason is needed where the proposal is somebody else's. */
export const cancelContentRelease: Handler<typeof api.cancelContentRelease> = async (
  { params, body: { reason } },
  context,
) => {
  const { memberId } = context.caller
  await transaction(context.db, async (db) => {
    await lockContent(db)
    const row = await requireWaiting(db, params.id)
    const isDeclined = row.state === 'proposed' && row.proposed_by !== memberId
    if (isDeclined && reason === '') throw refusedField('reason', 'required')
    await endRelease(db, row.id, { state: isDeclined ? 'declined' : 'cancelled', by: memberId, reason })
    await freePieces(db, row.id)
    await record(
      db,
      isDeclined ? 'content-declined' : 'content-cancelled',
      row.pieces as GivenPiece[],
      memberId,
    )
    if (isDeclined) await tellAuthor(db, context, row, { by: memberId, reason })
  })
  return answer(context, params.id)
}
