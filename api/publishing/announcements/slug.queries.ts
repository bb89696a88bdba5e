import { sql } from 'kysely'
import type { Language } from '#contract/platform/fields.ts'
import { isRefusedByIndex, type Tx } from '../../platform/db/database.ts'
import type { Refused } from '../../platform/refused.ts'
import { makeSlug } from './make-slug.ts'

/**
 * Returns an address that no post has or had in any language; only a translation can share one. `own` is the post that
 * needs it and may reuse its own former addresses. The address is locked until the transaction ends, so that two
 * concurrent posts get different ones. Call this after locking posts.
 */
export async function slugFor(db: Tx, title: string, own = ''): Promise<string> {
  const { rows } = await sql<{ slug: string }>`select take_slug(${makeSlug(title)}, ${own}) as slug`.execute(
    db,
  )
  return rows[0]!.slug
}

/** Returns an address that the post had before it was linked and that no other post has or had. */
export async function findOwnFormerSlug(db: Tx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ slug: string }>`
    select slug from announcement_former_slug former where announcement_id = ${id}
      and not exists (select from announcement a where a.slug = former.slug)
      and not exists (select from announcement_former_slug f where f.slug = former.slug and f.announcement_id <> ${id})
    order by slug limit 1`.execute(db)
  return rows[0]?.slug
}

type Place = { slug: string; language: Language }

/**
 * Moves the post to another address. With `isKnown` (someone may have the old one), the old address redirects to the
 * new one.
 */
export async function moveToSlug(
  db: Tx,
  post: Place & { id: string },
  slug: string,
  isKnown: boolean,
): Promise<void> {
  await db.updateTable('announcement').set({ slug }).where('id', '=', post.id).execute()
  await db
    .deleteFrom('announcement_former_slug')
    .where('slug', '=', slug)
    .where((where) =>
      where.or([where('announcement_id', '=', post.id), where('language', '=', post.language)]),
    )
    .execute()
  if (!isKnown) return
  await db
    .insertInto('announcement_former_slug')
    .values({ slug: post.slug, language: post.language, announcement_id: post.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Gives a post in the trash a new address, so that its translation can keep the shared one. Locks it: a post that is
 * being restored keeps its address.
 */
export async function vacateTrashed(db: Tx, { slug, language }: Place): Promise<void> {
  const trashed = await db
    .selectFrom('announcement')
    .select(['id', 'slug', 'language', 'title'])
    .where('slug', '=', slug)
    .where('language', '=', language)
    .where('state', '=', 'deleted')
    .forUpdate()
    .executeTakeFirst()
  if (trashed) await moveToSlug(db, trashed, await slugFor(db, trashed.title), false)
}

/** Converts the unique index's error, raised if the language of a post is taken, to the given error. */
export const refuseTaken = async <T>(work: Promise<T>, refusal: Refused): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw isRefusedByIndex(error, 'announcement_address') ? refusal : error
  }
}

/** Lists public posts that had this address before. */
export const listMovedFrom = (db: Tx, slug: string) =>
  db
    .selectFrom('announcement_former_slug as former')
    .innerJoin('announcement', 'announcement.id', 'former.announcement_id')
    .select(['announcement.slug', 'former.language'])
    .where('former.slug', '=', slug)
    .where('announcement.state', '=', 'published')
    .orderBy('former.language')
    .execute()
