import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { transaction } from '../db/database.ts'
import { replaceSale } from '../sale/sale.queries.ts'
import { anApplication, anOrder, aSignedInMember, saleSettings, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const keeper = await aSignedInMember(started, { manage_coins: 2 })
const finance = await aSignedInMember(started, { manage_finance: 2 })
const as = (by: TestMember) => ({ token: by.token })

async function aBuyer() {
  const member = await aSignedInMember(started)
  await anApplication(started, member, 'approved')
  return member
}
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
type Fields = { opensAt?: string | null; closesAt?: string | null; cap?: string; memberCap?: string }
/** Sets up a new sale that counts only orders placed from now on. */
async function aSaleWith(fields: Fields) {
  const settings = saleSettings()
  const { now } = (
    await sql<{ now: Date }>`select clock_timestamp()::timestamptz(3) as now`.execute(services.db)
  ).rows[0]!
  await transaction(services.db, (db) =>
    replaceSale(db, { ...settings, opensAt: now.toISOString(), ...fields }, null),
  )
}
const quote = (by: TestMember, amount = '1') =>
  call(api.createQuote, { body: { payMethod: 'BTC', amount } }, as(by))
const place = (by: TestMember, quoteId: string) => call(api.createOrder, { body: { quoteId } }, as(by))
const sold = async () => (await call(api.getSaleSettings, {}, as(keeper))).body.sold

test.each([
  ['before it', { opensAt: inHours(1), closesAt: inHours(2) }],
  ['after it', { opensAt: inHours(-2), closesAt: inHours(-1) }],
])('outside the window, %s, nothing is offered, quoted or ordered', async (_, window) => {
  const buyer = await aBuyer()
  await aSaleWith({ opensAt: null })
  const { quoteId } = (await quote(buyer)).body
  await aSaleWith(window)
  expect((await call(api.getSale, {}, as(buyer))).body).toMatchObject({
    isOpen: false,
    payMethods: [],
    ...window,
  })
  expect((await quote(buyer)).problem.code).toBe('sale_closed')
  expect((await place(buyer, quoteId)).problem.code).toBe('sale_closed')
  await aSaleWith({ opensAt: inHours(-1), closesAt: inHours(1) })
  expect((await place(buyer, quoteId)).status).toBe(201)
})

test('the sale cap limits all orders, including finance’s, and canceling frees tokens', async () => {
  await aSaleWith({ cap: '300000' })
  const [first, second] = [await aBuyer(), await aBuyer()]
  const order = (await place(first, (await quote(first)).body.quoteId)).body
  const entered = await call(
    api.createOrder,
    { body: { memberId: second.id, payMethod: 'BTC', amount: '1', fabQty: '120000' } },
    as(finance),
  )
  expect(entered.status).toBe(201)
  expect(await sold()).toBe('240000')
  const refused = await quote(second)
  expect(refused.problem.errors).toMatchObject([{ path: 'amount', code: 'too_much' }])
  expect(refused.problem.errors![0]!.message).toContain('0.5')
  const early = (await quote(second, '0.5')).body.quoteId
  expect((await place(second, early)).status).toBe(201)
  expect(await sold()).toBe('300000')
  expect((await quote(second, '0.001')).problem.code).toBe('cap_reached')
  // Finance can exceed the cap only with a reason.
  const more = { memberId: second.id, payMethod: 'BTC', amount: '1', fabQty: '1' }
  expect((await call(api.createOrder, { body: more }, as(finance))).problem.code).toBe('cap_reached')
  const explained = await call(api.createOrder, { body: { ...more, reason: 'Agreed.' } }, as(finance))
  expect(explained.status).toBe(201)
  await call(api.cancelOrder, { params: { id: order._id }, body: null }, as(first))
  expect(await sold()).toBe('180001')
  expect((await quote(first, '0.9')).status).toBe(201)
})

test('the member cap applies to each member', async () => {
  await aSaleWith({ memberCap: '120000' })
  const [first, second] = [await aBuyer(), await aBuyer()]
  const spare = (await quote(first, '0.5')).body.quoteId
  expect((await place(first, (await quote(first)).body.quoteId)).status).toBe(201)
  expect((await place(first, spare)).problem.code).toBe('cap_reached')
  expect((await quote(first, '0.5')).problem.code).toBe('cap_reached')
  expect((await place(second, (await quote(second)).body.quoteId)).status).toBe(201)
  expect(await sold()).toBeNull()
})

test('of many concurrent orders, only those with room are placed', async () => {
  await aSaleWith({ cap: '360000', memberCap: '240000' })
  const buyers = await Promise.all(Array.from({ length: 4 }, aBuyer))
  const quotes = await Promise.all(
    buyers.flatMap((buyer) =>
      Array.from({ length: 3 }, async () => [buyer, (await quote(buyer)).body.quoteId] as const),
    ),
  )
  const answers = await Promise.all(quotes.map(([buyer, id]) => place(buyer, id)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(new Set(answers.flatMap(({ problem }) => problem?.code ?? []))).toEqual(new Set(['cap_reached']))
  expect(await sold()).toBe('360000')
})

test('an order placed while the sale closes or changes its address has one state or the other', async () => {
  for (let n = 0; n < 4; n += 1) {
    await aSaleWith({})
    const buyer = await aBuyer()
    const { quoteId } = (await quote(buyer)).body
    const [btc, eth] = saleSettings().payMethods
    const to = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'
    const [placed, saved] = await Promise.all([
      place(buyer, quoteId),
      call(
        api.updateSaleSettings,
        { body: saleSettings({ payMethods: [{ ...btc!, receivingAddress: to }, eth!] }) },
        as(keeper),
      ),
    ])
    expect([placed.status, saved.status]).toEqual([201, 200])
    const shown = async (id: string) =>
      (await call(api.getOrderPayment, { params: { id } }, as(buyer))).body.receivingAddress
    const address = await shown(placed.body._id)
    expect([to, btc!.receivingAddress]).toContain(address)
    // An existing order keeps its address; the next order is paid to the new one.
    const next = await place(buyer, (await quote(buyer)).body.quoteId)
    expect([await shown(placed.body._id), await shown(next.body._id)]).toEqual([address, to])
  }
})

test('counts tokens sold since the start of the sale when a cap is set, including concurrent changes', async () => {
  const buyer = await aBuyer()
  await aSaleWith({})
  const rows = await Promise.all(
    Array.from({ length: 6 }, () => anOrder(started, buyer.id, { fabQty: '10', payMethod: 'BTC' })),
  )
  const { lastUpdated: _, ...settings } = (await call(api.getSaleSettings, {}, as(keeper))).body
  await Promise.all([
    call(api.updateSaleSettings, { body: { ...settings, cap: '1000' } }, as(keeper)),
    ...rows.slice(0, 3).map(({ id }) => call(api.cancelOrder, { params: { id }, body: null }, as(buyer))),
    anOrder(started, buyer.id, { fabQty: '5', payMethod: 'BTC' }),
  ])
  expect(await sold()).toBe('35')
  await services.db.deleteFrom('token_order').where('id', '=', rows[5]!.id).execute()
  expect(await sold()).toBe('25')
})

test('a quantity set by finance must fit the caps or have a reason', async () => {
  await aSaleWith({ cap: '120000' })
  const buyer = await aBuyer()
  const entered = await call(
    api.createOrder,
    { body: { memberId: buyer.id, payMethod: 'BTC', amount: '1' } },
    as(finance),
  )
  const _id = entered.body._id
  const fill = (more: object) => call(api.updateOrder, { body: { _id, ...more } }, as(finance))
  expect((await fill({ fabQty: '120001' })).problem.code).toBe('cap_reached')
  expect((await fill({ fabQty: '120001', status: 'completed' })).problem.code).toBe('cap_reached')
  expect((await fill({ fabQty: '120001', reason: 'Agreed.' })).status).toBe(200)
  expect(await sold()).toBe('120001')
})
