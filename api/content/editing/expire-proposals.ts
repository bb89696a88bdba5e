import { transaction, type Database } from '../../db/database.ts'
import { freePieces, lockContent } from './piece.queries.ts'
import { deleteOldReleases, endRelease, listExpiredProposals } from './release.queries.ts'

/** Ends proposals that nobody confirmed; their drafts stay. */
export async function expireContentProposals(db: Database): Promise<void> {
  await transaction(db, async (db) => {
    await lockContent(db)
    for (const { id } of await listExpiredProposals(db)) {
      await endRelease(db, id, { state: 'expired', by: null })
      await freePieces(db, id)
    }
  })
  await deleteOldReleases(db)
}
