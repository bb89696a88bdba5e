import type { EndCause } from '#contract/console-content.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import type { Tx } from '../../db/database.ts'
import { freePieces } from './piece.queries.ts'
import { endRelease, type ReleaseRow } from './release.queries.ts'

/** Ends what waits where nobody did: the record says so of each piece, and the drafts stay. */
export async function endReleaseItself(
  db: Tx,
  { id, state, pieces }: Pick<ReleaseRow, 'id' | 'state' | 'pieces'>,
  cause: EndCause,
): Promise<void> {
  await endRelease(db, id, { state: state === 'scheduled' ? 'failed' : 'overtaken', by: null, cause })
  await freePieces(db, id)
  for (const { piece } of pieces as { piece: string }[])
    await recordAudit(db, {
      actorId: null,
      action: state === 'scheduled' ? 'content-not-published' : 'content-outdated',
      subjectKind: 'content',
      subjectId: piece,
      detail: { cause },
    })
}
