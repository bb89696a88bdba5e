import type { Noun, Source } from '../noun.ts'
import { findAmbassadorOfMember } from './profiles/ambassador.queries.ts'
import { ambassadorProfiles, eraseAmbassador, readOwnProfile } from './profiles/ambassador-profiles.ts'
import { applyAsAmbassador } from './apply-as-ambassador.ts'
import {
  deleteAmbassadorApplicationsByEmail,
  findAmbassadorApplicationsByEmail,
} from './ambassador.queries.ts'

/** Applications to the ambassador programme. They belong to an address, with or without an account. */
export const ambassadors = {
  calls: { applyAsAmbassador, ...ambassadorProfiles },
  personal: {
    columns: {
      ambassador_application: {
        email: 'erased',
        full_name: 'erased',
        city: 'erased',
        country: 'erased',
        social_media: 'erased',
        description: 'erased',
      },
      ambassador: {
        email: 'erased',
        full_name: 'erased',
        member_id: 'erased',
        code: 'erased',
        slug: 'erased',
        reason: 'erased',
      },
      ambassador_profile: {
        name_en: 'erased',
        name_cn: 'erased',
        place_en: 'erased',
        place_cn: 'erased',
        sentence_en: 'erased',
        sentence_cn: 'erased',
        link: 'erased',
        languages: 'erased',
        picture: 'erased',
        reason: 'erased',
        decided_by: 'remains',
      },
      // A keyed hash, which says nothing without the name.
      ambassador_slug: { slug_hash: 'remains' },
    },
    parts: {
      ambassadorApplications: { isList: true, read: readApplications },
      ambassador: { isList: true, read: readOwnProfile },
    },
    erases: {
      ambassador: async (db, { id, email }) =>
        (await findAmbassadorOfMember(db, id)) !== undefined ||
        (await findAmbassadorApplicationsByEmail(db, email)).length > 0,
    },
    erase: async (db, { id, email }) => {
      await eraseAmbassador(db, id)
      await deleteAmbassadorApplicationsByEmail(db, email)
    },
  },
} satisfies Noun

async function* readApplications({ db, member }: Source) {
  for (const row of await findAmbassadorApplicationsByEmail(db, member.email))
    yield {
      fullName: row.full_name,
      city: row.city,
      country: row.country,
      socialMedia: row.social_media,
      description: row.description,
      status: row.status,
      createdAt: row.created_at.toISOString(),
    }
}
