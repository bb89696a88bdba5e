import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { DAY, MINUTE } from '#contract/platform/durations.ts'
import { inAppHeader } from '#contract/publishing/in-app-header.ts'
import { readReads } from '#contract/publishing/reads.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { aNewsroom } from '#tests/newsroom.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { startWholeSite } from '#tests/setup/start-whole-site.ts'
import { startCounting, type ReadCounter } from './count-reads.ts'
import { addReads, listReadsByDay } from './read-count.queries.ts'
import { readLimits } from './tally-reads.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15'
const fromProxy = (address: string) => ({ 'x-forwarded-for': address })
/** The first minute of a day is when days change. */
const noon = Math.floor(Date.now() / DAY) * DAY + DAY / 2
const day = (offset: number) => new Date(noon + offset * DAY).toISOString().slice(0, 10)

/** The site behind a proxy on this machine, whose clock is set to noon. */
async function aSite(limits: Partial<typeof readLimits> = {}) {
  const api = await startApi({ TRUST_PROXY: 'loopback' })
  const clock = { now: noon }
  /** Requests are answered by the instance that was started last. */
  async function startInstance() {
    const instance = await startCounting(api.services, {
      now: () => clock.now,
      limits: { ...readLimits, ...limits },
    })
    onTestFinished(() => instance?.stop())
    counter = instance
    return instance!
  }
  let counter: ReadCounter | undefined
  const first = await startInstance()
  const site = await startWholeSite(api, (request, shown) => counter?.count(request, shown))
  const read = (path: string, headers: Record<string, string> = {}, method?: 'HEAD') =>
    site.get(path, { 'user-agent': firefox, ...fromProxy('203.0.113.1'), ...headers }, method)
  const stored = async () => {
    await counter?.work()
    const rows = await api.services.db
      .selectFrom('read_count')
      .select(({ fn }) => ['kind', 'item', 'language', 'referrer', fn.sum<string>('reads').as('reads')])
      .groupBy(['kind', 'item', 'language', 'referrer'])
      .orderBy('kind')
      .orderBy('item')
      .orderBy('language')
      .orderBy('referrer')
      .execute()
    return rows.map(({ kind, item, language, referrer, reads }) =>
      [kind, item, language, referrer, Number(reads)].join(' '),
    )
  }
  return {
    api,
    clock,
    first,
    read,
    stored,
    startInstance,
    work: () => counter!.work(),
    stop: () => counter!.stop(),
  }
}

const countOf = (api: TestApi, table: 'read_count' | 'read_mark' | 'read_salt') =>
  api.services.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
    .then(({ count }) => Number(count))

const etagOf = (body: string) => `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

test('counts a reader once a day for each page, however the response was sent', async () => {
  const { api, read, stored } = await aSite()
  for (const path of ['/project', '/project?utm_source=x', '/cn/project', '/help']) await read(path)
  // A reader who already has the page.
  const page = (await read('/project')).replace('200 ', '')
  const known = { 'if-none-match': etagOf(page), ...fromProxy('203.0.113.2') }
  expect(await read('/project', known)).toBe('304 ')
  await read('/project', { 'user-agent': safari })
  // A network of one household.
  await read('/help', fromProxy('2001:db8::1'))
  await read('/help', fromProxy('2001:db8::2'))
  expect(await stored()).toEqual(['page /help en  2', 'page /project en  3'])
  expect(await countOf(api, 'read_mark')).toBe(5)
})

test('counts posts in the language that readers see, and documents', async () => {
  const { api, read, stored } = await aSite()
  const newsroom = await aNewsroom(api)
  const en = await newsroom.create({ title: 'Bridge' })
  const cn = await newsroom.create({ title: '桥', language: 'cn', translationOf: en._id })
  await read(`/news/${en.slug}`)
  await read(`/cn/news/${en.slug}`)
  await read(`/cn/news/${en.slug}`, fromProxy('203.0.113.2'))
  await read('/news/no-such-post')
  await read('/assets/pdfs/white-paper-cn.pdf')
  await read('/assets/pdfs/white-paper-cn.pdf', { range: 'bytes=0-99' })
  await read('/assets/pdfs/documents.json')
  await read('/assets/pdfs/no-such-paper.pdf')
  const counted = [`post ${cn._id} cn  1`, `post ${en._id} en  1`].toSorted()
  expect((await stored()).toSorted()).toEqual(['document white-paper-cn.pdf cn  1', ...counted].toSorted())
  expect((await newsroom.read(cn._id)).reads).toEqual({ recent: 1, total: 1 })
  const report = (await newsroom.call(readReads, { query: {} })).body
  expect(report).toMatchObject({ isCounting: true, total: 3 })
  expect(report.items.find(({ item }) => item === en._id)).toMatchObject({ title: 'Bridge', slug: en.slug })
  expect(report.items.find(({ kind }) => kind === 'document')?.title).not.toBeNull()
  expect(report.languages).toEqual([
    { language: 'cn', reads: 2 },
    { language: 'en', reads: 1 },
  ])
  await newsroom.remove(en._id)
  const later = (await newsroom.call(readReads, { query: {} })).body
  expect(later.items.find(({ item }) => item === en._id)).toMatchObject({ slug: null, reads: 1 })
})

test('counts pages opened in the app, and leaves out robots, prefetches, other requests, and private pages', async () => {
  const { read, stored } = await aSite()
  await read('/project', { [inAppHeader]: '1' }, 'HEAD')
  await read('/help', {}, 'HEAD')
  for (const agent of ['', 'curl/8.9', 'Twitterbot/1.0', 'Mozilla/5.0 (compatible; bingbot/2.0)'])
    await read('/help', { 'user-agent': agent })
  await read('/help', { 'sec-purpose': 'prefetch;prerender' })
  await read('/help', { purpose: 'prefetch' })
  await read('/help', { 'sec-fetch-dest': 'empty' })
  for (const path of [
    '/nothing',
    '/login/signin',
    '/account/user-info',
    '/console',
    '/sitemap.xml',
    '/v2/ready',
  ])
    await read(path)
  expect(await stored()).toEqual(['page /project en  1'])
})

test('stores the host of another site, and nothing else of its address', async () => {
  const { read, stored } = await aSite()
  const referers = [
    'https://News.Example.org:8443/private?token=secret#part',
    'https://news.example.org/other',
    'http://localhost:3000/project',
    'android-app://com.example.reader',
    'not an address',
    'http://192.0.2.7/',
    'http://johns-computer/',
  ]
  for (const [n, referer] of referers.entries())
    await read('/help', { referer, ...fromProxy(`203.0.113.${n}`) })
  expect(await stored()).toEqual([
    'page /help en  3',
    'page /help en news.example.org 2',
    'page /help en other 2',
  ])
})

test('two instances count a reader once, and add up', async () => {
  const { api, first, read, stored, startInstance } = await aSite()
  await read('/project')
  await read('/project', fromProxy('203.0.113.8'))
  const second = await startInstance()
  await read('/project')
  await read('/project', fromProxy('203.0.113.9'))
  await Promise.all([first.work(), second.work()])
  expect(await stored()).toEqual(['page /project en  3'])
  expect(await countOf(api, 'read_salt')).toBe(1)
})

test('stores pending counts when it stops, without waiting for the next round', async () => {
  const { api, stop, read } = await aSite()
  await read('/project')
  expect(await countOf(api, 'read_count')).toBe(0)
  await stop()
  expect(await countOf(api, 'read_count')).toBe(1)
})

test('counts nothing while the setting is off, and deletes what is left of readers', async () => {
  const { api, read, stored, stop, startInstance } = await aSite()
  const { services } = api
  await read('/project')
  expect(await stored()).toEqual(['page /project en  1'])
  await stop()
  await services.db.updateTable('read_mark').set({ day: '2024-01-01' }).execute()
  await services.db.updateTable('read_salt').set({ day: '2024-01-01' }).execute()
  services.config.countsReads = false
  expect(await startInstance()).toBeUndefined()
  await read('/help')
  await cleanUp(services)
  expect(await countOf(api, 'read_count')).toBe(1)
  expect(await countOf(api, 'read_mark')).toBe(0)
  expect(await countOf(api, 'read_salt')).toBe(0)
  const newsroom = await aNewsroom(api)
  const report = (await newsroom.call(readReads, { query: { from: day(-1), to: day(0) } })).body
  expect(report).toMatchObject({ isCounting: false, total: 1 })
})

test('the salt and the hashes are gone the next day, on which a reader counts again', async () => {
  const { api, clock, work, read, stored } = await aSite()
  const saltNow = () => api.services.db.selectFrom('read_salt').selectAll().execute()
  await read('/project')
  await stored()
  const [first] = await saltNow()
  clock.now += DAY / 2 + MINUTE / 2
  // Reads of the new day are counted from its first moment, if the day was opened before.
  await work()
  await read('/project')
  clock.now += MINUTE
  expect(await stored()).toEqual(['page /project en  2'])
  const salts = await saltNow()
  expect(salts).toHaveLength(1)
  expect(salts[0]!.salt).not.toBe(first!.salt)
  expect(await countOf(api, 'read_mark')).toBe(1)
})

test('made-up sites, paths, browsers, and addresses fill neither tables nor memory', async () => {
  const { read, stored, api } = await aSite({
    readsPerClient: 6,
    newReferrersPerClient: 2,
    referrers: 4,
    reads: 12,
  })
  for (let n = 0; n < 10; n += 1) {
    const madeUp = { 'user-agent': `${firefox} ${n}`, referer: `https://made-up-${n}.example/` }
    await read(`/help?made-up=${n}`, madeUp)
    await read(`/made-up-${n}`, madeUp)
  }
  expect(await stored()).toEqual([
    'page /help en made-up-0.example 1',
    'page /help en made-up-1.example 1',
    'page /help en other 4',
  ])
  // Clients with many addresses reach the limit of the day.
  for (let n = 0; n < 10; n += 1)
    await read('/help', { ...fromProxy(`198.51.100.${n}`), referer: `https://site-${n}.example/` })
  const rows = await stored()
  expect(rows).toHaveLength(3)
  expect(await countOf(api, 'read_mark')).toBe(12)
})

test('repeating a batch after a lost connection counts nothing twice', async () => {
  const { api, read, work, stored } = await aSite()
  await read('/project')
  const { db } = api.services
  await work()
  const marks = await db.selectFrom('read_mark').selectAll().execute()
  await addReads(db, [
    {
      day: day(0),
      mark: Number(marks[0]!.mark),
      kind: 'page',
      item: '/project',
      language: 'en',
      referrer: '',
    },
  ])
  expect(await stored()).toEqual(['page /project en  1'])
})

test('no table, log line, or column has an address, a browser, or a path beyond the site’s own', async () => {
  const { api, read, stored } = await aSite()
  await read('/project?email=ada@example.org', {
    referer: 'https://search.example/?q=private-question',
    ...fromProxy('203.0.113.77'),
  })
  await stored()
  const { db } = api.services
  const tables = await Promise.all(
    (['read_count', 'read_mark', 'read_salt'] as const).map((table) =>
      db.selectFrom(table).selectAll().execute(),
    ),
  )
  const text = JSON.stringify(tables)
  expect(text).toContain('search.example')
  for (const trace of ['203.0.113', 'Firefox', 'ada@', 'private-question', 'utm'])
    expect(text).not.toContain(trace)
})

test('sums up the days of past months, and keeps the totals', async () => {
  const { services } = await startApi()
  const { db } = services
  const rows = [
    ['2024-01-01', 1],
    ['2024-01-09', 2],
    ['2024-01-31', 4],
    ['2024-02-10', 8],
    [day(-3), 16],
  ] as const
  await db
    .insertInto('read_count')
    .values(
      rows.map(([on, reads]) => ({
        day: on,
        kind: 'page' as const,
        item: '/project',
        language: 'en' as const,
        referrer: '',
        reads,
      })),
    )
    .execute()
  for (let round = 0; round < 2; round += 1) await cleanUp(services)
  const left = (await listReadsByDay(db, { from: '2024-01-01', to: day(0) })).map(
    ({ day, reads }) => `${day} ${reads}`,
  )
  expect(left).toEqual(['2024-01-01 7', '2024-02-01 8', `${day(-3)} 16`])
})
