import type { Tx } from '../db/database.ts'
import type { Services } from '../services.ts'
import type { AnnouncementContent } from './announcement.queries.ts'
import { findPlace, insertPublished } from './new-post.queries.ts'
import { holdPictures } from './pictures/picture.queries.ts'
import type { AnnouncementRow } from './reading.queries.ts'
import { signVersion } from './signatures/sign-published.ts'
import { openSigningKey, takeSigningKey } from './signatures/signing-key.ts'

/**
 * A post that is public as it is written: nothing of it was signed before, so that it is written once, with its signature. What is
 * signed beforehand (its address, its time, the key) is compared as it is written, and signed again where it changed.
 */
export async function publishNew(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  content: AnnouncementContent,
  { by, slug }: { by: string; slug: string | undefined },
): Promise<AnnouncementRow> {
  await holdPictures(db, content.content)
  const { title, category, language } = content
  const text = { title, category, language, content: content.content }
  for (;;) {
    const place = await findPlace(db, title, slug)
    const { key_id, sealed_private_key } = place
    const key =
      key_id === null
        ? await takeSigningKey(db, keys)
        : openSigningKey(keys, { id: key_id, sealed_private_key })
    const signed = signVersion(key, config, {
      ...text,
      post_id: place.id,
      slug: place.slug,
      n: 1,
      published_at: place.at,
    })
    const written = await insertPublished(db, place, {
      content,
      by,
      signed,
      isTranslation: slug !== undefined,
    })
    if (!written) continue
    return {
      ...text,
      id: place.id,
      slug: place.slug,
      content_summary: content.contentSummary,
      state: 'published',
      posted_at: place.at,
      edited_at: null,
      created_by: by,
      author_name: written.author_name,
    }
  }
}
