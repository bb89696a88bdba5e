import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { ticker } from '#content/brand.json' with { type: 'json' }
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { aSignedInMember, anOrder, saleSettings } from '#tests/builders.ts'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'
import { startWholeSite } from '#tests/setup/start-whole-site.ts'
import { listenToChanges } from '../../platform/db/changes.ts'
import { transaction } from '../../platform/db/database.ts'
import { followSale, startPublicSaleWorker } from './public-sale-worker.ts'
import { replaceSale } from './sale.queries.ts'

const inTime = (ms: number) => new Date(Date.now() + ms).toISOString()
const read = async (started: TestApi) => (await started.call(api.readPublicSale, {})).body
const stateOf = async (started: TestApi) => (await read(started)).sale?.state

/** Changes the sale settings. A cap can be set only in a transaction. */
const aSale = ({ services }: TestApi, fields: Parameters<typeof saleSettings>[0] = {}) =>
  transaction(services.db, (db) => replaceSale(db, saleSettings(fields), null))

/** Publishes the editors’ switches for the public sale. */
function show({ services: { content } }: TestApi, change: Partial<Record<string, boolean>>): void {
  const facts = { isPublic: true, isOnHome: true, isLeftShown: true, ...change }
  content.override(new Map([['facts/sale.json', facts]]))
}

/** Runs the worker as in production, where changes to the sale wake it. */
function run(started: TestApi): void {
  const changes = listenToChanges(started.services.config.databaseUrl!)
  const worker = startPublicSaleWorker(started.services)
  changes.on((topic) => topic === 'sale' && worker.wake())
  onTestFinished(async () => {
    await worker.stop()
    await changes.close()
  })
}

test('the state depends on the settings and the time, and a closed sale reveals nothing', async () => {
  const started = await startApi()
  expect((await read(started)).sale).toMatchObject({ state: 'none', payMethods: [], opensAt: null })
  await aSale(started, { opensAt: inTime(-2 * HOUR), closesAt: inTime(HOUR), memberCap: '5000.0' })
  const { sale } = await read(started)
  expect(sale).toMatchObject({
    state: 'open',
    quoteMinutes: 15,
    payHours: 24,
    ageMin: 18,
    memberCap: '5000',
    left: null,
    payMethods: [
      { code: 'BTC', currency: 'BTC', rate: '120000', minAmount: '0.001', maxAmount: '5', decimals: 8 },
      { code: 'ETH', rate: '4000.5' },
    ],
  })
  // Receiving addresses are shown only with an order.
  const { body } = await started.send({ method: 'GET', url: '/v2/sale/public', headers: appId(started) })
  for (const { receivingAddress } of saleSettings().payMethods) expect(body).not.toContain(receivingAddress)

  const [opensAt, closesAt] = [inTime(HOUR), inTime(2 * HOUR)]
  await aSale(started, { opensAt, closesAt })
  expect((await read(started)).sale).toMatchObject({ state: 'upcoming', opensAt, closesAt, payMethods: [] })
  await aSale(started, { opensAt: inTime(-2 * HOUR), closesAt: inTime(-HOUR) })
  expect((await read(started)).sale).toMatchObject({ state: 'ended', payMethods: [] })
  await aSale(started, { isOpen: false, opensAt, closesAt })
  expect((await read(started)).sale).toMatchObject({ state: 'none', opensAt: null, closesAt: null })
  await aSale(started, { payMethods: saleSettings().payMethods.map((each) => ({ ...each, isOpen: false })) })
  expect(await stateOf(started)).toBe('none')
})

const appId = ({ services }: TestApi) => ({ 'x-app-id': services.config.appId })

test('rounds down the share left, and is sold out if less is left than the smallest order buys', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  await aSale(started, { cap: '3000' })
  const order = await anOrder(started, member.id, { fabQty: '1' })
  expect((await read(started)).sale).toMatchObject({ state: 'open', left: { cap: '3000', percent: '99.9' } })
  const setQuantity = (quantity: string) =>
    started.services.db
      .updateTable('token_order')
      .set({ fab_qty: quantity })
      .where('id', '=', order.id)
      .execute()
  // The smallest orders buy 120 tokens for BTC and 40.005 for ETH.
  await setQuantity('2959.995')
  await aSale(started, { cap: '3000' })
  expect(await stateOf(started)).toBe('open')
  await setQuantity('2959.99500001')
  await aSale(started, { cap: '3000' })
  expect((await read(started)).sale).toMatchObject({ state: 'soldOut', left: { percent: '1.3' } })
  show(started, { isLeftShown: false })
  expect((await read(started)).sale).toMatchObject({ state: 'soldOut', left: null })
})

test('nothing about a sale is public after editors hide it', async () => {
  const started = await startApi()
  await aSale(started)
  const site = await startWholeSite(started)
  const pages = async () => Promise.all(['/sale', '/cn/sale', '/'].map((path) => site.get(path)))
  const [page, chinese, home] = await pages()
  expect(page).toContain(`120,000 ${ticker}`)
  expect(chinese).toContain('价格')
  expect(home).toContain('id="sale"')
  show(started, { isOnHome: false })
  expect((await pages())[2]).not.toContain('id="sale"')
  expect((await pages())[0]).toContain(`120,000 ${ticker}`)
  show(started, { isPublic: false })
  expect(await read(started)).toEqual({ sale: null, isOnHome: false })
  const [hidden, chineseHidden, without] = await pages()
  expect(hidden).toContain('There’s no public sale at the moment.')
  expect(chineseHidden).toContain('目前没有公开的代币发售。')
  for (const each of [hidden, chineseHidden, without]) expect(each).not.toContain('120,000')
  expect(hidden).not.toContain('<form')
})

test('pages show examples without JavaScript, and state exact offers for search engines', async () => {
  const started = await startApi()
  await aSale(started, { closesAt: '2099-06-30T12:00:00.000Z', cap: '21000000' })
  const site = await startWholeSite(started)
  const page = await site.get('/sale')
  const [, examples = ''] = /<noscript>([^]*?)<\/noscript>/.exec(page) ?? []
  expect(examples).toMatch(
    new RegExp(`0\\.001 BTC[^]*120 ${ticker}[^]*0\\.01 BTC[^]*1,200 ${ticker}[^]*5 BTC[^]*600,000 ${ticker}`),
  )
  expect(page).toContain('June\u{A0}30, 2099, 12:00 (UTC)')
  expect(page).toContain('About 0.000008333 BTC')
  expect(page).toContain(`100% of the 21,000,000 ${ticker}`)
  expect(await site.get('/cn/sale')).toContain('2099')
  const json = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(page)?.[1] ?? '{}'
  const graph = (JSON.parse(json) as { '@graph': Record<string, unknown>[] })['@graph']
  const [product, howTo] = graph as [{ offers: object[] }, { step: object[] }]
  expect(product.offers[0]).toMatchObject({
    availabilityEnds: '2099-06-30T12:00:00.000Z',
    priceSpecification: { price: '1', priceCurrency: 'BTC', referenceQuantity: { value: '120000' } },
    eligibleTransactionVolume: { minPrice: '0.001', maxPrice: '5' },
  })
  expect(howTo.step).toHaveLength(4)
  // Without a sale, the page has no offer but still lists the steps.
  await aSale(started, { isOpen: false })
  const closed = await site.get('/sale')
  expect(closed).not.toContain('"Offer"')
  expect(closed).toMatch(/<form[^>]*method="post"[^>]*action="\/sale\/reminder"|action="\/sale\/reminder"/)
  expect(await site.get('/sitemap.xml')).toContain('/cn/sale</loc>')
  expect(await site.get('/sitemap.xml')).not.toContain('/sale/reminder')
})

test('a changed price appears at once in the cached pages of both instances', async () => {
  const first = await startApi()
  const second = await startAnotherInstance(first)
  const seller = await aSignedInMember(first, { manage_coins: 2 })
  const sites = [await startWholeSite(first), await startWholeSite(second)]
  await aSale(first)
  const prices = () =>
    Promise.all(sites.flatMap((site) => ['/sale', '/', '/v2/sale/public'].map((path) => site.get(path))))
  await expect.poll(async () => (await prices()).every((each) => /120,?000/.test(each))).toBe(true)
  const [method] = saleSettings().payMethods
  const body = { ...saleSettings(), payMethods: [{ ...method!, rate: '110000' }] }
  const changed = await first.call(api.updateSaleSettings, { body }, { token: seller.token })
  expect(changed.status).toBe(200)
  expect(await sites[0]!.get('/sale')).toContain('110,000')
  await expect
    .poll(async () => (await prices()).every((each) => /110,?000/.test(each)), { timeout: 2000 })
    .toBe(true)
})

test('pages update automatically when the sale opens and closes', async () => {
  const first = await startApi()
  const second = await startAnotherInstance(first)
  const sites = [await startWholeSite(first), await startWholeSite(second)]
  for (const each of [first, second]) run(each)
  const shown = (text: string | RegExp) => async () =>
    (await Promise.all(sites.map((site) => site.get('/sale')))).every((page) => page.search(text) >= 0)
  const opensAt = Date.now() + 4000
  await aSale(first, {
    opensAt: new Date(opensAt).toISOString(),
    closesAt: new Date(opensAt + 4000).toISOString(),
  })
  // The message itself, with a placeholder for the time, is part of every page.
  await expect.poll(shown(/The sale opens on (?!\{)/), { timeout: 3000 }).toBe(true)
  await expect.poll(shown(`120,000 ${ticker}`), { timeout: 8000 }).toBe(true)
  expect(Date.now()).toBeGreaterThanOrEqual(opensAt)
  await expect.poll(shown(/The sale ended on (?!\{)/), { timeout: 10_000 }).toBe(true)
})

/** Returns how often the sale is announced meanwhile. */
async function countAnnounced({ services }: TestApi, work: () => Promise<unknown>): Promise<number> {
  const count = async () =>
    (await services.db.selectFrom('change').select('xact').where('topic', '=', 'sale').execute()).length
  const before = await count()
  await work()
  return (await count()) - before
}

/** Pretends that the last announcement was a minute ago. */
const passMinute = ({ services }: TestApi) =>
  services.db
    .updateTable('sale_shown')
    .set({ changed_at: sql<Date>`now() - interval '61 seconds'` })
    .execute()

test('announces orders at most once a minute, and from one instance', async () => {
  const first = await startApi()
  const second = await startAnotherInstance(first)
  const member = await aSignedInMember(first)
  await aSale(first, { cap: '3000' })
  const follow = () => Promise.all([first, second, first].map(({ services }) => followSale(services)))
  expect(await countAnnounced(first, follow)).toBe(1)
  await anOrder(first, member.id, { fabQty: '1500' })
  expect(await countAnnounced(first, follow)).toBe(0)
  await passMinute(first)
  expect(await countAnnounced(first, follow)).toBe(1)
  await passMinute(first)
  expect(await countAnnounced(first, follow)).toBe(0)
})

test('announces orders that cancel each other out, because a page may have been rendered in between', async () => {
  const started = await startApi()
  const { services } = started
  const member = await aSignedInMember(started)
  await aSale(started, { cap: '3000' })
  await followSale(services)
  const { id } = await anOrder(started, member.id, { fabQty: '3000' })
  expect(await stateOf(started)).toBe('soldOut')
  await services.db.updateTable('token_order').set({ status: 'cancelled' }).where('id', '=', id).execute()
  expect(await stateOf(started)).toBe('open')
  await passMinute(started)
  expect(await countAnnounced(started, () => followSale(services))).toBe(1)
})
