import { sql } from 'kysely'
import type { ProfileWords } from '#contract/people/ambassador-profiles.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isOnPage } from './ambassador.queries.ts'

type ProfileContent = {
  en: ProfileWords
  cn: ProfileWords
  link: string
  languages: readonly string[]
  picture: string | null
}

const columnsOf = ({ en, cn, link, languages, picture }: ProfileContent) => ({
  name_en: en.name,
  name_cn: cn.name,
  place_en: en.place,
  place_cn: cn.place,
  sentence_en: en.sentence,
  sentence_cn: cn.sentence,
  link,
  languages: [...languages],
  picture,
})

export type ProfileRow = NonNullable<Awaited<ReturnType<typeof findApproved>>>

const profilesOf = (db: Tx, ambassadorId: string) =>
  db.selectFrom('ambassador_profile').selectAll().where('ambassador_id', '=', ambassadorId)

export const findApproved = (db: Tx, ambassadorId: string) =>
  profilesOf(db, ambassadorId).where('state', '=', 'approved').executeTakeFirst()

export const findInWork = (db: Tx, ambassadorId: string) =>
  profilesOf(db, ambassadorId).where('state', '!=', 'approved').executeTakeFirst()

/**
 * Stores the profile in progress. The caller holds the lock of the ambassador. Each state gets a later time than the
 * one before.
 */
export async function saveInWork(
  db: Tx,
  ambassadorId: string,
  content: ProfileContent,
  isSubmitted: boolean,
): Promise<void> {
  const values = {
    ...columnsOf(content),
    state: isSubmitted ? ('submitted' as const) : ('draft' as const),
    reason: '',
    submitted_at: isSubmitted ? sql<Date>`now()` : null,
  }
  await db
    .insertInto('ambassador_profile')
    .values({ ambassador_id: ambassadorId, ...values })
    .onConflict((conflict) =>
      conflict
        .column('ambassador_id')
        // Written exactly as in the index: a plan for any value could not use it.
        .where(sql<boolean>`state <> 'approved'`)
        .doUpdateSet({ ...values, updated_at: later }),
    )
    .execute()
}

const later = sql<Date>`greatest(now(), ambassador_profile.updated_at + interval '1 millisecond')`

/** Replaces the public profile with the submitted one. The caller holds the lock of the ambassador. */
export async function approveProfile(
  db: Tx,
  { id, ambassador_id }: Pick<ProfileRow, 'id' | 'ambassador_id'>,
  content: ProfileContent,
  by: string,
): Promise<void> {
  await db
    .deleteFrom('ambassador_profile')
    .where('ambassador_id', '=', ambassador_id)
    .where('state', '=', 'approved')
    .execute()
  await db
    .updateTable('ambassador_profile')
    .set({
      ...columnsOf(content),
      state: 'approved',
      decided_at: sql<Date>`now()`,
      decided_by: by,
      updated_at: later,
    })
    .where('id', '=', id)
    .execute()
}

export const returnProfile = (db: Tx, id: string, reason: string, by: string) =>
  db
    .updateTable('ambassador_profile')
    .set({ state: 'returned', reason, decided_at: sql<Date>`now()`, decided_by: by, updated_at: later })
    .where('id', '=', id)
    .execute()

export async function listPictures(db: Tx, ambassadorId: string): Promise<string[]> {
  const rows = await profilesOf(db, ambassadorId).where('picture', 'is not', null).execute()
  return [...new Set(rows.map(({ picture }) => picture!))]
}

const withPublic = (db: Tx) =>
  db
    .selectFrom('ambassador')
    .innerJoin('ambassador_profile as profile', (join) =>
      join.onRef('profile.ambassador_id', '=', 'ambassador.id').on('profile.state', '=', 'approved'),
    )
    .selectAll('profile')
    .select(['ambassador.slug', 'ambassador.since', 'ambassador.ended_at', 'ambassador.hidden_at'])

export const listPublic = (db: Tx, limit: number) =>
  withPublic(db)
    .where(isOnPage)
    .orderBy('ambassador.position')
    .orderBy('ambassador.id')
    .limit(limit)
    .execute()

export const findBySlug = (db: Tx, slug: string) =>
  withPublic(db).where('ambassador.slug', '=', slug).executeTakeFirst()

export const isPicturePublic = async (db: Tx, name: string): Promise<boolean> =>
  (await withPublic(db).where('profile.picture', '=', name).where(isOnPage).executeTakeFirst()) !== undefined
