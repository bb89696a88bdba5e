import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Announcement } from '#contract/publishing/announcements.ts'
import { aNewsroom, type Newsroom } from '#tests/newsroom.ts'
import { startAnotherInstance, startApi } from '#tests/setup/start-api.ts'
import { startWholeSite, type WholeSite } from '#tests/setup/start-whole-site.ts'

/** Every URL that shows part of a post. */
const callsFor = ({ slug, title }: Announcement) =>
  [
    'en',
    'en?limit=1',
    'en/browse',
    'en/browse?page=1&category=News',
    `en/browse?q=${encodeURIComponent(title)}`,
    `en/posts/${slug}`,
    'addresses',
    'getCategories',
    'signing-keys',
  ].map((path) => `/v2/announcements/${path}`)
const pagesFor = ({ slug, title }: Announcement) => [
  '/news',
  '/cn/news',
  `/news/${slug}`,
  `/news?q=${encodeURIComponent(title)}`,
  '/news.atom',
  '/sitemap.xml',
]

const readAll = (site: WholeSite, paths: readonly string[], headers = {}) =>
  Promise.all(paths.map((path) => site.get(path, headers)))

async function twoInstances() {
  const first = await startApi()
  const second = await startAnotherInstance(first)
  const newsroom = await aNewsroom(first)
  const sites = [await startWholeSite(first), await startWholeSite(second)] as const
  const { token } = newsroom.editor
  /** Authenticated requests are served from the database. */
  async function asItIs(paths: readonly string[]): Promise<string[]> {
    const answers = await readAll(sites[0], paths, { 'x-access-token': token })
    // With many readers, some requests get 503 and must be repeated.
    return answers.some((answer) => answer.startsWith('503')) ? asItIs(paths) : answers
  }

  /** Expects the change immediately in the instance that made it, and in the other one as soon as it is notified. */
  async function expectFresh(post: Announcement, isHeardOfOnly = false) {
    const calls = callsFor(post)
    const truth = await asItIs(calls)
    if (!isHeardOfOnly) expect(await readAll(sites[0], calls)).toEqual(truth)
    for (const site of sites) await expect.poll(() => readAll(site, calls)).toEqual(truth)
    return truth
  }
  return { first, newsroom, sites, expectFresh }
}

const steps = (newsroom: Newsroom, post: Announcement) => ({
  edit: () =>
    newsroom.call(api.updateAnnouncement, {
      body: { ...pick(post), _id: post._id, title: `${post.title}, ${edited}`, lastEdited: post.lastEdited },
    }),
  unpublish: () => newsroom.call(api.unpublishPost, { params: { id: post._id }, body: {} }),
  publish: () => newsroom.call(api.publishPost, { params: { id: post._id }, body: {} }),
  remove: () => newsroom.remove(post._id),
})
/** Appears in no other text of a page. */
const edited = 'zebras instead'
const pick = ({ category, content, language }: Announcement) => ({ category, content, language })

test('caches of two instances match what is published after every change of a post and of its author', async () => {
  const { first, newsroom, sites, expectFresh } = await twoInstances()
  const post = await newsroom.create({ title: 'A sample of freshness', category: 'News' })
  const pages = pagesFor(post)
  const shownIn = async (text: string) => {
    const shown = await Promise.all(sites.map((site) => readAll(site, pages)))
    return shown.map((each) => each.map((page) => page.includes(text)))
  }
  const isShown = (...where: boolean[]) => [where, where]
  const everywhere = isShown(true, false, true, true, true, false)
  await expectFresh(post)
  await expect.poll(() => shownIn(post.title)).toEqual(everywhere)
  const { edit, publish, unpublish } = steps(newsroom, post)
  for (const step of [edit, unpublish, publish]) {
    expect((await step()).status).toBe(200)
    const truth = await expectFresh(post)
    const isPublished = step !== unpublish
    expect(truth.join('\n').includes(edited)).toBe(isPublished)
    await expect.poll(async () => (await shownIn(edited)).flat().includes(true)).toBe(isPublished)
  }
  const name = 'A name that goes'
  const rename = (display_name: string) =>
    first.services.db
      .updateTable('member')
      .set({ display_name })
      .where('id', '=', newsroom.editor.id)
      .execute()
  await rename(name)
  expect((await expectFresh(post, true)).join('\n')).toContain(name)
  await expect.poll(async () => (await shownIn(name)).flat().includes(true)).toBe(true)
  // The effect is the same as erasing a member.
  await rename('')
  expect((await expectFresh(post, true)).join('\n')).not.toContain(name)
  await expect.poll(async () => (await shownIn(name)).flat().includes(true)).toBe(false)
})

test("cached answers equal the call's answer byte for byte, for every client and language", async () => {
  const { newsroom, sites } = await twoInstances()
  const post = await newsroom.create({ title: 'Kept as it is', category: 'News' })
  const [site] = sites
  const headers = [{}, { 'accept-language': 'zh' }, { cookie: 'language=cn; XSRF-TOKEN=x' }]
  for (const path of [...callsFor(post), '/v2/content/words?language=en&files=home', '/v2/content/brand']) {
    const own = await site.get(path, { 'x-access-token': newsroom.editor.token })
    for (const each of headers) expect(await site.get(path, each)).toBe(own)
  }
})

test('readers who poll constantly never see withdrawn content', { tags: ['nightly'] }, async () => {
  const { newsroom, sites, expectFresh } = await twoInstances()
  const posts = await Promise.all(
    Array.from({ length: 3 }, (_, n) => newsroom.create({ title: `Sample number ${n}`, category: 'News' })),
  )
  let isOver = false
  const readers = sites.map(async (site) => {
    while (!isOver) for (const post of posts) await readAll(site, [...callsFor(post), ...pagesFor(post)])
  })
  for (let n = 0; n < 40; n += 1) {
    const post = posts[n % posts.length]!
    const { publish, unpublish } = steps(newsroom, post)
    expect((await (n % 6 < 3 ? unpublish : publish)()).status).toBe(200)
    await expectFresh(post)
  }
  isOver = true
  await Promise.all(readers)
})
