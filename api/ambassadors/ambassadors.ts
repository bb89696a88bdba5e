import type { Noun, Source } from '../noun.ts'
import { deleteAmbassadorOfMember } from './profiles/ambassador.queries.ts'
import { applyAsAmbassador } from './apply-as-ambassador.ts'
import {
  deleteAmbassadorApplicationsByEmail,
  findAmbassadorApplicationsByEmail,
} from './ambassador.queries.ts'

/** Applications to the ambassador programme. They belong to an address, with or without an account. */
export const ambassadors = {
  calls: { applyAsAmbassador },
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
      },
    },
    parts: { ambassadorApplications: { isList: true, read: readApplications } },
    erases: {
      ambassador: async (db, { email }) => (await findAmbassadorApplicationsByEmail(db, email)).length > 0,
    },
    erase: async (db, { id, email }) => {
      await deleteAmbassadorOfMember(db, id)
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
