import { listedAmbassadorsMax } from '#contract/people/ambassador-profiles.ts'
import type { api } from '#contract/api.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import type { Services } from '../../../platform/services.ts'
import { addressOfPicture, nameOfFile, readFile } from './ambassador-picture.ts'
import { findBySlug, isPicturePublic, listPublic } from './profile.queries.ts'

const presentPublic = (row: Awaited<ReturnType<typeof listPublic>>[number]) => ({
  slug: row.slug!,
  name: { en: row.name_en, cn: row.name_cn },
  place: { en: row.place_en, cn: row.place_cn },
  sentence: { en: row.sentence_en, cn: row.sentence_cn },
  link: row.link,
  photo: row.picture === null ? null : addressOfPicture(row.picture),
})

export const listAmbassadors: Handler<typeof api.listAmbassadors> = async (_, { db }) =>
  (await listPublic(db, listedAmbassadorsMax)).map(presentPublic)

/** If the ambassadorship ended or is hidden, the page only says who it is about. */
export const getAmbassador: Handler<typeof api.getAmbassador> = async ({ params }, { db }) => {
  // Slugs are lowercase; typed capitals lead to the same person.
  const row = await findBySlug(db, params.slug.toLowerCase())
  if (!row) throw new Refused('not_found')
  const { slug, name, ...rest } = presentPublic(row)
  const isShown = row.ended_at === null && row.hidden_at === null
  return {
    slug,
    name,
    since: row.since.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    profile: isShown ? { ...rest, languages: row.languages } : null,
  }
}

/** Returns the bytes of a picture by the last part of its address, while it is public. */
export async function readAmbassadorPicture(
  { db, files }: Pick<Services, 'db' | 'files'>,
  file: string,
): Promise<Buffer | undefined> {
  const name = nameOfFile(file)
  return name !== undefined && (await isPicturePublic(db, name)) ? readFile(files, file) : undefined
}
