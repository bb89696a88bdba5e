import { existsSync, readFileSync } from 'node:fs'
import newsroom from '#content/samples/newsroom.json' with { type: 'json' }
import samples from '#content/samples/announcements.json' with { type: 'json' }
import type { AuditAction } from '#contract/platform/audit-actions.ts'
import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { Tx } from '#api/platform/db/database.ts'
import type { SampleWorld } from './world.ts'
import type { Services } from '#api/platform/services.ts'
import {
  insertAnnouncement,
  trashAnnouncement,
  updatePresentation,
  updateState,
  type Schedule,
} from '#api/publishing/announcements/announcement.queries.ts'
import { markPublished } from '#api/publishing/announcements/mark-published.ts'
import { chooseCard, storePicture, type ChosenCard } from '#api/publishing/pictures/store-picture.ts'
import { sanitize } from '#api/publishing/announcements/sanitize.ts'
import { summarize } from '#api/publishing/announcements/summarize.ts'
import { ago } from '#api/platform/db/expressions.ts'

const zone = 'UTC'

/** Inserts the newsroom's other posts: in every state, and each in only one language so far. */
export async function insertSampleNewsroom(
  db: Tx,
  services: Pick<Services, 'keys' | 'config'>,
  world: SampleWorld,
): Promise<void> {
  const by = world.operators.news2
  const reports = await db
    .selectFrom('announcement')
    .select('id')
    .where('slug', '=', 'half-year-report')
    .execute()
  for (const { id } of reports) await updatePresentation(db, id, { byline: by })
  for (const [index, { state, daysAgo, language, ...sample }] of newsroom.entries()) {
    const age = daysAgo * DAY + ((index * 97) % 300) * MINUTE
    const content = sanitize(sample.content)
    const schedule = scheduleOf(state, world.now)
    const id = await insertAnnouncement(
      db,
      { ...sample, language: language as Language, content, contentSummary: summarize(content) },
      by,
      { schedule },
    )
    const writtenAt = world.now - age
    const note = (at: number, action: AuditAction) =>
      world.audit.push({ at, actorId: by, action, subjectKind: 'announcement', subjectId: id })
    note(writtenAt, 'announcement-created')
    if (schedule) note(writtenAt + HOUR, 'announcement-scheduled')
    if (state === 'published' || state === 'withdrawn') {
      await updatePresentation(db, id, { byline: by })
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

/** A post that is due today is not due immediately, if enough of the day is left. */
function scheduleOf(state: string, now: number): Schedule | undefined {
  const midnight = Math.floor(now / DAY) * DAY + DAY
  if (state === 'due today')
    return { publishAt: new Date(Math.min(now + 6 * HOUR, midnight - HOUR / 12)), zone }
  return state === 'scheduled' ? { publishAt: new Date(midnight + 3 * DAY + 9 * HOUR), zone } : undefined
}

/** The stored pictures on the cards of sample posts, by name. */
type SampleCards = ReadonlyMap<string, Omit<ChosenCard, 'alt'>>

/** Stores the pictures that the posts show on their cards: posters of the films. */
export async function storeSampleCards(services: Pick<Services, 'db' | 'files'>): Promise<SampleCards> {
  const cards = new Map<string, Omit<ChosenCard, 'alt'>>()
  for (const name of new Set(samples.flatMap(({ card }) => card?.picture ?? []))) {
    const poster = new URL(`../content/media/films/${name}.jpg`, import.meta.url)
    // A project may have other films.
    if (!existsSync(poster)) continue
    const dataUrl = `data:image/jpeg;base64,${readFileSync(poster, 'base64')}`
    const { src } = await storePicture(services, dataUrl, name)
    cards.set(name, await chooseCard(services, { src, alt: name }))
  }
  return cards
}

/** The posts of a demo, each in both languages, as if they had been published over the last weeks. */
export async function insertSamplePosts(
  db: Tx,
  services: Pick<Services, 'keys' | 'config'>,
  cards: SampleCards = new Map(),
): Promise<void> {
  for (const { slug, daysAgo, language, card, ...sample } of samples) {
    const content = sanitize(sample.content)
    const id = await insertAnnouncement(
      db,
      { ...sample, language: language as Language, content, contentSummary: summarize(content) },
      null,
      { slug },
    )
    const chosen = card && cards.get(card.picture)
    await updatePresentation(db, id, { card: chosen && { ...chosen, alt: card.alt } })
    await backdate(db, id, daysAgo * DAY)
    await markPublished(db, services, id)
    await forgetChange(db, id)
  }
}

/** Moves a post back in time. Versions and posts that already have a publication time keep it. */
async function backdate(db: Tx, id: string, age: number): Promise<void> {
  await db
    .updateTable('announcement')
    .set({ posted_at: ago(age) })
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('announcement_version')
    .set({ published_at: ago(age) })
    .where('announcement_id', '=', id)
    .execute()
}

/** Makes the newsroom show the post as written then. */
const backdateWriting = (db: Tx, id: string, age: number) =>
  db
    .updateTable('announcement')
    .set({ changed_at: ago(age) })
    .where('id', '=', id)
    .execute()

/** The newsroom lists the last changed post first. These posts were not changed after publication. */
const forgetChange = (db: Tx, id: string) =>
  db
    .updateTable('announcement')
    .set((row) => ({ changed_at: row.ref('posted_at') }))
    .where('id', '=', id)
    .execute()
