import { sql } from 'kysely'
import { recording } from '../audit/audit.queries.ts'
import { announcing } from '../db/changes.ts'
import type { Tx } from '../db/database.ts'
import { columnsOfContent, type AnnouncementContent } from './announcement.queries.ts'
import { makeSlug } from './make-slug.ts'
import type { Signed } from './signatures/signature.queries.ts'

export type NewPost = { id: string; slug: string; at: Date }

/** What a post is known by that is about to be written, and the time of the transaction. `slug` is that of the post which it translates. */
export async function placePost(db: Tx, title: string, slug: string | undefined): Promise<NewPost> {
  const { rows } = await sql<NewPost>`
    select gen_random_uuid()::text as id, now()::timestamptz(3) as at,
      ${slug === undefined ? sql`take_slug(${makeSlug(title)}, '')` : sql`${slug}::text`} as slug`.execute(db)
  return rows[0]!
}

type Written = { content: AnnouncementContent; by: string; signed: Omit<Signed, 'postId' | 'n'> }

/** The post, its first version as it was signed, the entry in the log and the notice to every instance. Returns its author's name. */
export async function insertPublished(
  db: Tx,
  { id, slug }: NewPost,
  { content, by, signed }: Written,
): Promise<string | null> {
  const columns = { ...columnsOfContent(content), id, slug, state: 'published', created_by: by }
  const { rows } = await sql<{ author_name: string | null }>`
    with post as (
      insert into announcement (${sql.join(Object.keys(columns).map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(columns))})
      returning *),
    written as (
      insert into announcement_version (announcement_id, n, title, category, language, content, saved_by, published_at,
        signed_document, signature, signing_key_id)
      select id, version, title, category, language, content, created_by, now(),
        ${signed.document}::text, ${signed.signature}::text, ${signed.keyId}::text from post),
    recorded as (${recording(
      {
        actorId: by,
        action: 'announcement-created',
        subjectKind: 'announcement',
        subjectId: id,
        detail: { status: 'published' },
      },
      sql`from post`,
    )})
    select member.display_name as author_name, ${announcing(db, 'announcements')}
    from post left join member on member.id = post.created_by`.execute(db)
  return rows[0]!.author_name
}
