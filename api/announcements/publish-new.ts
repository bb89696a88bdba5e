import type { Tx } from '../db/database.ts'
import type { Services } from '../services.ts'
import type { AnnouncementContent } from './announcement.queries.ts'
import { insertPublished, placePost } from './new-post.queries.ts'
import { holdPictures } from './pictures/picture.queries.ts'
import type { AnnouncementRow } from './reading.queries.ts'
import { signVersion } from './signatures/sign-published.ts'
import { takeSigningKey } from './signatures/signing-key.ts'

/** A post that is public as it is written: nothing of it was signed before, so that it is written once, with its signature. */
export async function publishNew(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  content: AnnouncementContent,
  { by, slug }: { by: string; slug: string | undefined },
): Promise<AnnouncementRow> {
  const post = await placePost(db, content.title, slug)
  await holdPictures(db, content.content)
  const key = await takeSigningKey(db, keys)
  const { title, category, language } = content
  const text = { title, category, language, content: content.content }
  const signed = signVersion(key, config, {
    ...text,
    post_id: post.id,
    slug: post.slug,
    n: 1,
    published_at: post.at,
  })
  return {
    ...text,
    id: post.id,
    slug: post.slug,
    content_summary: content.contentSummary,
    state: 'published',
    posted_at: post.at,
    edited_at: null,
    created_by: by,
    author_name: await insertPublished(db, post, { content, by, signed }),
  }
}
