import { sql } from 'kysely'
import { recording } from '../audit/audit.queries.ts'
import { announcing } from '../db/changes.ts'
import { noteAnnounced } from '../db/committed-changes.ts'
import type { Tx } from '../db/database.ts'
import {
  authorName,
  columnsOfContent,
  nextEdit,
  type AnnouncementContent,
  type AnnouncementStored,
} from './announcement.queries.ts'
import type { Signed } from './signatures/signature.queries.ts'

/** What was signed of a post last, and the key that signs next, held until the end of the transaction. */
type Before = { at: Date; document: string; key: { id: string; sealed_private_key: Buffer } }

/** `undefined` where nothing of the post was signed, or not all that is public, or where there is no key. */
export async function findBeforeEdit(db: Tx, postId: string): Promise<Before | undefined> {
  const { rows } = await sql<{ at: Date; document: string; key_id: string; sealed_private_key: Buffer }>`
    with key as (select id, sealed_private_key from signing_key where retired_at is null for share),
    last as (
      select signed_document from announcement_version
      where announcement_id = ${postId} and signature is not null order by n desc limit 1)
    select now()::timestamptz(3) as at, last.signed_document as document, key.id as key_id, key.sealed_private_key
    from key, last
    where not exists (
      select from announcement_version
      where announcement_id = ${postId} and published_at is not null and signature is null)`.execute(db)
  const [row] = rows
  return (
    row && {
      at: row.at,
      document: row.document,
      key: { id: row.key_id, sealed_private_key: row.sealed_private_key },
    }
  )
}

type Edited = {
  content: AnnouncementContent
  signed: Omit<Signed, 'postId' | 'n'>
  at: Date
  by: string
  action: 'announcement-updated' | 'announcement-version-restored'
  restoredFrom: number | undefined
}

/** The text as the newest version, which is public and signed, the entry in the log and the notice to every instance. */
export async function savePublished(
  db: Tx,
  { id }: Pick<AnnouncementStored, 'id'>,
  { content, signed, at, by, action, restoredFrom }: Edited,
): Promise<{ edited_at: Date; author_name: string | null }> {
  const columns = Object.entries(columnsOfContent(content))
  const { rows } = await sql<{ edited_at: Date; author_name: string | null }>`
    with post as (
      update announcement set ${sql.join(columns.map(([name, value]) => sql`${sql.ref(name)} = ${value}`))},
        version = version + 1, edited_at = ${nextEdit}, edited_by = ${by}, changed_at = now(),
        publish_at = null, publish_zone = null
      where id = ${id} returning *),
    written as (
      insert into announcement_version (announcement_id, n, title, category, language, content, saved_by, restored_from,
        published_at, signed_document, signature, signing_key_id)
      select id, version, title, category, language, content, edited_by, ${restoredFrom ?? null}::integer,
        ${at}::timestamptz, ${signed.document}::text, ${signed.signature}::text, ${signed.keyId}::text from post),
    recorded as (${recording(
      {
        actorId: by,
        action,
        subjectKind: 'announcement',
        subjectId: id,
        ...(restoredFrom !== undefined && { detail: { version: restoredFrom } }),
      },
      sql`from post`,
    )})
    select post.edited_at, ${authorName} as author_name, ${announcing('announcements')}
    from post`.execute(db)
  noteAnnounced(db, 'announcements')
  return rows[0]!
}
