import { recordAudit } from '../../audit/audit.queries.ts'
import type { Tx } from '../../db/database.ts'
import { Refused } from '../../refused.ts'
import { freePieces } from './piece.queries.ts'
import { endRelease, findWaitingRelease } from './release.queries.ts'

/**
 * Before a piece changes: a proposal that it is part of is over, since what was looked at is not what would be confirmed. What
 * has a time is not undone by the way: whoever wants to change it cancels that first.
 */
export async function endWaiting(db: Tx, releaseId: string | null, memberId: string): Promise<void> {
  const release = releaseId === null ? undefined : await findWaitingRelease(db, releaseId)
  if (!release) return
  if (release.state === 'scheduled') throw new Refused('content_waits')
  await endRelease(db, release.id, { state: 'overtaken', by: memberId })
  await freePieces(db, release.id)
  for (const { piece } of release.pieces as { piece: string }[])
    await recordAudit(db, {
      actorId: memberId,
      action: 'content-overtaken',
      subjectKind: 'content',
      subjectId: piece,
    })
}
