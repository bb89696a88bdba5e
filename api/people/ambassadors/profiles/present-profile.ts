import { profileVersion, type ProfileVersion } from '#contract/people/ambassador-profiles.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { project } from '../../../platform/db/project.ts'
import type { FileStore } from '../../../platform/files/file-store.ts'
import { showPicture } from './ambassador-picture.ts'
import type { AmbassadorRow } from './ambassador.queries.ts'
import { findApproved, findInWork, type ProfileRow } from './profile.queries.ts'

export const standingOf = ({ ended_at, hidden_at }: Pick<AmbassadorRow, 'ended_at' | 'hidden_at'>) =>
  ended_at ? 'ended' : hidden_at ? 'hidden' : 'active'

/** Returns both versions, for people who may see a version before it is public. */
export const readVersions = async (files: FileStore, db: Tx, ambassadorId: string) => ({
  approved: await presentVersion(files, await findApproved(db, ambassadorId)),
  inWork: await presentVersion(files, await findInWork(db, ambassadorId)),
})

async function presentVersion(files: FileStore, row: ProfileRow | undefined): Promise<ProfileVersion | null> {
  if (!row) return null
  return {
    ...project(profileVersion, row),
    en: { name: row.name_en, place: row.place_en, sentence: row.sentence_en },
    cn: { name: row.name_cn, place: row.place_cn, sentence: row.sentence_cn },
    picture: await showPicture(files, row.picture),
  }
}
