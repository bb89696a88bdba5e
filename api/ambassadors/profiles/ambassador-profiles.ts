import { announceChange } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'
import type { Source } from '../../module.ts'
import { abandonFiles } from '../../pending-files/pending-file.queries.ts'
import { keysOfPicture } from './ambassador-picture.ts'
import { deleteAmbassadorOfMember, deleteInvitationTo, findAmbassadorOfMember } from './ambassador.queries.ts'
import { standingOf } from './own-ambassador.ts'
import { presentVersion } from './present-profile.ts'
import { findApproved, findInWork, listPictures } from './profile.queries.ts'

/** Erases an ambassador together with the member: profile, pictures, and page. */
export async function eraseAmbassador(db: Tx, memberId: string): Promise<void> {
  await deleteInvitationTo(db, memberId)
  const known = await findAmbassadorOfMember(db, memberId)
  if (!known) return
  await abandonFiles(db, (await listPictures(db, known.id)).flatMap(keysOfPicture))
  await deleteAmbassadorOfMember(db, memberId)
  await announceChange(db, 'ambassadors')
}

export async function* readOwnProfile({ db, files, member }: Source) {
  const row = await findAmbassadorOfMember(db, member.id)
  if (!row) return
  const versions = [await findApproved(db, row.id), await findInWork(db, row.id)]
  yield {
    fullName: row.full_name,
    since: row.since.toISOString(),
    joinedAt: row.joined_at?.toISOString() ?? null,
    standing: standingOf(row),
    reason: row.reason,
    slug: row.slug,
    invitationCode: row.code,
    profiles: await Promise.all(
      versions.flatMap((version) => (version ? [presentVersion(files, version)] : [])),
    ),
  }
}
