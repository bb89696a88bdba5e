import type { Tx } from '../db/database.ts'
import type { Services } from '../services.ts'
import type { AnnouncementContent, AnnouncementStored } from './announcement.queries.ts'
import { findBeforeEdit, savePublished } from './edited-post.queries.ts'
import { holdPictures } from './pictures/picture.queries.ts'
import type { AnnouncementRow } from './reading.queries.ts'
import { signVersion } from './signatures/sign-published.ts'
import { openSigningKey } from './signatures/signing-key.ts'

type Saved = {
  by: string
  action: 'announcement-updated' | 'announcement-version-restored'
  restoredFrom: number | undefined
}

/**
 * Another text of a public post in the same language, whose address stays: written once, with its version, signature, entry in the
 * log and notice. `undefined` where something is still to be signed before it. The post is locked.
 */
export async function publishEdited(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  stored: AnnouncementStored,
  content: AnnouncementContent,
  saved: Saved,
): Promise<AnnouncementRow | undefined> {
  const before = await findBeforeEdit(db, stored.id)
  if (!before) return undefined
  await holdPictures(db, content.content)
  const { title, category, language } = content
  const text = { title, category, language, content: content.content }
  const signed = signVersion(
    openSigningKey(keys, before.key),
    config,
    { ...text, post_id: stored.id, slug: stored.slug, n: stored.version + 1, published_at: before.at },
    before.document,
  )
  const { edited_at, author_name } = await savePublished(db, stored, {
    content,
    signed,
    at: before.at,
    ...saved,
  })
  return {
    ...text,
    id: stored.id,
    slug: stored.slug,
    content_summary: content.contentSummary,
    state: stored.state,
    posted_at: stored.posted_at,
    edited_at,
    created_by: stored.created_by,
    author_name,
  }
}
