import samples from '#content/samples/newsroom.json' with { type: 'json' }
import type { AuditAction } from '#contract/audit-actions.ts'
import { DAY, HOUR, MINUTE } from '#contract/durations.ts'
import type { Language } from '#contract/fields.ts'
import type { Tx } from '../db/database.ts'
import type { SampleWorld } from '../sample-world.ts'
import type { Services } from '../services.ts'
import { insertAnnouncement, trashAnnouncement, updateState, type Schedule } from './announcement.queries.ts'
import { markPublished } from './newsroom/mark-published.ts'
import { backdate, backdateWriting } from './sample-post.queries.ts'
import { sanitise } from './sanitise.ts'
import { summarise } from './summarise.ts'

const zone = 'Etc/UTC'

/** What the newsroom has at hand besides what is public: in every state, each in one language so far. */
export async function insertSampleNewsroom(
  db: Tx,
  services: Pick<Services, 'keys' | 'config'>,
  world: SampleWorld,
): Promise<void> {
  const by = world.operators.news2
  for (const [index, { state, daysAgo, language, ...sample }] of samples.entries()) {
    const age = daysAgo * DAY + ((index * 97) % 300) * MINUTE
    const content = sanitise(sample.content)
    const schedule = scheduleOf(state, world.now)
    const id = await insertAnnouncement(
      db,
      { ...sample, language: language as Language, content, contentSummary: summarise(content) },
      by,
      { schedule },
    )
    const writtenAt = world.now - age
    const note = (at: number, action: AuditAction) =>
      world.audit.push({ at, actorId: by, action, subjectKind: 'announcement', subjectId: id })
    note(writtenAt, 'announcement-created')
    if (schedule) note(writtenAt + HOUR, 'announcement-scheduled')
    if (state === 'published' || state === 'withdrawn') {
      await backdate(db, id, age)
      await markPublished(db, services, id)
      note(writtenAt + HOUR, 'announcement-published')
    }
    if (state === 'withdrawn') {
      await updateState(db, id, 'draft')
      note(writtenAt + DAY, 'announcement-unpublished')
    }
    if (state === 'deleted') {
      await trashAnnouncement(db, id, by)
      note(writtenAt + HOUR, 'announcement-deleted')
    }
    await backdateWriting(db, id, age)
  }
}

/** What is due today is not due at once, where the day is long enough for that. */
function scheduleOf(state: string, now: number): Schedule | undefined {
  const midnight = Math.floor(now / DAY) * DAY + DAY
  if (state === 'due today')
    return { publishAt: new Date(Math.min(now + 6 * HOUR, midnight - HOUR / 12)), zone }
  return state === 'scheduled' ? { publishAt: new Date(midnight + 3 * DAY + 9 * HOUR), zone } : undefined
}
