import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aPost, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const editor = await aSignedInMember(started, { manage_news: 2 })

async function create(fields: Parameters<typeof aPost>[0]) {
  const { body } = await started.call(
    api.createAnnouncement,
    { body: aPost(fields) },
    { token: editor.token },
  )
  return body
}

const browse = async (lang: string, query: { category?: string; q?: string; page?: number } = {}) =>
  started.call(api.browseAnnouncements, { params: { lang }, query })

const titles = async (...given: Parameters<typeof browse>) =>
  (await browse(...given)).body.posts.map(({ title }) => title)

test('filters the list by category and words, page by page', async () => {
  for (let n = 1; n <= 21; n += 1) await create({ title: `Release ${n}`, category: 'Technical Updates' })
  await create({ title: 'Workshop', category: 'Events', content: '<p>Bring a <em>note</em>book.</p>' })
  const first = (await browse('en')).body
  expect(first.posts).toHaveLength(20)
  expect(first.posts[0]).toMatchObject({ title: 'Workshop', slug: 'workshop' })
  expect(first.hasMore).toBe(true)
  expect(await titles('en', { page: 2 })).toEqual(['Release 2', 'Release 1'])
  expect((await browse('en', { page: 2 })).body.hasMore).toBe(false)
  expect(await titles('en', { category: 'Events' })).toEqual(['Workshop'])
  expect(await titles('en', { q: 'notebook' })).toEqual(['Workshop'])
  expect(await titles('en', { q: 'NOTEBOOK', category: 'News' })).toEqual([])
  expect((await titles('en', { q: 'release 2' })).toSorted()).toEqual([
    'Release 2',
    'Release 20',
    'Release 21',
  ])
  expect(await titles('cn', { q: 'release' })).toEqual([])
})

test('finds Chinese by any of its words, and only in the edited text', async () => {
  const post = await create({
    title: '全节点 3.2 版发布',
    content: '<p>首次<strong>同步</strong>更快。</p>',
    language: 'cn',
  })
  for (const q of ['节点', '同步', '次同', '版', '发布 节点'])
    expect(await titles('cn', { q })).toEqual([post.title])
  expect(await titles('cn', { q: '点节' })).toEqual([])
  const body = { ...aPost({ title: post.title, content: '<p>钱包</p>', language: 'cn' }), _id: post._id }
  await started.call(api.updateAnnouncement, { body }, { token: editor.token })
  expect(await titles('cn', { q: '同步' })).toEqual([])
  expect(await titles('cn', { q: '钱包' })).toEqual([post.title])
})

test.each([
  [{ category: 'Gossip' }, 'category'],
  [{ page: 0 }, 'page'],
  [{ page: 1001 }, 'page'],
  [{ q: 'x'.repeat(101) }, 'q'],
])('the list refuses %o', async (query, path) => {
  const { status, problem } = await browse('en', query)
  expect(status).toBe(400)
  expect(problem.errors).toMatchObject([{ path }])
})

test('a post keeps one address, and two posts with one title have two', async () => {
  const [first, second] = [await create({ title: 'Same title' }), await create({ title: 'Same title' })]
  expect([first.slug, second.slug]).toEqual(['same-title', 'same-title-2'])
  const body = { ...aPost({ title: 'Another title' }), _id: first._id }
  await started.call(api.updateAnnouncement, { body }, { token: editor.token })
  const read = await started.call(api.getPost, { params: { lang: 'en', slug: 'same-title' } })
  expect(read.body).toMatchObject({ post: { _id: first._id, title: 'Another title' }, languages: ['en'] })
})

test('many concurrent posts with one title all get an address', async () => {
  const made = await Promise.all(Array.from({ length: 6 }, () => create({ title: 'At once' })))
  expect(new Set(made.map(({ slug }) => slug)).size).toBe(6)
})

test('posts of two languages get different addresses, even if one is named like another’s number', async () => {
  await create({ title: 'Crossing' })
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      create({
        title: n % 4 < 2 ? 'Crossing' : `Crossing ${2 + Math.floor(n / 4)}`,
        language: n % 2 === 0 ? 'en' : 'cn',
      }),
    ),
  )
  expect(new Set(made.map(({ slug }) => slug)).size).toBe(8)
})

test('a request in the other language gets the post, and a deleted one is gone', async () => {
  const post = await create({ title: 'Only here' })
  const read = () => started.call(api.getPost, { params: { lang: 'cn', slug: post.slug } })
  expect((await read()).body.post).toMatchObject({ language: 'en', title: 'Only here' })
  const addresses = async () => (await started.call(api.listPostAddresses, {})).body
  expect(await addresses()).toContainEqual({ slug: post.slug, language: 'en', changedAt: post.postedDate })
  await started.call(api.deleteAnnouncement, { params: { id: post._id }, body: {} }, { token: editor.token })
  expect(await read()).toMatchObject({ status: 404, problem: { code: 'not_found' } })
  expect((await addresses()).map(({ slug }) => slug)).not.toContain(post.slug)
})
