import { afterAll, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import { aPicture, aPost, aSignedInMember } from '#tests/builders.ts'
import { aNewsroom } from '#tests/newsroom.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { removeUnusedPictures } from '../pictures/picture.queries.ts'

const started = await startApi({}, afterAll)
const { db, files } = started.services
const { call, create, read, editor, remove } = await aNewsroom(started)
const other = await aSignedInMember(started, { manage_news: 2, display_name: 'Second Editor' })

type Change = Omit<CallOf<typeof api.updateAnnouncement>['body'], '_id' | keyof ReturnType<typeof aPost>>
const update = (_id: string, change: Change, by = editor) =>
  started.call(api.updateAnnouncement, { body: { _id, ...aPost(), ...change } }, { token: by.token })
const getPost = async (slug: string, lang = 'en') =>
  (await started.call(api.getPost, { params: { lang, slug } })).body
const upload = async (size?: { width: number; height: number }) =>
  (await call(api.uploadPicture, { body: { picture: await aPicture('png', size) } })).body
const authors = async () => (await started.call(api.listPostAuthors, {})).body
const postsBy = (slug: string, lang = 'en') =>
  started.call(api.browsePostsByAuthor, { params: { lang, slug }, query: {} })

test.each([
  ['en', 'word '.repeat(660), 3],
  ['en', 'short', 1],
  ['cn', '字'.repeat(1000), 3],
  ['cn', `${'字'.repeat(400)}${' word'.repeat(440)}`, 3],
] as const)('computes the reading time from words and characters in %s', async (language, text, minutes) => {
  const post = await create({ language, content: `<p class="ql-align-center">${text}</p>` })
  expect(post.readingMinutes).toBe(minutes)
  expect((await getPost(post.slug, language)).post.readingMinutes).toBe(minutes)
})

test('a card shows the chosen picture, or else the first picture in the text, or else a drawing', async () => {
  const drawn = await create({ title: 'Without a picture' })
  expect(drawn.picture).toMatchObject({ alt: '', origin: 'drawn', width: 960, height: 540 })
  expect((await getPost(drawn.slug)).post.picture).toEqual(drawn.picture)

  const inText = await upload({ width: 90, height: 60 })
  const image = `<img src="${inText.src}" srcset="${inText.srcset}" alt="A &quot;node&quot;" width="90" height="60">`
  const elsewhere = '<img src="https://e.example/x.png" alt="" width="1" height="1">'
  const content = `<p>${elsewhere}${image}</p>`
  expect((await create({ content })).picture).toEqual({ ...inText, alt: 'A "node"', origin: 'text' })

  const chosen = await upload({ width: 70, height: 50 })
  const card = { src: chosen.src, alt: 'A chosen one' }
  const post = await create({ content, card })
  expect(post.picture).toEqual({ ...chosen, alt: 'A chosen one', origin: 'chosen' })
  expect((await read(post._id)).picture).toEqual(post.picture)
  expect((await update(post._id, {})).body.picture).toEqual(post.picture)
  expect((await update(post._id, { card: null })).body.picture.origin).toBe('drawn')
})

test.each([
  [{ src: `/assets/media/news/${'a'.repeat(32)}-480.webp`, alt: 'Unknown' }, 'card'],
  [{ src: 'https://e.example/x.webp', alt: 'Elsewhere' }, 'card'],
  [{ src: '/assets/media/news/../share/x.webp', alt: 'Another path' }, 'card'],
  [{ src: `/assets/media/news/${'a'.repeat(32)}-480.webp`, alt: ' ' }, 'card.alt'],
])('refuses the card picture %o', async (card, path) => {
  const { status, problem } = await call(api.createAnnouncement, { body: { ...aPost(), card } })
  expect(status).toBe(400)
  expect(problem.errors).toMatchObject([{ path }])
})

test('keeps the picture of a card as long as a post shows it', async () => {
  const { src } = await upload({ width: 61, height: 41 })
  const { _id } = await create({ card: { src, alt: 'Kept' } })
  const names = async () =>
    (await db.selectFrom('announcement_picture').select('name').execute()).map(({ name }) => name)
  const clean = async () => {
    await db
      .updateTable('announcement_picture')
      .set({ used_at: new Date(0) })
      .execute()
    await removeUnusedPictures(db, files, 1000, 500)
  }
  const name = src.slice(src.lastIndexOf('/') + 1, src.lastIndexOf('-'))
  await clean()
  expect(await names()).toContain(name)
  await update(_id, { card: null })
  await clean()
  expect(await names()).not.toContain(name)
})

test('editors can name only themselves as the author of a post', async () => {
  const silent = await create({ title: 'No author' })
  expect(silent.byline).toBeNull()
  const post = await create({ title: 'With an author', byline: 'self' })
  expect(post.byline).toMatchObject({ name: 'Sample Editor' })
  expect(post.byline!.slug).toMatch(/^sample-editor-[0-9a-f]{6}$/)
  // Another editor saves the text, and can name themselves or no one.
  expect((await update(post._id, {}, other)).body.byline).toEqual(post.byline)
  expect((await update(post._id, { byline: 'keep' }, other)).body.byline).toEqual(post.byline)
  expect((await update(post._id, { byline: 'self' }, other)).body.byline).toMatchObject({
    name: 'Second Editor',
  })
  expect((await update(post._id, { byline: 'none' })).body.byline).toBeNull()
  const someone = { byline: 'Second Editor' } as unknown as Change
  expect((await update(post._id, someone)).problem.errors).toMatchObject([{ path: 'byline' }])
})

test('names no author without a display name, even if the account has a legal name', async () => {
  const nameless = await aSignedInMember(started, {
    manage_news: 2,
    display_name: '',
    first_name: 'Legal',
    last_name: 'Name',
  })
  const body = { ...aPost(), byline: 'self' as const }
  const { problem } = await started.call(api.createAnnouncement, { body }, { token: nameless.token })
  expect(problem.errors).toMatchObject([{ path: 'byline', code: 'required' }])
})

test('an author’s page lists the posts that name them, and moves when they change their name', async () => {
  const author = await aSignedInMember(started, { manage_news: 2, display_name: 'Ada 李' })
  const publish = async (fields: Partial<CallOf<typeof api.createAnnouncement>['body']>) =>
    (
      await started.call(
        api.createAnnouncement,
        { body: { ...aPost(), byline: 'self', ...fields } },
        { token: author.token },
      )
    ).body
  const first = await publish({ title: 'First of mine' })
  const chinese = await publish({ title: '我的公告', language: 'cn' })
  const draft = await publish({ title: 'A draft of mine', status: 'draft' })
  const hidden = await publish({ title: 'Not named', byline: 'none' })
  const { slug } = first.byline!
  expect(slug).toMatch(/^ada-李-[0-9a-f]{6}$/)
  expect(await authors()).toContainEqual({ slug, name: 'Ada 李', languages: ['cn', 'en'] })
  const { body } = await postsBy(slug)
  expect(body).toMatchObject({ author: { slug, name: 'Ada 李' }, languages: ['cn', 'en'], hasMore: false })
  expect(body.posts.map(({ _id }) => _id)).toEqual([first._id])
  expect((await postsBy(slug, 'cn')).body.posts.map(({ _id }) => _id)).toEqual([chinese._id])
  expect(JSON.stringify(body)).not.toContain(draft._id)
  expect(JSON.stringify(body)).not.toContain(hidden._id)
  expect(JSON.stringify(body)).not.toContain(author.email)

  await started.call(
    api.updateMember,
    { body: { id: author.id, displayName: 'Grace' } },
    { token: author.token },
  )
  expect((await postsBy(slug)).status).toBe(404)
  expect((await getPost(first.slug)).post.byline!.name).toBe('Grace')
  await started.call(api.eraseMember, { body: { current: author.password } }, { token: author.token })
  expect((await getPost(first.slug)).post.byline).toBeNull()
  expect((await authors()).map(({ name }) => name)).not.toContain('Grace')
})

test('an author without published posts has no page', async () => {
  const author = await aSignedInMember(started, { manage_news: 2, display_name: 'Nobody Yet' })
  const by = { token: author.token }
  const body = { ...aPost({ title: 'Secret plan' }), byline: 'self' as const, status: 'draft' as const }
  const { body: draft } = await started.call(api.createAnnouncement, { body }, by)
  const { slug } = draft.byline!
  expect((await postsBy(slug)).status).toBe(404)
  await call(api.publishPost, { params: { id: draft._id }, body: {} })
  expect((await postsBy(slug)).body.posts).toHaveLength(1)
  await remove(draft._id)
  expect((await postsBy(slug)).status).toBe(404)
  expect(await authors()).not.toContainEqual(expect.objectContaining({ slug }))
})

test('announces a change of an author’s name, even if someone else created the post', async () => {
  const { _id } = await create({ title: 'Announced' })
  const author = await aSignedInMember(started, { manage_news: 2, display_name: 'Before' })
  await update(_id, { byline: 'self' }, author)
  const topics = async () =>
    (await db.selectFrom('change').select('topic').execute()).map(({ topic }) => topic)
  await db.deleteFrom('change').execute()
  onTestFinished(() => void db.deleteFrom('change').execute())
  await started.call(
    api.updateMember,
    { body: { id: author.id, displayName: 'After' } },
    { token: author.token },
  )
  expect(await topics()).toEqual(expect.arrayContaining(['announcements', 'retractions']))
})

test.each([
  ['the right', { manage_news: 0 }],
  ['an active account', { active: false }],
  ['a password long enough for staff', { password_length_ok_for_staff: false }],
])('names no author without %s, and announces the change', async (_what, lost) => {
  const author = await aSignedInMember(started, { manage_news: 1, display_name: 'Former Colleague' })
  const { _id, slug } = await create({ title: 'By a colleague' })
  const change = (fields: object) =>
    db.updateTable('member').set(fields).where('id', '=', author.id).execute()
  await db.updateTable('announcement').set({ byline: author.id }).where('id', '=', _id).execute()
  const { byline } = (await getPost(slug)).post
  expect(byline).toMatchObject({ name: 'Former Colleague' })
  expect(await authors()).toContainEqual(expect.objectContaining(byline!))

  await db.deleteFrom('change').execute()
  onTestFinished(() => void db.deleteFrom('change').execute())
  await change(lost)
  expect((await db.selectFrom('change').select('topic').execute()).map(({ topic }) => topic)).toEqual(
    expect.arrayContaining(['announcements', 'retractions']),
  )
  expect((await getPost(slug)).post.byline).toBeNull()
  expect((await read(_id)).byline).toBeNull()
  expect((await authors()).map(({ slug }) => slug)).not.toContain(byline!.slug)
  expect((await postsBy(byline!.slug)).status).toBe(404)

  await change({ manage_news: 1, active: true, password_length_ok_for_staff: true })
  expect((await getPost(slug)).post.byline).toEqual(byline)
})
