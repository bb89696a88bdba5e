import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import { autosavesBytesMax, autosavesMax } from '#contract/publishing/newsroom.ts'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { aPost, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aNewsroom } from '#tests/newsroom.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { cleanUp } from '#tests/clean-up.ts'

const started = await startApi({}, afterAll)
const { services } = started
const { create, remove, call } = await aNewsroom(started)

type Given = CallOf<typeof api.saveAutosave>['body']

const anAutosave = (fields: Partial<Given> = {}): Given => ({
  id: randomUUID(),
  postId: null,
  translationOf: null,
  title: '',
  category: '',
  language: 'en',
  content: '<p>Half a sen',
  basedOn: null,
  ...fields,
})
const anEditor = () => aSignedInMember(started, { manage_news: 2 })
const save = ({ token }: TestMember, body: Given) => started.call(api.saveAutosave, { body }, { token })
const listOf = async ({ token }: TestMember) => (await started.call(api.listAutosaves, {}, { token })).body
const getOne = ({ token }: TestMember, id: string) =>
  started.call(api.getAutosave, { params: { id } }, { token })
/** Every autosave of the list with its content. */
const autosavesOf = async (editor: TestMember) =>
  Promise.all((await listOf(editor)).map(async ({ id }) => (await getOne(editor, id)).body))
const drop = ({ token }: TestMember, id: string) =>
  started.call(api.discardAutosave, { params: { id } }, { token })

test('keeps typed text unchanged, newest first, and a repeated request stores it once', async () => {
  const editor = await anEditor()
  const post = await create()
  const first = anAutosave({ title: 'An idea', content: '<p onclick="x()">as typed</p>' })
  const second = anAutosave({ postId: post._id, language: 'cn', category: 'News', basedOn: post.postedDate })
  await save(editor, first)
  const kept = await save(editor, second)
  expect(kept.body).toEqual({ id: second.id, savedAt: expect.any(String) })
  expect(await autosavesOf(editor)).toEqual([
    { ...second, postTitle: post.title, savedAt: kept.body.savedAt },
    { ...first, postTitle: null, savedAt: expect.any(String) },
  ])
  const [listed] = await listOf(editor)
  expect(listed).toMatchObject({ id: second.id, postTitle: post.title })
  expect(listed).not.toHaveProperty('content')
  await save(editor, { ...first, content: '<p>more</p>' })
  expect((await autosavesOf(editor)).map(({ id, content }) => [id, content])).toEqual([
    [first.id, '<p>more</p>'],
    [second.id, second.content],
  ])
})

test('keeps what an editor changed about the card and the author, and nothing of what was not changed', async () => {
  const editor = await anEditor()
  const card = { src: '/assets/media/news/0123456789abcdef0123456789abcdef-480.webp', alt: 'A node' }
  const changed = anAutosave({ card, byline: 'self' })
  const automatic = anAutosave({ card: null })
  const unchanged = anAutosave()
  for (const each of [changed, automatic, unchanged]) await save(editor, each)
  expect((await getOne(editor, changed.id)).body).toMatchObject({ card, byline: 'self' })
  const { body } = await getOne(editor, automatic.id)
  expect(body.card).toBeNull()
  expect(body).not.toHaveProperty('byline')
  expect((await getOne(editor, unchanged.id)).body).not.toHaveProperty('card')
  // The choice can be taken back, and a saved or discarded autosave keeps no choices.
  await save(editor, { ...unchanged, id: changed.id })
  expect((await getOne(editor, changed.id)).body).not.toHaveProperty('card')
  await save(editor, changed)
  await drop(editor, changed.id)
  const left = await services.db
    .selectFrom('announcement_working_copy')
    .select(['card_src', 'card_alt', 'byline'])
    .where('id', '=', changed.id)
    .executeTakeFirstOrThrow()
  expect(left).toEqual({ card_src: null, card_alt: null, byline: null })
})

test('members cannot see, change, or discard autosaves of others', async () => {
  const [owner, other] = [await anEditor(), await anEditor()]
  const autosave = anAutosave({ content: 'mine' })
  await save(owner, autosave)
  expect(await autosavesOf(other)).toEqual([])
  expect(await save(other, { ...autosave, content: 'stolen' })).toMatchObject({ status: 404 })
  expect((await getOne(other, autosave.id)).status).toBe(404)
  expect((await drop(other, autosave.id)).status).toBe(404)
  const body = { ...aPost(), status: 'draft' as const, workingCopyId: autosave.id }
  expect((await started.call(api.createAnnouncement, { body }, { token: other.token })).status).toBe(201)
  expect((await autosavesOf(owner)).map(({ content }) => content)).toEqual(['mine'])
  expect((await drop(owner, autosave.id)).body).toEqual({ dropped: true })
  expect((await drop(owner, autosave.id)).status).toBe(404)
  expect(await autosavesOf(owner)).toEqual([])
})

test('a second browser takes over the autosave of a post from the first', async () => {
  const [editor, other] = [await anEditor(), await anEditor()]
  const { _id } = await create()
  const [first, second] = [
    anAutosave({ postId: _id, content: '1' }),
    anAutosave({ postId: _id, content: '2' }),
  ]
  await save(other, anAutosave({ postId: _id, content: 'other' }))
  await save(editor, first)
  await save(editor, second)
  expect((await autosavesOf(editor)).map(({ id, content }) => [id, content])).toEqual([[second.id, '2']])
  const fresh = (await create())._id
  const browsers = Array.from({ length: 8 }, (_, n) => anAutosave({ postId: fresh, content: `${n}` }))
  const answers = await Promise.all(browsers.map((autosave) => save(editor, autosave)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await autosavesOf(editor)).map(({ postId }) => postId).toSorted()).toEqual([_id, fresh].toSorted())
  expect((await autosavesOf(other)).map(({ content }) => content)).toEqual(['other'])
})

test('saving the post deletes the autosave, and a rejected save keeps it', async () => {
  const editor = await anEditor()
  const autosave = anAutosave()
  const post = (body: CallOf<typeof api.createAnnouncement>['body']) =>
    started.call(api.createAnnouncement, { body }, { token: editor.token })
  await save(editor, autosave)
  expect((await post({ ...aPost({ content: '<p></p>' }), workingCopyId: autosave.id })).status).toBe(400)
  expect((await post({ ...aPost(), translationOf: 'nothing', workingCopyId: autosave.id })).status).toBe(404)
  expect(await autosavesOf(editor)).toHaveLength(1)
  const { body } = await post({ ...aPost(), workingCopyId: autosave.id })
  expect(await autosavesOf(editor)).toEqual([])
  const change = anAutosave({ postId: body._id })
  await save(editor, change)
  const update = (lastEdited: string | null) =>
    started.call(
      api.updateAnnouncement,
      { body: { ...aPost({ title: 'Saved' }), _id: body._id, lastEdited, workingCopyId: change.id } },
      { token: editor.token },
    )
  expect((await update('2020-01-01T00:00:00.000Z')).status).toBe(409)
  expect(await autosavesOf(editor)).toHaveLength(1)
  expect((await update(null)).status).toBe(200)
  expect(await autosavesOf(editor)).toEqual([])
})

test('an autosave in flight during a save does not reappear', async () => {
  const editor = await anEditor()
  const [arrived, late] = [anAutosave({ title: 'Arrived' }), anAutosave({ title: 'Late' })]
  await save(editor, arrived)
  for (const { id } of [arrived, late]) {
    const body = { ...aPost(), status: 'draft' as const, workingCopyId: id }
    expect((await started.call(api.createAnnouncement, { body }, { token: editor.token })).status).toBe(201)
  }
  for (const autosave of [arrived, late]) expect((await save(editor, autosave)).status).toBe(404)
  expect(await listOf(editor)).toEqual([])
  // A discarded text does not come back either.
  const dropped = anAutosave()
  await save(editor, dropped)
  await drop(editor, dropped.id)
  expect((await save(editor, dropped)).status).toBe(404)
  const { content } = await services.db
    .selectFrom('announcement_working_copy')
    .select('content')
    .where('id', '=', dropped.id)
    .executeTakeFirstOrThrow()
  expect(content).toBe('')
  await services.db
    .updateTable('announcement_working_copy')
    .set({ ended_at: new Date(Date.now() - 25 * HOUR) })
    .where('id', '=', dropped.id)
    .execute()
  await cleanUp(services)
  const left = await services.db
    .selectFrom('announcement_working_copy')
    .select('id')
    .where('member_id', '=', editor.id)
    .execute()
  expect(left.map(({ id }) => id).toSorted()).toEqual([arrived.id, late.id].toSorted())
})

test('an unfinished translation keeps its original while that exists', async () => {
  const editor = await anEditor()
  const original = await create({ title: 'To be translated' })
  const autosave = anAutosave({ translationOf: original._id, language: 'cn', title: '半' })
  expect((await save(editor, { ...autosave, translationOf: 'nothing' })).status).toBe(404)
  expect((await save(editor, autosave)).status).toBe(200)
  const asKept = { id: autosave.id, postId: null, translationOf: original._id, postTitle: 'To be translated' }
  expect(await listOf(editor)).toEqual([expect.objectContaining(asKept)])
  await remove(original._id)
  expect((await save(editor, autosave)).status).toBe(200)
  await services.db.deleteFrom('announcement').where('id', '=', original._id).execute()
  const left = { id: autosave.id, translationOf: null, postTitle: null, title: '半' }
  expect(await listOf(editor)).toEqual([expect.objectContaining(left)])
})

test('concurrent autosave and save both succeed and leave no autosave', async () => {
  const editor = await anEditor()
  const { _id } = await create()
  const autosave = anAutosave({ postId: _id })
  const rounds = Array.from({ length: 8 }, async (_, n) =>
    Promise.all([
      save(editor, { ...autosave, content: `${n}` }),
      started.call(
        api.updateAnnouncement,
        { body: { ...aPost({ title: `Round ${n}` }), _id, workingCopyId: autosave.id } },
        { token: editor.token },
      ),
    ]),
  )
  for (const [kept, saved] of await Promise.all(rounds)) {
    // An autosave after the first save comes too late.
    expect([200, 404]).toContain(kept.status)
    expect(saved.status).toBe(200)
  }
  expect(await listOf(editor)).toEqual([])
})

test('drops the oldest autosave beyond the maximum', async () => {
  const editor = await anEditor()
  const all = Array.from({ length: autosavesMax + 2 }, (_, n) => anAutosave({ title: `${n}` }))
  for (const autosave of all) expect((await save(editor, autosave)).status).toBe(200)
  expect((await listOf(editor)).map(({ id }) => id)).toEqual(
    all
      .slice(2)
      .toReversed()
      .map(({ id }) => id),
  )
})

test('drops the oldest autosaves if they are too large together, but keeps the newest', async () => {
  const editor = await anEditor()
  const large = Array.from({ length: 10 }, () => anAutosave({ content: '文'.repeat(650_000) }))
  const small = anAutosave({ content: 'small' })
  for (const autosave of [small, ...large]) expect((await save(editor, autosave)).status).toBe(200)
  const kept = large.slice(-Math.floor(autosavesBytesMax / 1_950_000)).toReversed()
  expect((await autosavesOf(editor)).map(({ id }) => id)).toEqual(kept.map(({ id }) => id))
})

test.each([
  [{ id: 'not-made-by-a-browser' }, 'id', 'invalid'],
  [{ title: 'x'.repeat(201) }, 'title', 'too_long'],
  [{ category: 'Gossip' as 'News' }, 'category', 'one_of'],
  [{ content: 'x'.repeat(1_500_001) }, 'content', 'too_long'],
  [{ content: 'a\u0000b' }, 'content', 'invalid'],
  [{ basedOn: 'yesterday' }, 'basedOn', 'invalid'],
  [{ basedOn: '2026-13-45T00:00:00.000Z' }, 'basedOn', 'invalid'],
  [{ basedOn: '2026-02-30T00:00:00.000Z' }, 'basedOn', 'invalid'],
])('what cannot be kept is refused by its field (%#)', async (fields, path, code) => {
  const answer = await save(await anEditor(), anAutosave(fields))
  expect(answer.problem.errors).toContainEqual(expect.objectContaining({ path, code }))
})

test('keeps autosaves of a post in the trash, but not of a missing one', async () => {
  const editor = await anEditor()
  const { _id } = await create()
  await remove(_id)
  expect((await save(editor, anAutosave({ postId: _id }))).status).toBe(200)
  expect((await save(editor, anAutosave({ postId: 'nothing' }))).status).toBe(404)
  await call(api.restorePost, { params: { id: _id }, body: {} })
  expect(await autosavesOf(editor)).toHaveLength(1)
})

test('deletes autosaves after 90 days or with their member, and hides them without the right', async () => {
  const [old, leaver, dismissed] = [await anEditor(), await anEditor(), await anEditor()]
  const kept = anAutosave()
  for (const [member, autosave] of [
    [old, kept],
    [old, anAutosave()],
    [leaver, anAutosave()],
    [dismissed, anAutosave()],
  ] as const)
    await save(member, autosave)
  const age = (id: string, days: number) =>
    services.db
      .updateTable('announcement_working_copy')
      .set({ saved_at: new Date(Date.now() - days * 86_400_000) })
      .where('id', '=', id)
      .execute()
  for (const { id } of await autosavesOf(old)) await age(id, id === kept.id ? 89 : 91)
  await cleanUp(services)
  expect((await autosavesOf(old)).map(({ id }) => id)).toEqual([kept.id])
  await started.call(api.eraseMember, { body: { current: leaver.password } }, { token: leaver.token })
  const left = await services.db
    .selectFrom('announcement_working_copy')
    .select('member_id')
    .where('member_id', 'in', [leaver.id, dismissed.id])
    .execute()
  expect(left).toEqual([{ member_id: dismissed.id }])
  await updateMemberRow(services.db, dismissed.id, { manage_news: 1 })
  const answer = await started.call(api.listAutosaves, {}, { token: dismissed.token })
  expect(answer.status).toBe(403)
})
