import type { Tx } from '../db/database.ts'
import { noteEvent } from '../webhooks/note-event.ts'
import type { findPublishedFacts } from './announcement.queries.ts'

type Published = Awaited<ReturnType<typeof findPublishedFacts>>

/** Machines are told that the post is public now, in the transaction that makes it so. */
export async function notePublished(
  db: Tx,
  { id, slug, language, version, posted_at }: Published,
): Promise<void> {
  const publishedAt = posted_at.toISOString()
  await noteEvent(db, 'post.published', id, { postId: id, slug, language, version, publishedAt })
}
