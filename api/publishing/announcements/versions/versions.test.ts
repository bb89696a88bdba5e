import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aPost, aSignedInMember } from '#tests/builders.ts'
import { aNewsroom, inTime } from '#tests/newsroom.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { HOUR } from '#contract/platform/durations.ts'

const started = await startApi({}, afterAll)
const { services } = started
const { editor, call, create, read, remove } = await aNewsroom(started)

const update = (_id: string, fields: Parameters<typeof aPost>[0], lastEdited?: string | null) =>
  call(api.updateAnnouncement, {
    body: { ...aPost(fields), _id, ...(lastEdited === undefined ? {} : { lastEdited }) },
  })
const versions = async (id: string) => (await call(api.listPostVersions, { params: { id } })).body
const versionOf = async (id: string, n: number) =>
  (await call(api.getPostVersion, { params: { id, n } })).body
const restoreVersion = (id: string, n: number, body: { lastEdited?: string | null } = {}) =>
  call(api.restorePostVersion, { params: { id, n }, body })

test('every save creates a version with its author and publication time', async () => {
  const { _id } = await create({ title: 'One' })
  const other = await aSignedInMember(started, { manage_news: 2, display_name: 'Second Editor' })
  const body = { ...aPost({ title: 'Two', content: '<p>Changed</p>', category: 'Events' }), _id }
  await started.call(api.updateAnnouncement, { body }, { token: other.token })
  const list = await versions(_id)
  expect(list).toMatchObject([
    { n: 2, title: 'Two', category: 'Events', savedBy: { id: other.id, name: 'Second Editor' } },
    { n: 1, title: 'One', category: 'News', savedBy: { id: editor.id, name: 'Sample Editor' } },
  ])
  for (const each of list) {
    expect(each.publishedAt).toBe(each.savedAt)
    expect(each.restoredFrom).toBeNull()
  }
  expect(await versionOf(_id, 1)).toEqual({ ...list[1], content: '<p>It is out.</p>' })
  expect(await versionOf(_id, 2)).toEqual({ ...list[0], content: '<p>Changed</p>' })
  expect(await read(_id)).toMatchObject({ version: 2, editedBy: { id: other.id, name: 'Second Editor' } })
})

test('saving the same text updates its date without a new version', async () => {
  const { _id } = await create({ title: 'Same' })
  const { body } = await update(_id, { title: 'Same' })
  expect(body.lastEdited).not.toBeNull()
  expect(await read(_id)).toMatchObject({ version: 1, editedBy: { id: editor.id } })
  expect(await versions(_id)).toHaveLength(1)
  await update(_id, { title: 'Same', content: '<p onclick="x()">It is out.</p>' })
  expect(await versions(_id)).toHaveLength(1)
})

test('only the current version of a draft becomes public with the post', async () => {
  const { _id } = await create({ title: 'Draft 1', status: 'draft' })
  await update(_id, { title: 'Draft 2' })
  expect((await versions(_id)).map(({ publishedAt }) => publishedAt)).toEqual([null, null])
  await call(api.publishPost, { params: { id: _id }, body: {} })
  const [newest, older] = await versions(_id)
  expect([newest!.publishedAt !== null, older!.publishedAt]).toEqual([true, null])
  const id = { params: { id: _id }, body: {} }
  await call(api.unpublishPost, id)
  await call(api.publishPost, id)
  expect((await versions(_id))[0]).toEqual(newest)
  await call(api.unpublishPost, id)
  await update(_id, { title: 'Draft 3' })
  expect((await versions(_id)).map(({ n, publishedAt }) => [n, publishedAt !== null])).toEqual([
    [3, false],
    [2, true],
    [1, false],
  ])
})

test('restoring an earlier version makes it the newest and loses nothing in between', async () => {
  const { _id } = await create({ title: 'First', content: '<p>First</p>' })
  await update(_id, { title: 'Second', content: '<p>Second</p>' })
  const { lastEdited } = await read(_id)
  expect(await restoreVersion(_id, 1, { lastEdited: null })).toMatchObject({ status: 409 })
  expect((await restoreVersion(_id, 1, { lastEdited })).body).toMatchObject({ title: 'First', version: 3 })
  expect((await read(_id)).content).toBe('<p>First</p>')
  expect((await versions(_id)).map(({ n, title, restoredFrom }) => [n, title, restoredFrom])).toEqual([
    [3, 'First', 1],
    [2, 'Second', null],
    [1, 'First', null],
  ])
  expect((await versions(_id))[0]!.publishedAt).not.toBeNull()
  const { slug } = await read(_id)
  const seen = await started.call(api.getPost, { params: { lang: 'en', slug } })
  expect(seen.body.post).toMatchObject({ title: 'First', content: '<p>First</p>' })
  const audit = await services.db
    .selectFrom('audit_entry')
    .select('detail')
    .where('subject_id', '=', _id)
    .where('action', '=', 'announcement-version-restored')
    .execute()
  expect(audit).toEqual([{ detail: { version: 1 } }])
})

test('an update works in every state except the trash, and keeps the state', async () => {
  const posts = {
    draft: await create({ status: 'draft' }),
    scheduled: await create({ status: 'scheduled', ...inTime(HOUR) }),
    published: await create(),
  }
  for (const [state, { _id }] of Object.entries(posts)) {
    const before = await read(_id)
    expect((await update(_id, { title: `New ${state}` }, null)).status).toBe(200)
    expect(await read(_id)).toMatchObject({
      state,
      title: `New ${state}`,
      version: 2,
      publishAt: before.publishAt,
      zone: before.zone,
      postedDate: before.postedDate,
    })
    expect(await update(_id, { title: 'Stale' }, null)).toMatchObject({ status: 409 })
    await remove(_id)
    expect((await update(_id, { title: 'Gone' })).status).toBe(404)
    expect((await restoreVersion(_id, 1)).status).toBe(404)
    expect(await versions(_id)).toHaveLength(2)
  }
})

test('each of many concurrent saves creates one version or none', async () => {
  const { _id } = await create({ title: 'Crowded' })
  const answers = await Promise.all(['A', 'B', 'C', 'D'].map((title) => update(_id, { title })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await versions(_id)).map(({ n }) => n)).toEqual([5, 4, 3, 2, 1])
})

test('lists versions page by page, and does not find missing ones', async () => {
  const { _id } = await create({ title: 'Paged 0' })
  for (const n of [1, 2, 3, 4]) await update(_id, { title: `Paged ${n}` })
  const page = async (after?: string) =>
    call(api.listPostVersions, { params: { id: _id }, query: { limit: 2, ...(after && { after }) } })
  const seen: number[] = []
  let after: string | undefined
  do {
    const { body, headers } = await page(after)
    seen.push(...body.map(({ n }) => n))
    after = /[?&]after=([^&>]+)/.exec(headers['link'] as string)?.[1]
  } while (after)
  expect(seen).toEqual([5, 4, 3, 2, 1])
  expect((await page('nonsense')).body.map(({ n }) => n)).toEqual([5, 4])
  expect((await call(api.getPostVersion, { params: { id: _id, n: 6 } })).status).toBe(404)
  expect((await restoreVersion(_id, 6)).status).toBe(404)
  expect((await call(api.listPostVersions, { params: { id: 'nothing' } })).status).toBe(404)
  expect((await call(api.getPostVersion, { params: { id: _id, n: 0 } })).status).toBe(404)
})

test('a saved version never changes, and is deleted only with its post', async () => {
  const { _id } = await create({ title: 'Kept' })
  const change = (set: { title?: string; published_at?: Date }) =>
    services.db.updateTable('announcement_version').set(set).where('announcement_id', '=', _id).execute()
  await expect(change({ title: 'Forged' })).rejects.toThrow('never changed')
  await expect(change({ published_at: new Date(0) })).rejects.toThrow('never changed')
  expect(await versions(_id)).toHaveLength(1)
})

test('keeps versions of an erased author without the name', async () => {
  const author = await aSignedInMember(started, { manage_news: 2, display_name: 'Sample Leaver' })
  const by = { token: author.token }
  const { body } = await started.call(api.createAnnouncement, { body: aPost() }, by)
  await started.call(api.eraseMember, { body: { current: author.password } }, by)
  expect((await versions(body._id))[0]!.savedBy).toEqual({ id: author.id, name: '' })
})
