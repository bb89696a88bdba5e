import { sql } from 'kysely'
import type { Language } from '#contract/platform/fields.ts'
import type { Tx } from '../../../platform/db/database.ts'

/** Unsigned public versions of these posts, in the order of each post. */
export const listUnsigned = (db: Tx, postIds: readonly string[]) =>
  db
    .selectFrom('announcement_version as version')
    .innerJoin('announcement as post', 'post.id', 'version.announcement_id')
    .select([
      'post.id as post_id',
      'post.slug',
      'version.n',
      'version.language',
      'version.title',
      'version.category',
      'version.content',
      'version.published_at',
    ])
    .where('post.id', 'in', postIds)
    .where('version.published_at', 'is not', null)
    .where('version.signature', 'is', null)
    .orderBy('post.id')
    .orderBy('version.n')
    .execute()

/** Returns the last signature of each of these posts. */
export const listLastSigned = (db: Tx, postIds: readonly string[]) =>
  db
    .selectFrom('announcement_version')
    .distinctOn('announcement_id')
    .select(['announcement_id as post_id', 'n', 'signed_document'])
    .where('announcement_id', 'in', postIds)
    .where('signature', 'is not', null)
    .orderBy('announcement_id')
    .orderBy('n', 'desc')
    .execute()

export type Signed = { postId: string; n: number; document: string; signature: string; keyId: string }

export async function setSignatures(db: Tx, signed: readonly Signed[]): Promise<void> {
  const column = <K extends keyof Signed>(key: K) => signed.map((each) => each[key])
  await sql`
    update announcement_version version
    set signed_document = given.document, signature = given.signature, signing_key_id = given.key_id
    from unnest(${column('postId')}::text[], ${column('n')}::integer[], ${column('document')}::text[],
      ${column('signature')}::text[], ${column('keyId')}::text[]) as given (post_id, n, document, signature, key_id)
    where version.announcement_id = given.post_id and version.n = given.n`.execute(db)
}

/** Locks posts with unsigned public versions, skipping those that another instance has locked. */
export async function lockSomeUnsigned(db: Tx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from announcement post
    where exists (select from announcement_version version
      where version.announcement_id = post.id and version.published_at is not null and version.signature is null)
    order by id limit ${limit} for update skip locked`.execute(db)
  return rows.map(({ id }) => id)
}

/** Lists the signed versions of the public post at this address, newest first. Empty if there is none. */
export const listSigned = (db: Tx, language: Language, slug: string) =>
  db
    .selectFrom('announcement as post')
    .innerJoin('announcement_version as version', 'version.announcement_id', 'post.id')
    .select([
      'version.n',
      'version.title',
      'version.published_at',
      'version.signed_document',
      'version.signature',
      'version.signing_key_id',
    ])
    .where('post.slug', '=', slug)
    .where('post.language', '=', language)
    .where('post.state', '=', 'published')
    .where('version.published_at', 'is not', null)
    .where('version.signature', 'is not', null)
    .orderBy('version.n', 'desc')
    .execute()
