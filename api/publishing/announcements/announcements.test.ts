import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Announcement } from '#contract/publishing/announcements.ts'
import { aPost, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { listenToChanges } from '../../platform/db/changes.ts'
import { emptyTrash } from './announcement.queries.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const editor = await aSignedInMember(started, { manage_news: 2, display_name: 'Sample Editor' })
const token = editor.token

async function create(fields: Parameters<typeof aPost>[0] = {}): Promise<Announcement> {
  const { body, status } = await call(api.createAnnouncement, { body: aPost(fields) }, { token })
  expect(status).toBe(201)
  return body
}

const list = async (lang: string, query: { limit?: number; after?: string } = {}) =>
  (await call(api.listAnnouncements, { params: { lang }, query })).body

const auditOf = (id: string) =>
  services.db.selectFrom('audit_entry').select(['action', 'actor_id']).where('subject_id', '=', id).execute()

test('a post appears at once, newest first, only in its language, with server-defined fields', async () => {
  const before = Date.now()
  const older = await create({ title: 'Older' })
  const post = await create({ title: 'Newer', category: 'Events' })
  expect(post).toEqual({
    _id: expect.any(String),
    slug: 'newer',
    title: 'Newer',
    category: 'Events',
    language: 'en',
    content: '<p>It is out.</p>',
    contentSummary: '<p>It is out.</p>',
    postedDate: expect.any(String),
    lastEdited: null,
    createdBy: { _id: editor.id, displayName: 'Sample Editor' },
    readingMinutes: 1,
    picture: expect.objectContaining({ origin: 'drawn' }),
    byline: null,
  })
  expect(Date.parse(post.postedDate)).toBeGreaterThanOrEqual(before)
  expect((await list('en')).slice(0, 2)).toEqual([post, older])
  expect((await list('cn')).map(({ _id }) => _id)).not.toContain(post._id)
  expect(await auditOf(post._id)).toEqual([{ action: 'announcement-created', actor_id: editor.id }])
})

test('author, summary, and dates come from the server, whatever the body contains', async () => {
  const body = {
    ...aPost(),
    createdBy: { _id: 'somebody', displayName: 'Somebody else' },
    contentSummary: '<script>alert(1)</script>',
    postedDate: '1999-01-01T00:00:00.000Z',
    lastEdited: '1999-01-01T00:00:00.000Z',
  }
  const { body: post } = await call(api.createAnnouncement, { body }, { token })
  expect(post).toMatchObject({
    createdBy: { _id: editor.id },
    contentSummary: '<p>It is out.</p>',
    lastEdited: null,
  })
  expect(post.postedDate).not.toMatch(/^1999/)
})

test('sanitizes and summarizes content on the server', async () => {
  const post = await create({ content: `<p onclick="x()">${'a'.repeat(2000)}<script>alert(1)</script></p>` })
  expect(post.content).toBe(`<p>${'a'.repeat(2000)}</p>`)
  expect(post.contentSummary).toBe(`<p>${'a'.repeat(1497)}</p>`)
  expect((await list('en'))[0]).toEqual(post)
})

test.each([
  [{ title: '' }, 'title', 'required'],
  [{ title: '   ' }, 'title', 'required'],
  [{ title: 'x'.repeat(201) }, 'title', 'too_long'],
  [{ title: 'two\nlines' }, 'title', 'invalid'],
  [{ category: 'Gossip' }, 'category', 'one_of'],
  [{ category: 'news' }, 'category', 'one_of'],
  [{ language: 'fr' as 'en' }, 'language', 'one_of'],
  [{ content: '' }, 'content', 'required'],
  [{ content: '<p><br></p>' }, 'content', 'required'],
  [{ content: '<script>alert(1)</script>' }, 'content', 'required'],
  [{ content: 'x'.repeat(1_500_001) }, 'content', 'too_long'],
  [{ content: '>'.repeat(400_000) }, 'content', 'too_long'],
  [{ content: 'a\u0000b' }, 'content', 'invalid'],
])('a post is refused by its field (%#)', async (fields, path, code) => {
  const answer = await call(api.createAnnouncement, { body: aPost(fields) }, { token })
  expect(answer).toMatchObject({ status: 400, problem: { code: 'validation_failed' } })
  expect(answer.problem.errors).toContainEqual(expect.objectContaining({ path, code }))
})

test('readers and anonymous visitors cannot publish', async () => {
  const reader = await aSignedInMember(started, { manage_news: 1 })
  for (const by of [undefined, reader.token]) {
    const answer = await call(api.createAnnouncement, { body: aPost({ title: 'Not mine' }) }, { token: by })
    expect(answer.status).toBe(by ? 403 : 401)
  }
  expect((await list('en')).map(({ title }) => title)).not.toContain('Not mine')
})

test('a change updates its date; an edit of an outdated state is a conflict without effect', async () => {
  const post = await create()
  const change = (title: string, lastEdited?: string | null) =>
    call(
      api.updateAnnouncement,
      { body: { ...aPost({ title }), _id: post._id, ...(lastEdited === undefined ? {} : { lastEdited }) } },
      { token },
    )
  const first = await change('First', null)
  expect(first).toMatchObject({ status: 200, body: { title: 'First', postedDate: post.postedDate } })
  expect(first.body.lastEdited).not.toBeNull()
  expect(await change('Second', null)).toMatchObject({ status: 409, problem: { code: 'conflict' } })
  expect(await change('Second', post.postedDate)).toMatchObject({ status: 409 })
  expect((await list('en'))[0]!.title).toBe('First')
  expect((await change('Third', first.body.lastEdited)).body.title).toBe('Third')
  expect((await change('Without a date')).body.title).toBe('Without a date')
})

test('of two concurrent saves, one gets a conflict', async () => {
  const post = await create()
  const answers = await Promise.all(
    ['One', 'Two', 'Three'].map((title) =>
      call(
        api.updateAnnouncement,
        { body: { ...aPost({ title }), _id: post._id, lastEdited: null } },
        { token },
      ),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
})

test('a change cannot modify server-defined fields', async () => {
  const post = await create()
  const other = await aSignedInMember(started, { manage_news: 2 })
  const body = { ...aPost(), _id: post._id, createdBy: { _id: other.id }, postedDate: '1999-01-01T00:00:00Z' }
  const { body: changed } = await call(api.updateAnnouncement, { body }, { token: other.token })
  expect(changed).toMatchObject({ createdBy: post.createdBy, postedDate: post.postedDate })
})

test('a deleted post leaves the list, cannot be changed or deleted again, and is kept for 30 days', async () => {
  const post = await create()
  const remove = () => call(api.deleteAnnouncement, { params: { id: post._id }, body: {} }, { token })
  expect(await remove()).toMatchObject({ status: 200, body: { deleted: true } })
  expect(await remove()).toMatchObject({ status: 404, problem: { code: 'not_found' } })
  const change = await call(api.updateAnnouncement, { body: { ...aPost(), _id: post._id } }, { token })
  expect(change.status).toBe(404)
  expect((await list('en')).map(({ _id }) => _id)).not.toContain(post._id)
  expect((await auditOf(post._id)).map(({ action }) => action)).toEqual([
    'announcement-created',
    'announcement-deleted',
  ])

  const isKept = async () => {
    await emptyTrash(services.db)
    const row = services.db.selectFrom('announcement').select('id').where('id', '=', post._id)
    return (await row.execute()).length === 1
  }
  const setAge = (days: number) =>
    services.db
      .updateTable('announcement')
      .set({ deleted_at: new Date(Date.now() - days * 86_400_000) })
      .where('id', '=', post._id)
      .execute()
  await setAge(29)
  expect(await isKept()).toBe(true)
  await setAge(31)
  expect(await isKept()).toBe(false)
})

test('rejects changing or deleting a post that never existed', async () => {
  const answers = [
    await call(api.updateAnnouncement, { body: { ...aPost(), _id: 'nothing' } }, { token }),
    await call(api.deleteAnnouncement, { params: { id: 'nothing' }, body: {} }, { token }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404])
})

test('keeps posts of a former author without the name', async () => {
  const author = await aSignedInMember(started, { manage_news: 2, display_name: 'Sample Leaver' })
  const { body: post } = await call(api.createAnnouncement, { body: aPost() }, { token: author.token })
  await call(api.eraseMember, { body: { current: author.password } }, { token: author.token })
  const shown = (await list('en')).find(({ _id }) => _id === post._id)
  expect(shown!.createdBy).toEqual({ _id: author.id, displayName: '' })
})

test.each(['fr', 'EN', 'zh', 'en.json', '%00'])('has no posts in %s', async (lang) => {
  const answer = await started.send({
    method: 'GET',
    url: `/v2/announcements/${lang}`,
    headers: { 'x-app-id': services.config.appId },
  })
  expect(answer.statusCode).toBe(404)
})

test('has four categories with their colors', async () => {
  expect((await call(api.listCategories, {})).body).toEqual([
    { name: 'Technical Updates', colour: 'red' },
    { name: 'News', colour: 'green' },
    { name: 'Events', colour: 'yellow' },
    { name: 'Partnerships', colour: 'red' },
  ])
})

test('notifies other instances of every committed change', async () => {
  const heard: string[] = []
  const changes = listenToChanges(services.config.databaseUrl!)
  changes.on((topic) => heard.push(topic))
  await expect.poll(() => heard).toContain('announcements')
  heard.length = 0
  const post = await create()
  await expect.poll(() => heard.filter((topic) => topic === 'announcements')).toHaveLength(1)
  await call(api.deleteAnnouncement, { params: { id: post._id }, body: {} }, { token })
  await expect.poll(() => heard.filter((topic) => topic === 'announcements')).toHaveLength(2)
  await changes.close()
})
