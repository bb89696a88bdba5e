import type { WebhookData } from '#contract/webhook-events.ts'
import type { Tx } from '../db/database.ts'
import { noteEvent } from '../webhooks/note-event.ts'
import type { findPublishedFacts } from './announcement.queries.ts'

type Published = Awaited<ReturnType<typeof findPublishedFacts>>

/** What machines are told of a post that is public now. */
export const toldOf = ({
  id,
  slug,
  language,
  version,
  posted_at,
}: Published): WebhookData<'post.published'> => ({
  postId: id,
  slug,
  language,
  version,
  publishedAt: posted_at.toISOString(),
})

/** They are told in the transaction that makes it so. */
export const notePublished = (db: Tx, post: Published): Promise<void> =>
  noteEvent(db, 'post.published', post.id, toldOf(post))
