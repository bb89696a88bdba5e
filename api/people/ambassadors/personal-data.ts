import { announceChange } from '../../platform/db/changes.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Source } from '../../platform/module.ts'
import { exportNotesOf } from '../notes/present-notes.ts'
import { abandonFiles } from '../../platform/pending-files/pending-file.queries.ts'
import {
  deleteApplicationsOf,
  findApplicationsOf,
  releaseApplicationsOf,
} from './applications/application.queries.ts'
import { keysOfPicture } from './profiles/ambassador-picture.ts'
import {
  deleteAmbassadorOfMember,
  deleteInvitationTo,
  findAmbassadorOfMember,
} from './profiles/ambassador.queries.ts'
import { readVersions, standingOf } from './profiles/present-profile.ts'
import { listPictures } from './profiles/profile.queries.ts'
import { deleteInvitedMember, listInvitationsOf } from './results/invitation.queries.ts'

export async function* exportApplications({ db, member }: Source) {
  for (const row of await findApplicationsOf(db, member.id)) {
    yield {
      fullName: row.full_name,
      city: row.city,
      country: row.country,
      socialMedia: row.social_media,
      description: row.description,
      language: row.language,
      status: row.status,
      statusSince: row.state_at.toISOString(),
      reason: row.reason,
      createdAt: row.created_at.toISOString(),
      notes: await exportNotesOf(db, { kind: 'ambassador-application', id: row.id }),
    }
  }
}

export async function* exportProfile({ db, files, member }: Source) {
  const row = await findAmbassadorOfMember(db, member.id)
  if (!row) return
  const { approved, inWork } = await readVersions(files, db, row.id)
  yield {
    fullName: row.full_name,
    since: row.since.toISOString(),
    joinedAt: row.joined_at?.toISOString() ?? null,
    standing: standingOf(row),
    reason: row.reason,
    slug: row.slug,
    invitationCode: row.code,
    profiles: [approved, inWork].filter(Boolean),
  }
}

/** Exports by whose invitation the member came, if it is still stored. */
export async function* exportInvitations({ db, member }: Source) {
  for (const row of await listInvitationsOf(db, member.id))
    yield {
      invitationCode: row.code,
      signedUpInWeekOf: dayOf(row.signed_up_in),
      activatedInWeekOf: dayOf(row.activated_in),
      identifiedInWeekOf: dayOf(row.identified_in),
      isCounted: row.is_counted,
      notCountedBecause: row.flags,
    }
}

/** The driver returns a date as midnight in the local time zone. */
const dayOf = (date: Date | null): string | null =>
  date &&
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')

export const isKnown = async (db: Tx, memberId: string): Promise<boolean> =>
  (await findAmbassadorOfMember(db, memberId)) !== undefined ||
  (await findApplicationsOf(db, memberId)).length > 0

export async function eraseMember(db: Tx, memberId: string): Promise<void> {
  await deleteInvitedMember(db, memberId)
  await deleteApplicationsOf(db, memberId)
  await deleteInvitationTo(db, memberId)
  await eraseAmbassador(db, memberId)
  await releaseApplicationsOf(db, memberId)
}

/** Erases an ambassador with the profile, its pictures, and the page. */
async function eraseAmbassador(db: Tx, memberId: string): Promise<void> {
  const known = await findAmbassadorOfMember(db, memberId)
  if (!known) return
  await abandonFiles(db, (await listPictures(db, known.id)).flatMap(keysOfPicture))
  await deleteAmbassadorOfMember(db, memberId)
  await announceChange(db, 'ambassadors')
}
