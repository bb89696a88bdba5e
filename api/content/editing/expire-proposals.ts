import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { freePieces, lockContent } from './piece.queries.ts'
import { deleteOldReleases, endRelease, listExpiredProposals } from './release.queries.ts'
import { tellOfLapse } from './tell-editors.ts'

/** Ends proposals that nobody confirmed; their drafts stay. */
export async function expireContentProposals(
  services: Pick<Services, 'db' | 'keys' | 'config' | 'content'>,
): Promise<void> {
  await transaction(services.db, async (db) => {
    await lockContent(db)
    for (const proposal of await listExpiredProposals(db)) {
      await endRelease(db, proposal.id, { state: 'expired', by: null })
      await freePieces(db, proposal.id)
      for (const { piece } of proposal.pieces as { piece: string }[])
        await recordAudit(db, {
          actorId: null,
          action: 'content-expired',
          subjectKind: 'content',
          subjectId: piece,
        })
      await tellOfLapse(db, services, proposal)
    }
  })
  await deleteOldReleases(services.db)
}
