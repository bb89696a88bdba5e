import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { findPublishedFacts, setPublished } from '../announcement.queries.ts'
import { notePublished } from '../note-published.ts'
import { isSignedElsewhere, signPublished } from '../signatures/sign-published.ts'
import { markNewestPublic, repeatNewest } from '../versions/version.queries.ts'

/**
 * The only way a version of a post becomes public that was written before: when published, when due, when a public post is saved,
 * and when it is restored from the trash; `publishNew` writes one that is public at once. Runs in the same transaction. With
 * `isHistory`, of posts that were public elsewhere before, nobody is told.
 */
export async function markPublished(
  db: Tx,
  services: Pick<Services, 'keys' | 'config'>,
  postId: string,
  { isHistory = false } = {},
): Promise<void> {
  const { slug, state_before } = await setPublished(db, postId)
  // The signed document includes the address, so a changed address makes a new version of the same text.
  if (await isSignedElsewhere(db, postId, slug)) await repeatNewest(db, postId)
  await markNewestPublic(db, postId)
  await signPublished(db, services, [postId])
  if (state_before !== 'published' && !isHistory)
    await notePublished(db, await findPublishedFacts(db, postId))
}
