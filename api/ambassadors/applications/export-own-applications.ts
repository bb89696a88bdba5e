import type { Source } from '../../module.ts'
import { findApplicationsOf } from './application.queries.ts'
import { listNotes } from './note.queries.ts'

const notesMax = 1000

/** Members have a legal right to notes about them (GDPR, article 15); the author's name is the colleague's own data. */
export async function* exportOwnApplications({ db, member }: Source) {
  for (const row of await findApplicationsOf(db, member.id)) {
    const notes = await listNotes(db, row.id, notesMax)
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
      notes: notes.map(({ at, text }) => ({ at: at.toISOString(), text })),
    }
  }
}
