import type { Tx } from '../../db/database.ts'
import type { SampleWorld } from '../../sample-world.ts'
import { upsertDraft } from './draft.queries.ts'
import { lockPiece, setPieceNumber } from './piece.queries.ts'

const piece = 'messages/placeholder'

/** A draft that an editor has begun, in one language so far. */
export async function insertSampleDraft(db: Tx, { operators }: SampleWorld): Promise<void> {
  const { n } = await lockPiece(db, piece)
  const value = 'Back to the home page'
  await upsertDraft(db, { piece, place: 'en.placeholder.home', value, n: n + 1, by: operators.news2 })
  await setPieceNumber(db, piece, n + 1)
}
