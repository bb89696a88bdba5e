import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anApplication, aSale, aSignedInMember, saleSettings, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const seller = await aSignedInMember(started, { manage_coins: 2 })
const officer = await aSignedInMember(started, { manage_finance: 2 })
const admin = await aSignedInMember(started, { is_write_access_admin: true })
const as = ({ token }: TestMember) => ({ token })

const [btc, eth] = saleSettings().payMethods as [
  ReturnType<typeof saleSettings>['payMethods'][number],
  ReturnType<typeof saleSettings>['payMethods'][number],
]
const atRate = (rate: string) => saleSettings({ payMethods: [{ ...btc, rate }, eth] })
const save = (body: object) =>
  call(api.updateSaleSettings, { body: body as ReturnType<typeof saleSettings> }, as(seller))
const setRate = async (rate: string) => {
  const { status } = await save({ ...atRate(rate), confirmedRates: { BTC: rate } })
  expect(status).toBe(200)
}
async function aBuyer(): Promise<TestMember> {
  const member = await aSignedInMember(started)
  await anApplication(started, member, 'approved')
  return member
}
const quote = async (by: TestMember) =>
  (await call(api.createQuote, { body: { payMethod: 'BTC', amount: '0.01' } }, as(by))).body.quoteId
const order = async (by: TestMember, quoteId: string) =>
  (await call(api.createOrder, { body: { quoteId } }, as(by))).body._id
const flagged = async () =>
  (await call(api.listConsoleOrders, { query: { flag: 'price_withdrawn' } }, as(officer))).body.map(
    ({ id }) => id,
  )

beforeEach(async () => {
  await sql`truncate setting_version, withdrawn_price cascade`.execute(services.db)
  await aSale(started)
})

test.each([
  ['12000000', '+9900%'],
  ['144000.1', '+20%'],
  ['95999', '-20%'],
  ['1200', '-99%'],
])('a rate of %s instead of 120000 (%s) has to be given twice', async (rate, percent) => {
  const wrong = [
    await save(atRate(rate)),
    await save({ ...atRate(rate), confirmedRates: { BTC: '120000' } }),
    await save({ ...atRate(rate), confirmedRates: { ETH: rate } }),
  ]
  for (const { problem } of wrong) {
    expect(problem.errors).toMatchObject([{ path: 'payMethods.0.rate', code: 'confirm_rate' }])
    expect(problem.errors![0]!.message).toContain(percent)
  }
  expect((await call(api.getSaleSettings, {}, as(seller))).body.payMethods[0]!.rate).toBe('120000')
  expect(
    (await save({ ...atRate(rate), confirmedRates: { BTC: `${rate}${rate.includes('.') ? '0' : '.0'}` } }))
      .status,
  ).toBe(200)
})

test.each(['144000', '96000', '120000'])('a rate of %s instead of 120000 is saved as it is', async (rate) => {
  expect((await save(atRate(rate))).status).toBe(200)
})

test.each([
  ['another name for the same coin', [{ ...btc, code: 'BTC2', rate: '12000000' }, eth], 0],
  ['another coin behind the same name', [{ ...btc, currency: 'USDT' }, eth], 0],
])('the price does not change unconfirmed by %s', async (_, payMethods, index) => {
  const { problem } = await save(saleSettings({ payMethods }))
  expect(problem.errors).toMatchObject([{ path: `payMethods.${index}.rate`, code: 'confirm_rate' }])
})

test('going back to an older version has to be confirmed as well', async () => {
  await setRate('12000000')
  await setRate('120000')
  const { body } = await call(api.listSettingVersions, {}, as(seller))
  const old = body.find(({ changes }) => changes.some(({ to }) => to === '12000000'))!
  const { lastUpdated } = (await call(api.getSaleSettings, {}, as(seller))).body
  const restore = (more: object) =>
    call(api.restoreSettingVersion, { params: { id: old.id }, body: { lastUpdated, ...more } }, as(seller))
  expect((await restore({})).problem.errors).toMatchObject([{ code: 'confirm_rate' }])
  expect((await restore({ confirmedRates: { BTC: '12000000' } })).status).toBe(200)
})

test('a new rate is emailed to administrators and colleagues, and shown to all of the staff', async () => {
  await setRate('130000')
  for (const { email } of [admin, seller]) {
    const mail = (await mailsTo(email)).at(-1)!
    expect(mail.kind).toBe('sale-rate-changed')
    expect(mail.text).toContain('BTC: 120000 → 130000 (+8.33%)')
  }
  expect((await call(api.listAddressChanges, {}, as(officer))).body).toMatchObject([
    { code: 'BTC', field: 'rate', from: '120000', to: '130000', by: { id: seller.id } },
  ])
})

test('orders at a price that is reverted within a day are flagged, also those of a quote that still holds', async () => {
  const buyers = [await aBuyer(), await aBuyer(), await aBuyer()]
  const before = await order(buyers[0]!, await quote(buyers[0]!))
  await setRate('12000000')
  const meanwhile = await order(buyers[1]!, await quote(buyers[1]!))
  const held = await quote(buyers[2]!)
  expect(await flagged()).toEqual([])
  await setRate('120000')
  expect(await flagged()).toEqual([meanwhile])
  const late = await order(buyers[2]!, held)
  expect((await flagged()).toSorted()).toEqual([meanwhile, late].toSorted())
  expect(await flagged()).not.toContain(before)
  const { body } = await call(api.getConsoleOrder, { params: { id: meanwhile } }, as(officer))
  expect(body.flags).toContain('price_withdrawn')
  const waits = (await call(api.listWaiting, {}, as(officer))).body
  expect(waits.find(({ what }) => what === 'orders_price_withdrawn')?.count).toBe(2)
})

test('a wrong price that is corrected in several steps, or to a third one, is taken back as well', async () => {
  const buyer = await aBuyer()
  await setRate('12000000')
  const first = await order(buyer, await quote(buyer))
  await setRate('11900000')
  expect(await flagged()).not.toContain(first)
  await setRate('121000')
  expect(await flagged()).toContain(first)
})

test('a price that follows the market, or that held for more than a day, is not taken back', async () => {
  const buyer = await aBuyer()
  await setRate('121000')
  const small = await order(buyer, await quote(buyer))
  await setRate('122000')
  await setRate('12000000')
  await sql`update setting_version set at = at - interval '25 hours'`.execute(services.db)
  const old = await order(buyer, await quote(buyer))
  await setRate('120000')
  const found = await flagged()
  expect(found).not.toContain(small)
  expect(found).not.toContain(old)
})

test('with four eyes a new rate waits for a second person, who reads by how much it changes', async () => {
  Object.assign(services.config, { isSaleFourEyesRequired: true })
  try {
    const { body } = await save({ ...atRate('12000000'), confirmedRates: { BTC: '12000000' } })
    expect(body.proposal).toMatchObject({ by: { id: seller.id } })
    expect(body.payMethods[0]!.rate).toBe('120000')
    expect((await mailsTo(admin.email)).at(-1)).toMatchObject({ kind: 'sale-rate-proposed' })
    expect((await mailsTo(admin.email)).at(-1)!.text).toContain('+9900%')
    const second = await aSignedInMember(started, { manage_coins: 2 })
    const params = { id: body.proposal!.id }
    const confirmed = await call(api.confirmSaleProposal, { params, body: {} }, as(second))
    expect(confirmed.body.payMethods[0]!.rate).toBe('12000000')
  } finally {
    Object.assign(services.config, { isSaleFourEyesRequired: false })
  }
})
