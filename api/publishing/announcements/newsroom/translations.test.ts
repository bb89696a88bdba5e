import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Announcement } from '#contract/publishing/announcements.ts'
import { aPost } from '#tests/builders.ts'
import { aNewsroom, inTime } from '#tests/newsroom.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import { lockAnnouncement, trashAnnouncement } from '../announcement.queries.ts'
import { vacateTrashed } from '../slug.queries.ts'
import { markPublished } from '../mark-published.ts'

const started = await startApi({}, afterAll)
const { services } = started
const { editor, call, create, read, list, remove } = await aNewsroom(started)

const attempt = (fields: Partial<Parameters<typeof create>[0]> = {}) =>
  call(api.createAnnouncement, { body: { ...aPost(), ...fields } })
const link = (id: string, translationOf: string) =>
  call(api.linkTranslations, { params: { id }, body: { translationOf } })
const unlink = (id: string) => call(api.unlinkTranslation, { params: { id }, body: {} })
const readAt = (lang: 'en' | 'cn', slug: string) => started.call(api.getPost, { params: { lang, slug } })
const update = ({ _id }: Announcement, fields: Parameters<typeof aPost>[0]) =>
  call(api.updateAnnouncement, { body: { ...aPost(fields), _id } })
const taken = (path: string) => ({
  status: 400,
  problem: { errors: [expect.objectContaining({ path, code: 'language_taken' })] },
})

test('a translation has the same address in its language, and its own state', async () => {
  const original = await create({ title: 'Two tongues' })
  const fields = { title: '双语', language: 'cn' as const, translationOf: original._id }
  const translation = await create({ ...fields, status: 'draft' })
  expect(translation.slug).toBe(original.slug)
  expect((await read(original._id)).sibling).toEqual({
    _id: translation._id,
    language: 'cn',
    title: '双语',
    state: 'draft',
  })
  expect((await read(translation._id)).sibling).toMatchObject({ _id: original._id, state: 'published' })
  expect((await readAt('cn', original.slug)).body).toMatchObject({
    post: { _id: original._id },
    languages: ['en'],
  })
  await call(api.publishPost, { params: { id: translation._id }, body: {} })
  for (const [lang, post] of [
    ['cn', translation],
    ['en', original],
  ] as const)
    expect((await readAt(lang, original.slug)).body).toMatchObject({
      post: { _id: post._id },
      languages: ['en', 'cn'],
    })
  await call(api.unpublishPost, { params: { id: original._id }, body: {} })
  expect((await readAt('en', original.slug)).body).toMatchObject({
    post: { _id: translation._id },
    languages: ['cn'],
  })
})

test('rejects a translation into a language that the post already has', async () => {
  const original = await create({ title: 'Taken' })
  expect(await attempt({ translationOf: original._id })).toMatchObject(taken('language'))
  await create({ language: 'cn', translationOf: original._id })
  expect(await attempt({ language: 'cn', translationOf: original._id })).toMatchObject(taken('language'))
  expect((await attempt({ language: 'cn', translationOf: 'nothing' })).status).toBe(404)
  const gone = await create()
  await remove(gone._id)
  expect((await attempt({ language: 'cn', translationOf: gone._id })).status).toBe(404)
})

test('of many concurrent translations, one succeeds', async () => {
  const { _id } = await create({ title: 'Everybody translates' })
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => attempt({ language: 'cn', translationOf: _id, status: 'draft' })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400])
})

test('a trashed translation releases its place and returns as a separate post', async () => {
  const original = await create({ title: 'Translated twice' })
  const fields = { title: '旧译', language: 'cn' as const, translationOf: original._id }
  const old = await create(fields)
  await remove(old._id)
  expect((await read(original._id)).sibling).toBeNull()
  const fresh = await create({ ...fields, title: '新译' })
  expect(fresh.slug).toBe(original.slug)
  const { body } = await call(api.restorePost, { params: { id: old._id }, body: {} })
  expect(body).toMatchObject({ state: 'published', sibling: null, slug: '旧译' })
  expect((await readAt('cn', original.slug)).body.post._id).toBe(fresh._id)
})

test('a post cannot change to the language of its translation', async () => {
  const original = await create({ title: 'Stays English' })
  const translation = await create({ title: '保持中文', language: 'cn', translationOf: original._id })
  const answer = await update(original, { title: 'Stays English', language: 'cn' })
  expect(answer).toMatchObject(taken('language'))
  expect(await read(original._id)).toMatchObject({ language: 'en', version: 1, lastEdited: null })
  await remove(translation._id)
  expect(await update(original, { title: 'Now Chinese', language: 'cn' })).toMatchObject({
    status: 200,
    body: { language: 'cn', slug: original.slug },
  })
  // A version in the language that is now taken can't come back either.
  const second = await create({ title: 'English again', translationOf: original._id })
  expect(second.slug).toBe(original.slug)
  const restored = await call(api.restorePostVersion, { params: { id: original._id, n: 1 }, body: {} })
  expect(restored).toMatchObject(taken('language'))
})

test('links separate posts, and redirects old addresses', async () => {
  const [en, cn] = [await create({ title: 'Made apart' }), await create({ title: '分开', language: 'cn' })]
  const { body } = await link(cn._id, en._id)
  expect(body).toMatchObject({ slug: en.slug, sibling: { _id: en._id } })
  expect((await readAt('cn', en.slug)).body).toMatchObject({
    post: { _id: cn._id },
    languages: ['en', 'cn'],
  })
  // Requests for the old address get the post with its current one.
  expect((await readAt('cn', cn.slug)).body.post).toMatchObject({ _id: cn._id, slug: en.slug })
  expect((await readAt('en', cn.slug)).body.post).toMatchObject({ _id: en._id, slug: en.slug })
  expect((await link(cn._id, en._id)).body).toEqual(body)
  const addresses = (await started.call(api.listPostAddresses, {})).body
  expect(addresses.filter(({ slug }) => slug === cn.slug)).toEqual([])
  // A later post with that title does not get the old address.
  expect((await create({ title: '分开', language: 'cn' })).slug).toBe('分开-2')
  expect((await create({ title: '分开' })).slug).toBe('分开-3')
  const audit = await services.db
    .selectFrom('audit_entry')
    .select(['action', 'detail'])
    .where('subject_id', '=', cn._id)
    .where('action', '=', 'announcement-linked')
    .execute()
  expect(audit).toEqual([{ action: 'announcement-linked', detail: { other: en._id } }])
})

test('an old address of a hidden post leads nowhere', async () => {
  const [en, cn] = [
    await create({ title: 'Hidden later' }),
    await create({ title: '稍后隐藏', language: 'cn' }),
  ]
  await link(cn._id, en._id)
  for (const { _id } of [en, cn]) await call(api.unpublishPost, { params: { id: _id }, body: {} })
  expect((await readAt('cn', cn.slug)).status).toBe(404)
  await call(api.publishPost, { params: { id: en._id }, body: {} })
  expect((await readAt('cn', cn.slug)).status).toBe(404)
})

test('rejects impossible links, and moves nothing', async () => {
  const [en, other, cn] = [
    await create({ title: 'Linked' }),
    await create({ title: 'Bystander' }),
    await create({ title: '已关联', language: 'cn' }),
  ]
  const [third, gone] = [await create({ title: '第三', language: 'cn' }), await create()]
  await link(cn._id, en._id)
  await remove(gone._id)
  expect(await link(other._id, en._id)).toMatchObject(taken('translationOf'))
  expect(await link(en._id, en._id)).toMatchObject(taken('translationOf'))
  expect(await link(third._id, en._id)).toMatchObject({ status: 409, problem: { code: 'conflict' } })
  expect(await link(cn._id, other._id)).toMatchObject({ status: 409 })
  expect((await link(third._id, gone._id)).status).toBe(404)
  expect((await link('nothing', en._id)).status).toBe(404)
  expect([(await read(third._id)).slug, (await read(other._id)).slug]).toEqual([third.slug, other.slug])
})

test('two concurrent links of a pair from both sides result in one pair', async () => {
  const [en, cn] = [
    await create({ title: 'From both sides' }),
    await create({ title: '两边', language: 'cn' }),
  ]
  const answers = await Promise.all([link(en._id, cn._id), link(cn._id, en._id)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect((await read(en._id)).slug).toBe((await read(cn._id)).slug)
})

test('an unlinked post returns to its own address; the other keeps the shared one', async () => {
  const [en, cn] = [
    await create({ title: 'Wrongly linked' }),
    await create({ title: '误关联', language: 'cn' }),
  ]
  await link(cn._id, en._id)
  expect((await unlink(cn._id)).body).toMatchObject({ slug: cn.slug, sibling: null })
  expect((await readAt('cn', en.slug)).body.post._id).toBe(en._id)
  expect((await readAt('cn', cn.slug)).body.post._id).toBe(cn._id)
  expect(await unlink(cn._id)).toMatchObject({ status: 409, problem: { code: 'conflict' } })
  const born = await create({ title: '生来', language: 'cn', translationOf: en._id })
  expect((await unlink(en._id)).body).toMatchObject({ slug: 'wrongly-linked-2', sibling: null })
  expect((await read(born._id)).slug).toBe('wrongly-linked')
})

test('two concurrent unlinks of a pair from both sides leave the shared address with one', async () => {
  const en = await create({ title: 'Parted at once' })
  const cn = await create({ title: '同时分开', language: 'cn', translationOf: en._id })
  const answers = await Promise.all([unlink(en._id), unlink(cn._id)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await readAt('en', 'parted-at-once')).status).toBe(200)
})

test('a known address redirects while the post that keeps it is not public', async () => {
  const en = await create({ title: 'Known address' })
  const cn = await create({ title: '草稿', language: 'cn', status: 'draft', translationOf: en._id })
  const moved = (await unlink(en._id)).body
  expect(moved.slug).toBe('known-address-2')
  expect((await readAt('en', 'known-address')).body.post).toMatchObject({ _id: en._id, slug: moved.slug })
  await call(api.publishPost, { params: { id: cn._id }, body: {} })
  expect((await readAt('cn', 'known-address')).body.post._id).toBe(cn._id)
})

test('a post restored from the trash at that moment keeps its place beside its translation', async () => {
  const { db } = services
  const en = await create({ title: 'Back in time' })
  const cn = await create({ title: '及时', language: 'cn', translationOf: en._id })
  await remove(cn._id)
  const restoring = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const restored = transaction(db, async (db) => {
    await markPublished(db, services, cn._id)
    isLocked.resolve()
    await restoring.promise
  })
  await isLocked.promise
  const late = call(api.createAnnouncement, {
    body: { ...aPost({ title: '来晚', language: 'cn' }), translationOf: en._id },
  })
  await waitForLock(db)
  restoring.resolve()
  await restored
  expect(await late).toMatchObject(taken('language'))
  expect((await readAt('cn', 'back-in-time')).body.post._id).toBe(cn._id)
})

test('linking a deleted post locks neither post while the other is edited', async () => {
  const { db } = services
  const en = await create({ title: 'Held by nobody' })
  let cn = await create({ title: '无人占用', language: 'cn', translationOf: en._id })
  while (cn._id > en._id) {
    await remove(cn._id)
    cn = await create({ title: '无人占用', language: 'cn', translationOf: en._id })
  }
  const deleting = Promise.withResolvers<void>()
  const isTrashed = Promise.withResolvers<void>()
  const trashed = transaction(db, async (db) => {
    await trashAnnouncement(db, cn._id, editor.id)
    isTrashed.resolve()
    await deleting.promise
  })
  await isTrashed.promise
  await transaction(db, async (tx) => {
    await lockAnnouncement(tx, en._id)
    const linking = link(cn._id, en._id)
    await waitForLock(db)
    deleting.resolve()
    await trashed
    expect((await linking).status).toBe(404)
    await vacateTrashed(tx, { slug: en.slug, language: 'cn' })
  })
})

/** Waits until another transaction waits for a lock. */
async function waitForLock(db: Tx): Promise<void> {
  const countWaiting = async () => {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows[0]!.waiting
  }
  await expect.poll(countWaiting).toBeGreaterThan(0)
}

test('an address no one has seen follows the title; a public one stays', async () => {
  const draft = await create({ title: 'Untitled', status: 'draft' })
  expect((await update(draft, { title: 'A real name' })).body.slug).toBe('a-real-name')
  const second = await create({ title: 'A real name', status: 'scheduled', ...inTime(HOUR) })
  expect((await update(second, { title: 'A real name' })).body.slug).toBe('a-real-name-2')
  expect((await create({ title: 'Untitled' })).slug).toBe('untitled')
  await call(api.publishPost, { params: { id: draft._id }, body: {} })
  await call(api.unpublishPost, { params: { id: draft._id }, body: {} })
  expect((await update(draft, { title: 'Too late' })).body.slug).toBe('a-real-name')
  const half = await create({ title: '一半', language: 'cn', status: 'draft', translationOf: draft._id })
  expect((await update(half, { title: '另一半', language: 'cn' })).body.slug).toBe('a-real-name')
})

test('lists posts without a translation until they have one', async () => {
  const en = await create({ title: 'Lonely one' })
  const cn = await create({ title: 'Lonely 二', language: 'cn' })
  const missing = async (language: 'en' | 'cn') =>
    (await list({ missing: language, q: 'lonely' })).map(({ _id }) => _id)
  expect([await missing('cn'), await missing('en')]).toEqual([[en._id], [cn._id]])
  const half = await create({ title: '寂寞', language: 'cn', status: 'draft', translationOf: en._id })
  expect([await missing('cn'), await missing('en')]).toEqual([[], [cn._id]])
  await remove(half._id)
  expect(await missing('cn')).toEqual([en._id])
})
