import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { transaction } from '../../platform/db/database.ts'
import { replaceSale } from '../sale/sale.queries.ts'
import { aToken, by } from '#tests/api-tokens.ts'
import { anOrder, aSignedInMember, proveIdentity, saleSettings, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const keeper = await aSignedInMember(started, { manage_coins: 2 })
const finance = await aSignedInMember(started, { manage_finance: 2 })
const as = (by: TestMember) => ({ token: by.token })

async function aBuyer() {
  const member = await aSignedInMember(started)
  await proveIdentity(started, member)
  return member
}
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
type Fields = {
  isOpen?: boolean
  opensAt?: string | null
  closesAt?: string | null
  cap?: string
  memberCap?: string
}
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
  // Finance can exceed the cap only by confirming it.
  const more = { memberId: second.id, payMethod: 'BTC', amount: '1', fabQty: '1', reason: 'Agreed.' }
  expect((await call(api.createOrder, { body: more }, as(finance))).problem.code).toBe('cap_reached')
  const confirmed = await call(api.createOrder, { body: { ...more, exceedsCap: true } }, as(finance))
  expect(confirmed.status).toBe(201)
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

/** Enters an order for a new buyer and returns how finance and a colleague change it. */
async function anEnteredOrder(fields: object) {
  const buyer = await aBuyer()
  const body = { memberId: buyer.id, payMethod: 'BTC', ...fields }
  const entered = await call(api.createOrder, { body }, as(finance))
  expect(entered.status).toBe(201)
  const _id = entered.body._id
  const changeAs = (by: TestMember, given: object) =>
    call(api.updateOrder, { body: { _id, ...given } }, as(by))
  return { _id, change: (given: object) => changeAs(finance, given), changeAs, entered: entered.body }
}
const capMailsTo = async ({ email }: TestMember) =>
  (await started.mailsTo(email)).filter(({ kind }) => kind === 'sale-cap-exceeded')

describe('finance exceeds a cap only by confirming it with a reason', () => {
  const reason = 'Paid by bank transfer on 1 May.'

  test('when entering a completed order', async () => {
    await aSaleWith({ cap: '1000' })
    const buyer = await aBuyer()
    const order = {
      memberId: buyer.id,
      payMethod: 'BTC',
      amount: '0.08',
      fabQty: '9600',
      status: 'completed',
    }
    const enter = (given: object) =>
      call(api.createOrder, { body: { ...order, reason, ...given } }, as(finance))
    expect((await enter({})).problem.code).toBe('cap_reached')
    expect((await enter({ fabQty: '1000.00000001', amount: '0.00833333' })).problem.code).toBe('cap_reached')
    expect((await enter({ status: 'cancelled' })).status).toBe(201)
    expect(await sold()).toBe('0')
    expect((await enter({ exceedsCap: true })).status).toBe(201)
    expect(await sold()).toBe('9600')
  })

  test('when setting the quantity while completing', async () => {
    await aSaleWith({ cap: '1000' })
    const { change } = await anEnteredOrder({ amount: '0.08' })
    const given = { fabQty: '9600', status: 'completed', paidAmount: '0.08', reason }
    expect((await change(given)).problem.code).toBe('cap_reached')
    expect((await change({ ...given, exceedsCap: true })).body.status).toBe('completed')
  })

  test('when correcting the quantity of a pending order', async () => {
    await aSaleWith({ cap: '1000' })
    const { change } = await anEnteredOrder({ amount: '0.005', fabQty: '600' })
    // The order’s own tokens don’t count against it.
    expect((await change({ fabQty: '1000', confirmsQuantity: true, reason })).status).toBe(200)
    const given = { fabQty: '9600', amount: '0.08', reason }
    expect((await change(given)).problem.code).toBe('cap_reached')
    expect((await change({ ...given, exceedsCap: true })).body.fabQty).toBe(9600)
    const less = { fabQty: '4800', amount: '0.04', reason }
    expect((await change(less)).status).toBe(200)
  })

  test('when two people correct the quantity of a completed order', async () => {
    await aSaleWith({ cap: '1000' })
    const colleague = await aSignedInMember(started, { manage_finance: 2 })
    const order = { amount: '0.005', fabQty: '600', status: 'completed', reason }
    const { change, changeAs } = await anEnteredOrder(order)
    const given = { fabQty: '1200', confirmsQuantity: true, reason }
    expect((await change(given)).problem.code).toBe('cap_reached')
    expect((await change({ ...given, exceedsCap: true })).status).toBe(200)
    expect(await sold()).toBe('600')
    const approved = { fabQty: '1200', confirmsQuantity: true }
    expect((await changeAs(colleague, approved)).problem.code).toBe('cap_reached')
    expect((await changeAs(colleague, { ...approved, exceedsCap: true })).status).toBe(200)
    expect(await sold()).toBe('1200')
  })

  test.each([
    ['the cap per member', { memberCap: '1000' }],
    ['the cap of a closed sale', { cap: '1000', isOpen: false }],
  ])('when exceeding %s', async (_, fields) => {
    await aSaleWith(fields)
    const { change } = await anEnteredOrder({ amount: '0.01' })
    expect((await change({ fabQty: '1200', reason })).problem.code).toBe('cap_reached')
    expect((await change({ fabQty: '1200', reason, exceedsCap: true })).status).toBe(200)
  })

  test('and says why', async () => {
    await aSaleWith({ cap: '1000' })
    const { change } = await anEnteredOrder({ amount: '0.01' })
    const answer = await change({ fabQty: '1200', exceedsCap: true })
    expect(answer.problem.errors).toMatchObject([{ path: 'reason', code: 'required' }])
  })

  test('as a person, not with an API token', async () => {
    await aSaleWith({ cap: '1000' })
    const buyer = await aBuyer()
    const { secret } = await aToken(started, finance.id, { levels: { finance: 2 } })
    const body = { memberId: buyer.id, payMethod: 'BTC', amount: '0.01', fabQty: '1200', exceedsCap: true }
    expect((await call(api.createOrder, { body }, by(secret))).problem.code).toBe('person_required')
  })

  test('and everyone who manages the sale or orders is emailed', async () => {
    await aSaleWith({ cap: '1000' })
    const before = (await capMailsTo(keeper)).length
    const { change, entered } = await anEnteredOrder({ amount: '0.08' })
    await change({ fabQty: '9600', reason, exceedsCap: true })
    const mails = await capMailsTo(keeper)
    expect(mails).toHaveLength(before + 1)
    for (const part of [entered.reference, finance.email.split('@')[0], '8600 '])
      expect(mails.at(-1)!.text).toContain(part)
    expect((await capMailsTo(finance)).length).toBeGreaterThan(0)
    const { action, actor_id } = await services.db
      .selectFrom('audit_entry')
      .select(['action', 'actor_id'])
      .where('subject_id', '=', entered._id)
      .where('action', '=', 'order-cap-exceeded')
      .executeTakeFirstOrThrow()
    expect([action, actor_id]).toEqual(['order-cap-exceeded', finance.id])
  })
})

test('an order’s page shows how many tokens fit the caps', async () => {
  await aSaleWith({ cap: '1000', memberCap: '800' })
  const { _id } = await anEnteredOrder({ amount: '0.005', fabQty: '600' })
  const read = async () =>
    (await call(api.getConsoleOrder, { params: { id: _id } }, as(finance))).body.capRoom
  expect(await read()).toBe('800')
  await aSaleWith({})
  expect(await read()).toBeNull()
})
