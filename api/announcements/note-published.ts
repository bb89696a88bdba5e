import type { Tx } from '../db/database.ts'
import { noteEvent } from '../webhooks/note-event.ts'
import { findPublishedFacts } from './announcement.queries.ts'

/** Machines are told that the post is public now, in the transaction that makes it so. */
export async function notePublished(db: Tx, postId: string): Promise<void> {
  const { id, slug, language, version, posted_at } = await findPublishedFacts(db, postId)
  const publishedAt = posted_at.toISOString()
  await noteEvent(db, 'post.published', id, { postId: id, slug, language, version, publishedAt })
}
