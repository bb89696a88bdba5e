import { afterAll, expect, onTestFinished, test } from 'vitest'
import faq from '#content/facts/faq.json' with { type: 'json' }
import manuals from '#content/facts/manuals.json' with { type: 'json' }
import { api } from '#contract/api.ts'
import type { Language } from '#contract/platform/languages.ts'
import type { Passage } from '#contract/publishing/search.ts'
import { aPost, aSignedInMember } from '#tests/builders.ts'
import { aContentDesk } from '#tests/content-desk.ts'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'
import { startContentWorker } from '../content/editing/content-worker.ts'
import { listenToChanges } from '../../platform/db/changes.ts'

const started = await startApi({}, afterAll)
const desk = await aContentDesk(started)
const editor = await aSignedInMember(started, { manage_news: 2 })

const searchOn = async (on: TestApi, q: string, language: Language = 'en') =>
  (await on.call(api.searchSite, { query: { language, q } })).body
const search = (q: string, language?: Language) => searchOn(started, q, language)
const addresses = async (...given: Parameters<typeof search>) =>
  (await search(...given)).results.map(({ address }) => address)

async function create(fields: Parameters<typeof aPost>[0]) {
  const answer = await started.call(api.createAnnouncement, { body: aPost(fields) }, { token: editor.token })
  return answer.body
}

const hits = (passage: Passage) => passage.filter(({ isHit }) => isHit).map(({ text }) => text)
const whole = (passage: Passage) => passage.map(({ text }) => text).join('')

test.each(['en', 'cn'] as const)(
  'finds each question, manual, and page by its title in %s',
  async (language) => {
    for (const { id, [language]: said } of faq.questions) {
      const [first] = (await search(said.question, language)).results
      expect(first).toMatchObject({ kind: 'question', address: `/help#${id}` })
      expect(whole(first!.title)).toBe(said.question)
    }
    for (const { [language]: said } of manuals) {
      const found = (await search(said.title, language)).results.filter(({ kind }) => kind === 'document')
      expect(found.map(({ title }) => whole(title))).toContain(said.title)
      expect(found[0]!.address).toMatch(/^\/assets\/pdfs\/[\w.-]+\.pdf$/)
    }
    const words = started.services.content.allWords(language)
    const [terms] = (await search(words['legal.terms.liability.heading']!, language)).results
    expect(terms).toMatchObject({ kind: 'page', address: '/legal/terms#liability' })
    expect(terms!.page).toBe(words['legal.terms.title'])
  },
)

test('finds posts in their language, and marks the words in the title and in the text', async () => {
  const post = await create({
    title: 'Zebrafish release',
    content: `<p>${'Filler words here. '.repeat(40)}</p><p>The <em>zebra</em>fish arrived &lt;today&gt;.</p>`,
  })
  const [found] = (await search('ZEBRAFISH')).results
  expect(found).toMatchObject({
    kind: 'post',
    address: `/news/${post.slug}`,
    page: null,
    postedDate: post.postedDate,
  })
  expect(hits(found!.title)).toEqual(['Zebrafish'])
  expect(hits(found!.text)).toEqual(['zebrafish'])
  expect(whole(found!.text)).toMatch(/^….*Filler words here\. The zebrafish arrived <today>\.$/)
  expect(await addresses('zebrafish', 'cn')).toEqual([])
  const chinese = await create({ title: '斑马鱼公告', content: '<p>今天上线。</p>', language: 'cn' })
  expect(await addresses('马鱼', 'cn')).toEqual([`/news/${encodeURIComponent(chinese.slug)}`])
  const body = {}
  await started.call(api.deleteAnnouncement, { params: { id: post._id }, body }, { token: editor.token })
  expect(await addresses('zebrafish')).toEqual([])
})

test('ranks whole words in titles first, then parts of words, then text, and equal posts by date', async () => {
  const inText = await create({ title: 'First', content: '<p>About a wombat.</p>' })
  const older = await create({ title: 'The wombat', content: '<p>One.</p>' })
  const part = await create({ title: 'Wombats', content: '<p>Two.</p>' })
  const newer = await create({ title: 'The wombat', content: '<p>Three.</p>' })
  const exact = await create({ title: 'Wombat', content: '<p>Four.</p>' })
  const slugs = [exact, newer, older, part, inText].map(({ slug }) => `/news/${slug}`)
  expect(await addresses('wombat')).toEqual(slugs)
})

test('lists results with the rarest words if nothing contains all of them, and marks them as partial', async () => {
  const [question] = faq.questions
  const found = await search(`${question!.en.question} xylophone`)
  expect(found.isPartial).toBe(true)
  expect(found.results[0]!.address).toBe(`/help#${question!.id}`)
  expect(found.results.length).toBeLessThan(10)
  const chinese = await search(`${question!.cn.question}木琴`, 'cn')
  expect(chinese).toMatchObject({ isPartial: true })
  expect(chinese.results.map(({ address }) => address)).toContain(`/help#${question!.id}`)
  expect(await search('xylophone')).toEqual({ results: [], isPartial: false, hasMorePosts: false })
})

test('reports whether there are more posts than it lists', async () => {
  for (let n = 1; n <= 11; n += 1) await create({ title: `Numbat ${n}`, content: '<p>One of many.</p>' })
  const found = await search('numbat')
  expect(found.results).toHaveLength(10)
  expect(found.hasMorePosts).toBe(true)
  expect(whole(found.results[0]!.title)).toBe('Numbat 11')
})

test('every instance finds published content within seconds, and not after it is replaced', async () => {
  const second = await startAnotherInstance(started)
  const changes = listenToChanges(started.services.config.databaseUrl!)
  const worker = startContentWorker(second.services)
  changes.on((topic) => topic === worker.topic && worker.wake())
  onTestFinished(async () => {
    await worker.stop()
    await changes.close()
  })
  const found = () =>
    Promise.all([started, second].map(async (on) => (await searchOn(on, 'quokka')).results.length))
  expect(await found()).toEqual([0, 0])
  const place = 'en.project.wallet.paragraph1'
  await desk.put('messages/project', { [place]: 'A quokka keeps your keys.' })
  expect((await search('quokka')).results).toMatchObject([{ address: '/project#wallet' }])
  await expect.poll(found, { timeout: 3000 }).toEqual([1, 1])
  await desk.put('messages/project', { [place]: 'Your keys are yours.' })
  await expect.poll(found, { timeout: 3000 }).toEqual([0, 0])
})

test.each([
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'the of and a to is',
  '\u202Eevil\u202C עברית العربية',
  '%_\\\'"; drop table announcement; --',
  '.* [ ( ) ] \\ ^ $ a+',
  'x'.repeat(100),
  '🦔 🦔',
  '…！？',
])('treats the hostile query %j as plain words', async (q) => {
  for (const language of ['en', 'cn'] as const) {
    const answer = await started.call(api.searchSite, { query: { language, q } })
    expect(answer.status).toBe(200)
    for (const { title, text } of answer.body.results)
      expect([...title, ...text].every(({ text: part }) => part !== '')).toBe(true)
  }
})

test.each([
  [{ q: '' }, 'q'],
  [{ q: ' ' }, 'q'],
  [{ q: 'x'.repeat(101) }, 'q'],
  [{ q: 'a\u0000b' }, 'q'],
  [{ q: 'a', language: 'xx' as 'en' }, 'language'],
])('refuses %o', async (given, path) => {
  const { status, problem } = await started.call(api.searchSite, { query: { language: 'en', ...given } })
  expect(status).toBe(400)
  expect(problem.errors).toMatchObject([{ path }])
})

test('the white paper is found only while it is published', async () => {
  const words = started.services.content.allWords('en')
  const query = words['whitePaper.risks.liquid']!.slice(0, 100)
  expect(await addresses(query)).toContain('/white-paper#risks')
  started.services.content.override(new Map([['documents', []]]))
  onTestFinished(() => started.services.content.override(new Map()))
  expect(await addresses(query)).not.toContain('/white-paper#risks')
})

test.each(['en', 'cn'] as const)('the sale is found only while it is public (%s)', async (language) => {
  const { content } = started.services
  const query = content.allWords(language)['sale.risks.final']!.slice(0, 100)
  expect(await addresses(query, language)).toContain('/sale')
  const facts = { isPublic: false, isOnHome: false, isLeftShown: false }
  content.override(new Map([['facts/sale.json', facts]]))
  onTestFinished(() => content.override(new Map()))
  expect(await addresses(query, language)).not.toContain('/sale')
})
