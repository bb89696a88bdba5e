import { sql } from 'kysely'
import samples from '#content/samples/announcements.json' with { type: 'json' }
import type { Language } from '#contract/fields.ts'
import type { Tx } from '../db/database.ts'
import type { Services } from '../services.ts'
import { insertAnnouncement } from './announcement.queries.ts'
import { markPublished } from './newsroom/mark-published.ts'
import { sanitise } from './sanitise.ts'
import { summarise } from './summarise.ts'

/** The posts of a demonstration, each in both languages, as if they had been published over the last weeks. */
export async function insertSamplePosts(db: Tx, services: Pick<Services, 'keys' | 'config'>): Promise<void> {
  for (const { slug, daysAgo, language, ...sample } of samples) {
    const content = sanitise(sample.content)
    const id = await insertAnnouncement(
      db,
      { ...sample, language: language as Language, content, contentSummary: summarise(content) },
      null,
      { slug },
    )
    await backdate(db, id, daysAgo)
    await markPublished(db, services, id)
    await forgetChange(db, id)
  }
}

/** A version that has its time of publishing keeps it, and so does its post. */
async function backdate(db: Tx, id: string, days: number): Promise<void> {
  const then = sql<Date>`now() - ${days} * interval '1 day'`
  await db.updateTable('announcement').set({ posted_at: then }).where('id', '=', id).execute()
  await db
    .updateTable('announcement_version')
    .set({ published_at: then })
    .where('announcement_id', '=', id)
    .execute()
}

/** Editors find what was changed last on top: nothing was since it came out. */
const forgetChange = (db: Tx, id: string) =>
  db
    .updateTable('announcement')
    .set((row) => ({ changed_at: row.ref('posted_at') }))
    .where('id', '=', id)
    .execute()
