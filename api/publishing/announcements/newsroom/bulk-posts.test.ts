import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Announcement } from '#contract/publishing/announcements.ts'
import type { BulkOutcome, BulkRow } from '#contract/platform/bulk.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { aNewsroom, everywhere, inTime, nowhere, whereReadersFind } from '#tests/newsroom.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { services } = started
const { editor, call, create, read, remove } = await aNewsroom(started)

const rowsOf = (...posts: Announcement[]): BulkRow[] => posts.map(({ _id }) => ({ id: _id }))
const withVersion = ({ _id, lastEdited }: Pick<Announcement, '_id' | 'lastEdited'>): BulkRow => ({
  id: _id,
  version: lastEdited ?? '',
})
const shortOf = (rows: readonly BulkOutcome[]) => rows.map(({ isDone, code }) => (isDone ? 'done' : code))

async function actionsOn({ _id }: Announcement): Promise<string[]> {
  const entries = await services.db
    .selectFrom('audit_entry')
    .select('action')
    .where('subject_id', '=', _id)
    .where('actor_id', '=', editor.id)
    .orderBy('id')
    .execute()
  return entries.map(({ action }) => action)
}

const unpublish = async (rows: BulkRow[], isPreview = false) =>
  shortOf((await call(api.unpublishPosts, { body: { isPreview, rows } })).body.rows)
const trash = async (rows: BulkRow[], isPreview = false) =>
  shortOf((await call(api.deletePosts, { body: { isPreview, rows } })).body.rows)
const categorize = async (rows: BulkRow[], isPreview = false, category = 'Partnerships') =>
  shortOf((await call(api.changePostCategories, { body: { isPreview, rows, category } })).body.rows)

test('a preview says what would happen to each post, and changes nothing', async () => {
  const published = await create({ title: 'Previewed' })
  const draft = await create({ title: 'Previewed draft', status: 'draft' })
  const gone = await create({ title: 'Previewed and gone' })
  await remove(gone._id)
  const rows = [...rowsOf(published, draft, gone), { id: randomUUID() }]
  const before = await read(published._id)
  expect(await unpublish(rows, true)).toEqual(['done', 'conflict', 'not_found', 'not_found'])
  expect(await trash(rows, true)).toEqual(['done', 'done', 'not_found', 'not_found'])
  expect(await categorize(rows, true)).toEqual(['done', 'done', 'not_found', 'not_found'])
  expect(await read(published._id)).toEqual(before)
  expect(await actionsOn(published)).toEqual(['announcement-created'])
  expect(await whereReadersFind(started, published)).toEqual(everywhere)
})

test('unpublishes each post like the single action, and leaves drafts as they are', async () => {
  const published = await create({ title: 'Withdrawn together' })
  const scheduled = await create({ title: 'Not sent out', status: 'scheduled', ...inTime(HOUR) })
  const draft = await create({ title: 'Still a draft', status: 'draft' })
  expect(await unpublish(rowsOf(published, scheduled, draft))).toEqual(['done', 'done', 'conflict'])
  for (const post of [published, scheduled]) {
    expect(await read(post._id)).toMatchObject({ state: 'draft', publishAt: null })
    expect(await actionsOn(post)).toEqual(['announcement-created', 'announcement-unpublished'])
  }
  expect(await whereReadersFind(started, published)).toEqual(nowhere)
  expect(await actionsOn(draft)).toEqual(['announcement-created'])
})

test('moves each post to the trash once, from where it can be restored', async () => {
  const posts = [await create({ title: 'Trashed one' }), await create({ title: 'Trashed two' })]
  expect(await trash(rowsOf(...posts))).toEqual(['done', 'done'])
  expect(await trash(rowsOf(...posts))).toEqual(['not_found', 'not_found'])
  for (const post of posts) {
    expect(await whereReadersFind(started, post)).toEqual(nowhere)
    expect(await actionsOn(post)).toEqual(['announcement-created', 'announcement-deleted'])
    await call(api.restorePost, { params: { id: post._id }, body: {} })
    expect(await whereReadersFind(started, post)).toEqual(everywhere)
  }
})

test('changes only the category, as a new version that is signed like any other', async () => {
  const post = await create({ title: 'Filed wrongly', content: '<p>Kept <strong>as it is</strong>.</p>' })
  const before = await read(post._id)
  expect(await categorize([withVersion(post)])).toEqual(['done'])
  const after = await read(post._id)
  expect(after).toMatchObject({ category: 'Partnerships', version: 2, state: 'published' })
  const { title, content, slug, language, postedDate } = before
  expect(after).toMatchObject({ title, content, slug, language, postedDate })
  expect(await actionsOn(post)).toEqual(['announcement-created', 'announcement-updated'])
  const versions = await started.call(api.listPublishedVersions, { params: { lang: 'en', slug } })
  expect(versions.body.map(({ document }) => document.includes('Partnerships'))).toEqual([true, false])
})

test('a post that already has the category stays as it is, and does not count as edited', async () => {
  const [same, other] = [
    await create({ title: 'Filed already', category: 'Partnerships' }),
    await create({ title: 'To be filed', category: 'News' }),
  ]
  for (const isPreview of [true, false])
    expect(await categorize([withVersion(same), withVersion(other)], isPreview)).toEqual(['done', 'done'])
  expect(await read(same._id)).toMatchObject({ lastEdited: null, version: 1 })
  expect(await actionsOn(same)).toEqual(['announcement-created'])
  expect(await read(other._id)).toMatchObject({ category: 'Partnerships', version: 2 })
  expect(await categorize([{ id: same._id, version: '2020-01-01T00:00:00.000Z' }])).toEqual(['conflict'])
  await remove(same._id)
  expect(await categorize(rowsOf(same))).toEqual(['not_found'])
})

test('a post that someone else saved after it was listed keeps its category', async () => {
  const [fresh, stale] = [await create({ title: 'As listed' }), await create({ title: 'Edited since' })]
  const { title, language, content, category } = await read(stale._id)
  await call(api.updateAnnouncement, {
    body: { _id: stale._id, title: `${title} again`, language, content, category: 'Events' },
  })
  expect(category).not.toBe('Events')
  expect(await categorize([withVersion(fresh), withVersion(stale)])).toEqual(['done', 'conflict'])
  expect(await read(stale._id)).toMatchObject({ title: 'Edited since again', category: 'Events' })
  // With its current version, and without any, it is changed.
  expect(await categorize([withVersion(await read(stale._id))])).toEqual(['done'])
  expect(await categorize(rowsOf(stale), false, 'News')).toEqual(['done'])
  expect(await read(stale._id)).toMatchObject({ category: 'News' })
})

test('an unknown category is refused, and nothing is changed', async () => {
  const post = await create({ title: 'Uncategorized' })
  const body = { isPreview: false, rows: rowsOf(post), category: 'Gossip' }
  const { status, problem } = await call(api.changePostCategories, { body })
  expect({ status, errors: problem.errors }).toMatchObject({ status: 400, errors: [{ path: 'category' }] })
  expect(await read(post._id)).toMatchObject({ version: 1 })
})

test('of two editors who delete and unpublish the same posts at once, each post is changed by one', async () => {
  const posts = await Promise.all([1, 2, 3].map((n) => create({ title: `Contended ${n}` })))
  const [deleted, unpublished] = await Promise.all([
    trash(rowsOf(...posts)),
    unpublish(rowsOf(...posts.toReversed())),
  ])
  expect(deleted).toEqual(['done', 'done', 'done'])
  for (const outcome of unpublished) expect(['done', 'not_found']).toContain(outcome)
  for (const post of posts) expect(await read(post._id)).toMatchObject({ state: 'deleted' })
})

test.each([{ manage_news: 1 as const }, { manage_employee: 2 as const }])(
  'staff with %o can neither change nor preview posts',
  async (rights) => {
    const post = await create({ title: 'Out of reach' })
    const { token } = await aSignedInMember(started, rights)
    for (const isPreview of [true, false]) {
      const body = { isPreview, rows: rowsOf(post) }
      const answers = [
        await started.call(api.unpublishPosts, { body }, { token }),
        await started.call(api.deletePosts, { body }, { token }),
        await started.call(api.changePostCategories, { body: { ...body, category: 'News' } }, { token }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
    }
    expect(await read(post._id)).toMatchObject({ state: 'published', version: 1 })
  },
)
