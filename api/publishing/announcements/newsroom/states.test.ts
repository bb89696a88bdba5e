import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { trashDays } from '#contract/publishing/announcements.ts'
import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import { aPost, aSignedInMember } from '#tests/builders.ts'
import { aNewsroom, everywhere, inTime, nowhere, whereReadersFind } from '#tests/newsroom.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { listenToChanges } from '../../../platform/db/changes.ts'

const started = await startApi({}, afterAll)
const { services } = started
const { editor, call, create, read, list, remove } = await aNewsroom(started)

const publish = (id: string, lastEdited?: string | null) =>
  call(api.publishPost, { params: { id }, body: lastEdited === undefined ? {} : { lastEdited } })
const schedule = (id: string, body: Parameters<typeof call<typeof api.schedulePost>>[1]['body']) =>
  call(api.schedulePost, { params: { id }, body })
const unpublish = (id: string) => call(api.unpublishPost, { params: { id }, body: {} })
const restore = (id: string) => call(api.restorePost, { params: { id }, body: {} })

const auditOf = (id: string) =>
  services.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()

test('readers never find drafts, scheduled posts, or deleted posts', async () => {
  const draft = await create({ title: 'Unseen draft', status: 'draft' })
  const scheduled = await create({ title: 'Unseen schedule', status: 'scheduled', ...inTime(HOUR) })
  const deleted = await create({ title: 'Unseen deletion' })
  expect(await whereReadersFind(started, deleted)).toEqual(everywhere)
  await remove(deleted._id)
  for (const post of [draft, scheduled, deleted])
    expect({ post: post.title, ...(await whereReadersFind(started, post)) }).toEqual({
      post: post.title,
      ...nowhere,
    })
  expect(await read(scheduled._id)).toMatchObject({
    state: 'scheduled',
    zone: 'Asia/Shanghai',
    content: '<p>It is out.</p>',
    editedBy: null,
    version: 1,
  })
  expect(await read(deleted._id)).toMatchObject({ state: 'deleted' })
})

test('a draft becomes public, disappears when unpublished, and keeps its first date', async () => {
  const draft = await create({ title: 'There and back', status: 'draft' })
  await services.db
    .updateTable('announcement')
    .set({ posted_at: new Date(Date.now() - DAY) })
    .where('id', '=', draft._id)
    .execute()
  const { body: first } = await publish(draft._id)
  expect(first).toMatchObject({ state: 'published', publishAt: null, zone: null })
  expect(Date.now() - Date.parse(first.postedDate)).toBeLessThan(MINUTE)
  expect(await whereReadersFind(started, draft)).toEqual(everywhere)
  expect((await unpublish(draft._id)).body).toMatchObject({ state: 'draft' })
  expect(await whereReadersFind(started, draft)).toEqual(nowhere)
  const { body: second } = await publish(draft._id)
  expect(second.postedDate).toBe(first.postedDate)
  expect(await whereReadersFind(started, draft)).toEqual(everywhere)
  expect(await auditOf(draft._id)).toEqual(
    ['created', 'published', 'unpublished', 'published'].map((what) => ({
      action: `announcement-${what}`,
      actor_id: editor.id,
    })),
  )
})

test('notifies other instances of each transition', async () => {
  const heard: string[] = []
  const changes = listenToChanges(services.config.databaseUrl!)
  changes.on((topic) => heard.push(topic))
  await expect.poll(() => heard).toContain('announcements')
  const { _id } = await create({ status: 'draft' })
  heard.length = 0
  const steps = [
    () => schedule(_id, inTime(HOUR)),
    () => publish(_id),
    () => unpublish(_id),
    () => remove(_id),
    () => restore(_id),
  ]
  for (const [done, step] of steps.entries()) {
    await step()
    await expect.poll(() => heard.filter((topic) => topic === 'announcements')).toHaveLength(done + 1)
  }
  await changes.close()
})

test('a schedule can be moved, canceled, and superseded', async () => {
  const { _id } = await create({ status: 'draft' })
  const moment = inTime(HOUR)
  expect((await schedule(_id, moment)).body).toMatchObject({ state: 'scheduled', ...moment })
  const later = { ...inTime(2 * HOUR), zone: 'Europe/Oslo' }
  expect((await schedule(_id, later)).body).toMatchObject({ state: 'scheduled', ...later })
  expect((await unpublish(_id)).body).toMatchObject({ state: 'draft', publishAt: null, zone: null })
  await schedule(_id, moment)
  expect((await publish(_id)).body).toMatchObject({ state: 'published', publishAt: null, zone: null })
})

test.each([
  [{ publishAt: undefined }, 'publishAt', 'required'],
  [{ zone: undefined }, 'zone', 'required'],
  [{ publishAt: '2026-11-20' }, 'publishAt', 'invalid'],
  [{ publishAt: '2020-01-01T00:00:00Z' }, 'publishAt', 'past'],
  [{ publishAt: new Date(Date.now() + 400 * DAY).toISOString() }, 'publishAt', 'too_far'],
  [{ zone: 'Mars/Olympus' }, 'zone', 'one_of'],
  [{ status: 'published' as const }, 'status', 'mismatch'],
  [{ status: undefined }, 'status', 'mismatch'],
  [{ status: 'deleted' as 'draft' }, 'status', 'one_of'],
])('a new post with a schedule is refused by its field (%#)', async (fields, path, code) => {
  const body = { ...aPost(), status: 'scheduled' as const, ...inTime(HOUR), ...fields }
  const answer = await call(api.createAnnouncement, { body: JSON.parse(JSON.stringify(body)) as typeof body })
  expect(answer).toMatchObject({ status: 400, problem: { code: 'validation_failed' } })
  expect(answer.problem.errors).toContainEqual(expect.objectContaining({ path, code }))
})

test('saves a post once, even if a lost response makes the client retry', async () => {
  const body = { ...aPost({ title: 'Sent again' }), status: 'scheduled' as const, ...inTime(HOUR) }
  const send = (given: typeof body) =>
    started.call(
      api.createAnnouncement,
      { body: given },
      { token: editor.token, headers: { 'idempotency-key': 'a-form' } },
    )
  const answers = await Promise.all([send(body), send(body), send(body)])
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(new Set(answers.map(({ body: { _id } }) => _id)).size).toBe(1)
  expect(await list({ q: 'sent again' })).toHaveLength(1)
  expect(await send({ ...body, title: 'Another' })).toMatchObject({
    status: 409,
    problem: { code: 'idempotency_conflict' },
  })
})

test('an invalid transition is a conflict, and a missing post is not found', async () => {
  const [draft, published, deleted] = [await create({ status: 'draft' }), await create(), await create()]
  await remove(deleted._id)
  const outcomes = async (id: string) =>
    Promise.all(
      [publish(id), schedule(id, inTime(HOUR)), unpublish(id), restore(id)].map(
        async (answer) => (await answer).status,
      ),
    )
  expect(await Promise.all([unpublish(draft._id), restore(draft._id)])).toMatchObject([
    { status: 409, problem: { code: 'conflict' } },
    { status: 404 },
  ])
  expect(await Promise.all([publish(published._id), schedule(published._id, inTime(HOUR))])).toMatchObject([
    { status: 409 },
    { status: 409 },
  ])
  expect(await Promise.all([publish(deleted._id), unpublish(deleted._id)])).toMatchObject([
    { status: 404 },
    { status: 404 },
  ])
  expect(await outcomes('nothing')).toEqual([404, 404, 404, 404])
})

test('publishing or scheduling a post edited meanwhile is a conflict', async () => {
  const { _id } = await create({ status: 'draft' })
  const { body } = await call(api.updateAnnouncement, { body: { ...aPost({ title: 'Edited' }), _id } })
  for (const stale of [null, '2020-01-01T00:00:00.000Z']) {
    expect(await publish(_id, stale)).toMatchObject({ status: 409, problem: { code: 'conflict' } })
    expect(await schedule(_id, { ...inTime(HOUR), lastEdited: stale })).toMatchObject({ status: 409 })
  }
  expect((await read(_id)).state).toBe('draft')
  expect((await publish(_id, body.lastEdited)).body.state).toBe('published')
})

test('of many concurrent publications, one succeeds', async () => {
  const { _id } = await create({ status: 'draft' })
  const answers = await Promise.all([publish(_id), publish(_id), publish(_id)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  const published = (await auditOf(_id)).filter(({ action }) => action === 'announcement-published')
  expect(published).toHaveLength(1)
})

test('a deleted post is in the trash with its last day, and is restored unchanged', async () => {
  const posts = [
    await create({ status: 'draft' }),
    await create({ status: 'scheduled', ...inTime(HOUR) }),
    await create(),
  ]
  const before = await Promise.all(posts.map(({ _id }) => read(_id)))
  for (const { _id } of posts) await remove(_id)
  const trash = await list({ state: 'deleted', limit: 100 })
  for (const { _id } of posts) {
    const shown = trash.find((post) => post._id === _id)!
    expect(Date.parse(shown.goneAt!) - Date.parse(shown.deletedAt!)).toBe(trashDays * DAY)
    expect((await list({ limit: 100 })).map((post) => post._id)).not.toContain(_id)
  }
  for (const [n, { _id }] of posts.entries()) {
    expect((await restore(_id)).status).toBe(200)
    expect(await read(_id)).toEqual({ ...before[n], changedAt: expect.any(String) })
  }
  expect(await whereReadersFind(started, posts[2]!)).toEqual(everywhere)
  expect((await auditOf(posts[0]!._id)).map(({ action }) => action)).toEqual([
    'announcement-created',
    'announcement-deleted',
    'announcement-restored',
  ])
})

test('a post that became due in the trash returns as a draft', async () => {
  const post = await create({ status: 'scheduled', ...inTime(HOUR) })
  await remove(post._id)
  await services.db
    .updateTable('announcement')
    .set({ publish_at: new Date(Date.now() - 1) })
    .where('id', '=', post._id)
    .execute()
  expect((await restore(post._id)).body).toMatchObject({ state: 'draft', publishAt: null, zone: null })
})

test('lists posts by last change, page by page, filtered by state, language, and title words', async () => {
  const [a, b, c] = [
    await create({ title: 'Orchard Alpha 100%', status: 'draft' }),
    await create({ title: 'Orchard Beta', language: 'cn', status: 'draft' }),
    await create({ title: 'orchard 果园' }),
  ]
  await call(api.updateAnnouncement, { body: { ...aPost({ title: 'Orchard Alpha 100%' }), _id: a._id } })
  const ids = async (query: Parameters<typeof list>[0]) =>
    (await list({ ...query, limit: 100 })).map(({ _id }) => _id)
  expect(await ids({ q: 'orchard' })).toEqual([a._id, c._id, b._id])
  expect(await ids({ q: 'beta ORCHARD' })).toEqual([b._id])
  expect(await ids({ q: '果' })).toEqual([c._id])
  expect(await ids({ q: '100%' })).toEqual([a._id])
  expect(await ids({ q: 'or%d' })).toEqual([])
  expect(await ids({ q: 'orchard', state: 'draft' })).toEqual([a._id, b._id])
  expect(await ids({ q: 'orchard', language: 'cn' })).toEqual([b._id])
  const first = await call(api.listNewsroomPosts, { query: { q: 'orchard', limit: 2 } })
  const after = new URL(String(first.headers['link']).slice(1).split('>')[0]!, 'http://x').searchParams
  const second = await call(api.listNewsroomPosts, {
    query: { q: 'orchard', limit: 2, after: after.get('after')! },
  })
  expect([...first.body, ...second.body].map(({ _id }) => _id)).toEqual([a._id, c._id, b._id])
  expect(second.headers['link']).toBeUndefined()
})

test('a read-only role sees every state and changes nothing', async () => {
  const reader = await aSignedInMember(started, { manage_news: 1 })
  const { _id } = await create({ status: 'draft' })
  const by = { token: reader.token }
  expect((await started.call(api.getNewsroomPost, { params: { id: _id } }, by)).body.state).toBe('draft')
  expect((await started.call(api.publishPost, { params: { id: _id }, body: {} }, by)).status).toBe(403)
  expect((await read(_id)).state).toBe('draft')
})
