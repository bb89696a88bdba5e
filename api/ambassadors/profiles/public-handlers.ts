import { listedAmbassadorsMax } from '#contract/ambassador-profiles.ts'
import type { api } from '#contract/api.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import type { Services } from '../../services.ts'
import { nameOfFile, readFile } from './ambassador-picture.ts'
import { presentPage, presentPublic } from './present-profile.ts'
import { findBySlug, isPicturePublic, listPublic } from './profile.queries.ts'

export const listAmbassadors: Handler<typeof api.listAmbassadors> = async (_, { db }) =>
  (await listPublic(db, listedAmbassadorsMax)).map(presentPublic)

export const getAmbassador: Handler<typeof api.getAmbassador> = async ({ params }, { db }) => {
  // Slugs are lowercase; typed capitals lead to the same person.
  const row = await findBySlug(db, params.slug.toLowerCase())
  if (!row) throw new Refused('not_found')
  return presentPage(row)
}

/** Returns the bytes of a picture by the last part of its address, while it is public. */
export async function readAmbassadorPicture(
  { db, files }: Pick<Services, 'db' | 'files'>,
  file: string,
): Promise<Buffer | undefined> {
  const name = nameOfFile(file)
  return name !== undefined && (await isPicturePublic(db, name)) ? readFile(files, file) : undefined
}
