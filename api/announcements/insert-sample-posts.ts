import samples from '#content/samples/announcements.json' with { type: 'json' }
import { DAY } from '#contract/durations.ts'
import type { Language } from '#contract/fields.ts'
import type { Tx } from '../db/database.ts'
import type { Services } from '../services.ts'
import { insertAnnouncement } from './announcement.queries.ts'
import { markPublished } from './newsroom/mark-published.ts'
import { backdate, forgetChange } from './sample-post.queries.ts'
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
    await backdate(db, id, daysAgo * DAY)
    await markPublished(db, services, id)
    await forgetChange(db, id)
  }
}
