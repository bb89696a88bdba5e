import type { Tx } from '../../platform/db/database.ts'
import type { Services } from '../../platform/services.ts'
import { recordEvent } from '../../platform/outbox/event.queries.ts'
import { findPublishedFacts, setPublished } from './announcement.queries.ts'
import { isSignedElsewhere, signPublished } from './signatures/sign-published.ts'
import { markNewestPublic, repeatNewest } from './versions/version.queries.ts'

/**
 * Makes a version public. This is the only way: when it is created as published, published, due, saved in a public
 * post, or restored from the trash. Runs in the transaction of its cause. With `isHistory`, for posts that were public
 * on another site before, no webhook endpoint is notified.
 */
export async function markPublished(
  db: Tx,
  services: Pick<Services, 'keys' | 'config'>,
  postId: string,
  { isHistory = false } = {},
): Promise<void> {
  const { slug, state_before } = await setPublished(db, postId)
  // The signed document includes the address, so a changed address creates a new version of the same text.
  if (await isSignedElsewhere(db, postId, slug)) await repeatNewest(db, postId)
  await markNewestPublic(db, postId)
  await signPublished(db, services, [postId])
  if (state_before === 'published' || isHistory) return
  const { language, version, posted_at } = await findPublishedFacts(db, postId)
  const publishedAt = posted_at.toISOString()
  await recordEvent(db, 'post.published', postId, { postId, slug, language, version, publishedAt })
}
