import { sql } from 'kysely'
import { recording } from '../audit/audit.queries.ts'
import { announcing } from '../db/changes.ts'
import { noteAnnounced } from '../db/committed-changes.ts'
import type { Tx } from '../db/database.ts'
import { notingEvent } from '../webhooks/event.queries.ts'
import { newEvent } from '../webhooks/note-event.ts'
import { authorName, columnsOfContent, type AnnouncementContent } from './announcement.queries.ts'
import { makeSlug } from './make-slug.ts'
import { toldOf } from './note-published.ts'
import type { Signed } from './signatures/signature.queries.ts'

/** What a post is known by that is about to be written, and its time. */
export type NewPost = { id: string; slug: string; at: Date }

type Place = NewPost & { key_id: string | null; sealed_private_key: Buffer }

/** Where a post of this title would stand now, and the key that would sign it. `slug` is that of the post which it translates. */
export async function findPlace(db: Tx, title: string, slug: string | undefined): Promise<Place> {
  const { rows } = await sql<Place>`
    select gen_random_uuid()::text as id, now()::timestamptz(3) as at,
      ${slug === undefined ? sql`take_slug(${makeSlug(title)}, '')` : sql`${slug}::text`} as slug,
      key.id as key_id, key.sealed_private_key
    from (select) once left join signing_key key on key.retired_at is null`.execute(db)
  return rows[0]!
}

type Written = {
  content: AnnouncementContent
  by: string
  signed: Omit<Signed, 'postId' | 'n'>
  isTranslation: boolean
}

/**
 * The post, its first version as it was signed, the entry in the log, what machines are told and the notice to every instance.
 * Returns its author's name, or nothing where the address was taken or the key changed meanwhile: then nothing is written.
 */
export async function insertPublished(
  db: Tx,
  { id, slug, at }: NewPost,
  { content, by, signed, isTranslation }: Written,
): Promise<{ author_name: string | null } | undefined> {
  const columns = {
    ...columnsOfContent(content),
    id,
    slug,
    state: 'published',
    created_by: by,
    posted_at: at,
  }
  const isFree = isTranslation ? sql`true` : sql`take_slug(${makeSlug(content.title)}, '') = ${slug}`
  const { language } = content
  const told = newEvent('post.published', id, toldOf({ id, slug, language, version: 1, posted_at: at }))
  const { rows } = await sql<{ author_name: string | null; is_told: boolean }>`
    with key as materialized (
      select id from signing_key where id = ${signed.keyId} and retired_at is null for share),
    post as (
      insert into announcement (${sql.join(Object.keys(columns).map((name) => sql.ref(name)))})
      select ${sql.join(Object.values(columns))}
      from key where ${isFree}
      returning *),
    written as (
      insert into announcement_version (announcement_id, n, title, category, language, content, saved_by, saved_at, published_at,
        signed_document, signature, signing_key_id)
      select id, version, title, category, language, content, created_by, posted_at, posted_at,
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
    )}),
    ${notingEvent(told, sql`exists (select from post)`)}
    select ${authorName} as author_name, ${announcing('announcements')},
      exists (select from told) as is_told, (select ${announcing('webhooks')} from told limit 1)
    from post`.execute(db)
  if (rows[0]) noteAnnounced(db, 'announcements')
  if (rows[0]?.is_told) noteAnnounced(db, 'webhooks')
  return rows[0]
}
