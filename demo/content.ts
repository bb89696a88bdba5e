import samples from '#content/samples/content.json' with { type: 'json' }
import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import { changesBetween } from '#contract/people/settings.ts'
import type { Tx } from '#api/platform/db/database.ts'
import type { SampleWorld } from './world.ts'
import {
  baseFiles,
  fileValueOf,
  flatten,
  type ItemValue,
  type Messages,
  overrideFor,
} from '#api/publishing/content/editing/content-item.ts'
import { hasVersions, insertContentVersion } from '#api/publishing/content/editing/content-version.queries.ts'
import { upsertDraft } from '#api/publishing/content/editing/draft.queries.ts'
import {
  lockItem,
  readPublished,
  setItemNumber,
  setItemsRelease,
  setPublished,
} from '#api/publishing/content/editing/content-item.queries.ts'
import { insertRelease } from '#api/publishing/content/editing/release.queries.ts'
import { publishedValue } from '#api/publishing/content/editing/site-state.ts'
import { ago } from '#api/platform/db/expressions.ts'

type Texts = Record<string, string>
type Sample = { piece: string; daysAgo: number; en: Texts; cn: Texts }

/** Inserts content changes of the last weeks, open drafts, and a scheduled release. */
export async function insertSampleContent(db: Tx, world: SampleWorld): Promise<void> {
  const published: readonly Sample[] = samples.published
  for (const sample of published.toSorted((a, b) => b.daysAgo - a.daysAgo)) await publish(db, world, sample)
  await schedule(db, world)
  const { piece, place, value } = samples.draft
  const { n } = await lockItem(db, piece)
  await upsertDraft(db, { piece, place, value, n: n + 1, by: world.operators.news2 })
  await setItemNumber(db, piece, n + 1)
  await backdateDrafts(db, piece, 5 * HOUR)
}

/** Keeps only keys that exist in the project's files, because a project may have changed them. */
const known = (texts: Texts, said: Texts): Texts =>
  Object.fromEntries(Object.entries(said).filter(([key]) => Object.hasOwn(texts, key)))

async function publish(db: Tx, world: SampleWorld, { piece, daysAgo, en, cn }: Sample): Promise<void> {
  const by = world.operators.news2
  const file = fileValueOf(baseFiles(), piece)
  const before = publishedValue(baseFiles(), await readPublished(db), piece) as Messages
  const value: ItemValue = {
    ...before,
    en: { ...before.en, ...known(before.en, en) },
    cn: { ...before.cn, ...known(before.en, cn) },
  }
  const changes = changesBetween(flatten(before), flatten(value))
  const age = daysAgo * DAY + 37 * MINUTE
  let { n } = await lockItem(db, piece)
  if (!(await hasVersions(db, piece))) {
    await insertContentVersion(db, { piece, n, value: before, changes: [], by: null, origin: 'file' })
    await backdateVersion(db, piece, n, age)
  }
  n += 1
  await insertContentVersion(db, { piece, n, value, changes, by, origin: 'console' })
  await setPublished(db, piece, { n, override: overrideFor(piece, file, value), by })
  await backdateVersion(db, piece, n, age)
  world.audit.push({
    at: world.now - age,
    actorId: by,
    action: 'content-published',
    subjectKind: 'content',
    subjectId: piece,
    detail: { places: changes.map(({ path }) => path) },
  })
}

async function schedule(db: Tx, world: SampleWorld): Promise<void> {
  const { piece, entry, en, cn } = samples.scheduled
  const by = world.operators.news2
  const before = publishedValue(baseFiles(), await readPublished(db), piece) as { id: string }[]
  const value = before.map((each) => (each.id === entry ? { ...each, en, cn } : each))
  const changes = changesBetween(flatten(before), flatten(value))
  if (changes.length === 0) return
  const n = (await lockItem(db, piece)).n + 1
  await upsertDraft(db, { piece, place: '', value, n, by })
  await setItemNumber(db, piece, n)
  const midnight = Math.floor(world.now / DAY) * DAY + DAY
  const id = await insertRelease(db, {
    state: 'scheduled',
    pieces: [{ piece, version: n }],
    changes: [{ piece, changes }],
    sensitive: [],
    newVersions: [],
    publishAt: new Date(midnight + 3 * DAY + 9 * HOUR),
    zone: 'UTC',
    by,
  })
  await setItemsRelease(db, [piece], id)
  const age = DAY + 2 * HOUR
  await backdateDrafts(db, piece, age)
  await backdateRelease(db, id, age)
  world.audit.push({
    at: world.now - age,
    actorId: by,
    action: 'content-scheduled',
    subjectKind: 'content',
    subjectId: piece,
  })
}

/** Moves the publication of a version back in time. */
async function backdateVersion(db: Tx, piece: string, n: number, age: number): Promise<void> {
  await db
    .updateTable('content_version')
    .set({ at: ago(age) })
    .where('piece', '=', piece)
    .where('n', '=', n)
    .execute()
  await db
    .updateTable('content_piece')
    .set({ published_at: ago(age) })
    .where('piece', '=', piece)
    .execute()
}

const backdateDrafts = (db: Tx, piece: string, age: number) =>
  db
    .updateTable('content_draft')
    .set({ saved_at: ago(age) })
    .where('piece', '=', piece)
    .execute()

const backdateRelease = (db: Tx, id: string, age: number) =>
  db
    .updateTable('content_release')
    .set({ proposed_at: ago(age) })
    .where('id', '=', id)
    .execute()
