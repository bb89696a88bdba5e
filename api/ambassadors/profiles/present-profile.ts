import type { AmbassadorPage, ProfileVersion, PublicAmbassador } from '#contract/ambassador-profiles.ts'
import type { FileStore } from '../../files/file-store.ts'
import { addressOfPicture, showPicture } from './ambassador-picture.ts'
import type { findBySlug, listPublic, ProfileRow } from './profile.queries.ts'

/** Presents a version for people who may see it before it is public. */
export const presentVersion = async (files: FileStore, row: ProfileRow): Promise<ProfileVersion> => ({
  state: row.state,
  en: { name: row.name_en, place: row.place_en, sentence: row.sentence_en },
  cn: { name: row.name_cn, place: row.place_cn, sentence: row.sentence_cn },
  link: row.link,
  languages: row.languages,
  picture: await showPicture(files, row.picture),
  reason: row.reason,
  updatedAt: row.updated_at.toISOString(),
})

type PublicRow = Awaited<ReturnType<typeof listPublic>>[number]

const wordsOf = (row: PublicRow) => ({
  name: { en: row.name_en, cn: row.name_cn },
  place: { en: row.place_en, cn: row.place_cn },
  sentence: { en: row.sentence_en, cn: row.sentence_cn },
  photo: row.picture === null ? null : addressOfPicture(row.picture),
})

export const presentPublic = (row: PublicRow): PublicAmbassador => ({
  slug: row.slug!,
  link: row.link,
  ...wordsOf(row),
})

/** Presents the public page. If the ambassadorship ended or is hidden, the page only says who it is about. */
export function presentPage(row: NonNullable<Awaited<ReturnType<typeof findBySlug>>>): AmbassadorPage {
  const { name, ...rest } = wordsOf(row)
  const isShown = row.ended_at === null && row.hidden_at === null
  return {
    slug: row.slug!,
    name,
    since: row.since.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    profile: isShown ? { ...rest, languages: row.languages, link: row.link } : null,
  }
}
