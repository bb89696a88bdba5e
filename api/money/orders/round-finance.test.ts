import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { api } from '#contract/api.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import { aSale, aSignedInMember, proveIdentity, saleSettings, type TestMember } from '#tests/builders.ts'
import { updatePaid } from '#tests/orders.ts'
import { aRound, btcAt, forgetSale, inTime, passInRounds } from '#tests/rounds.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'
import { deletePriceEditors } from '../sale/sale.queries.ts'

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '100000' }, afterAll)
const { call, services } = started
const { db } = services
const finance = await aSignedInMember(started, { manage_finance: 2 })
const seller = await aSignedInMember(started, { manage_coins: 2 })
beforeEach(async () => {
  await forgetSale(started)
  await sql`truncate setting_version, withdrawn_price cascade`.execute(db)
})

const as = ({ token }: TestMember) => ({ token })
async function aBuyer(): Promise<TestMember> {
  const member = await aSignedInMember(started)
  await proveIdentity(started, member)
  return member
}
const buyer = await aBuyer()
const order = async (amount = '0.01', by = buyer) => {
  const quoted = await call(api.createQuote, { body: { payMethod: 'BTC', amount } }, as(by))
  return (await call(api.createOrder, { body: { quoteId: quoted.body.quoteId } }, as(by))).body._id
}
const enter = (fields: object) =>
  call(
    api.createOrder,
    { body: { memberId: buyer.id, payMethod: 'BTC', amount: '0.01', ...fields } },
    as(finance),
  )
const change = (_id: string, fields: object, by = finance) =>
  call(api.updateOrder, { body: { _id, ...fields } }, as(by))
const stored = (id: string) =>
  db.selectFrom('token_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const bonus = [{ from: '1000', percent: '5' }]
const prices = [btcAt('100000'), { code: 'ETH', rate: '3000', minAmount: '0.01', maxAmount: '100' }]

describe('an order that finance enters', () => {
  test('is compared with the price of the round that is open, including its bonus', async () => {
    const vesting = { first: '50', later: { kind: 'linear', wait: 0, parts: 2, unit: 'days' } } as const
    const round = aRound({ prices, bonus, vesting })
    await aSale(started, { rounds: [round] })
    for (const fabQty of ['1000', '1100', '1200'])
      expect((await enter({ fabQty })).problem.errors).toMatchObject([{ path: 'reason', code: 'required' }])
    const entered = await enter({ fabQty: '1050' })
    expect(entered.status).toBe(201)
    expect(await stored(entered.body._id)).toMatchObject({ round_id: round.id, rate: null, vesting })
    expect((await enter({ fabQty: '1000', reason: 'Agreed.' })).status).toBe(201)
  })

  test('respects the limits of the round, unless a reason explains the exception', async () => {
    await aSale(started, { rounds: [aRound({ prices: [btcAt('100000', { maxAmount: '0.009' })] })] })
    const given = { fabQty: '1000' }
    expect((await enter(given)).problem.errors).toMatchObject([{ path: 'amount', code: 'too_much' }])
    expect((await enter({ ...given, reason: 'Agreed.' })).status).toBe(201)
  })

  test('belongs to the round that ended last if none is open, and to the first one before', async () => {
    const rounds = [
      aRound({ opensAt: inTime(HOUR), closesAt: inTime(2 * HOUR), prices }),
      aRound({ opensAt: inTime(3 * HOUR), closesAt: inTime(4 * HOUR) }),
      aRound({ opensAt: inTime(5 * HOUR) }),
    ]
    await aSale(started, { rounds })
    const entered = async () => (await stored((await enter({ reason: 'Agreed.' })).body._id)).round_id
    const seen = [await entered()]
    for (let n = 0; n < 5; n += 1) {
      await passInRounds(started, HOUR + 1000)
      seen.push(await entered())
    }
    const [first, second, third] = rounds.map(({ id }) => id)
    expect(seen).toEqual([first, first, first, second, second, third])
  })

  test('is completed by one officer only at the price of the round', async () => {
    await aSale(started, { rounds: [aRound({ prices, bonus })] })
    const given = { status: 'completed', reason: 'Paid by bank transfer.' }
    expect((await enter({ ...given, fabQty: '1150' })).problem.errors).toMatchObject([
      { path: 'status', code: 'second_person' },
    ])
    expect((await enter({ ...given, fabQty: '1050' })).body).toMatchObject({ status: 'completed' })
  })
})

describe('finance exceeds a cap of the round only by confirming it with a reason', () => {
  test.each([{ cap: '1500' }, { memberCap: '1500' }])('%o', async (cap) => {
    await aSale(started, { rounds: [aRound({ prices, bonus, ...cap })] })
    const id = await order()
    const reason = 'Agreed.'
    expect((await enter({ fabQty: '450.00000001', reason })).problem.code).toBe('cap_reached')
    expect((await enter({ fabQty: '450.00000001', reason, exceedsCap: true })).status).toBe(201)
    expect((await change(id, { fabQty: '1051', confirmsQuantity: true, reason })).problem.code).toBe(
      'cap_reached',
    )
    const given = { fabQty: '1051', confirmsQuantity: true, reason, exceedsCap: true }
    expect((await change(id, given)).status).toBe(200)
    const { body } = await call(api.getConsoleOrder, { params: { id } }, as(finance))
    expect(body.capRoom).toBe('1049.99999999')
  })

  test('also for an order of a round that has ended, or from before the start of the sale', async () => {
    await aSale(started, { rounds: [aRound({ closesAt: inTime(HOUR), prices, cap: '1500' })] })
    const id = await order()
    await passInRounds(started, 2 * HOUR)
    const { rounds } = (await call(api.getSaleSettings, {}, as(seller))).body
    await aSale(started, { opensAt: inTime(HOUR), rounds })
    const given = { fabQty: '1501', confirmsQuantity: true, reason: 'Agreed.' }
    expect((await change(id, given)).problem.code).toBe('cap_reached')
    expect((await change(id, { ...given, exceedsCap: true })).status).toBe(200)
  })
})

describe('a correction', () => {
  test('of the amount is compared with the rate of the quote, including its bonus', async () => {
    await aSale(started, { rounds: [aRound({ prices, bonus })] })
    const id = await order()
    const given = { amount: '0.02', reason: 'Agreed.' }
    expect((await change(id, { ...given, fabQty: '2000' })).problem.errors).toMatchObject([
      { path: 'fabQty', code: 'differs_from_rate' },
    ])
    expect((await change(id, { ...given, fabQty: '2100' })).body).toMatchObject({ exactFabQty: '2100' })
  })

  test('of the payment method follows the price and the bonus of the round of the order', async () => {
    const round = aRound({ closesAt: inTime(HOUR), prices, bonus })
    await aSale(started, { rounds: [round, aRound({ opensAt: inTime(HOUR) })] })
    const id = await order()
    await passInRounds(started, HOUR)
    const given = { payMethod: 'ETH', amount: '1', reason: 'Agreed.' }
    for (const fabQty of ['4000.5', '3000'])
      expect((await change(id, { ...given, fabQty })).problem.errors).toMatchObject([
        { path: 'fabQty', code: 'differs_from_rate' },
      ])
    expect((await change(id, { ...given, fabQty: '3150' })).status).toBe(200)
    expect(await stored(id)).toMatchObject({
      round_id: round.id,
      rate: null,
      base_rate: null,
      bonus_percent: '0.00',
      pay_method: 'ETH',
    })
    // Its price is known, so one officer can complete it.
    const completed = await updatePaid(started, { _id: id, status: 'completed', reason: 'Paid.' }, finance)
    expect(completed.status).toBe(200)
  })
})

const confirmedPrices = (rounds: readonly SaleRound[]) =>
  Object.fromEntries(
    rounds.flatMap(({ id, prices }) => prices.map(({ code, rate }) => [`${id}/${code}`, rate])),
  )
const save = async (...rounds: SaleRound[]) => {
  const body = { ...saleSettings(), rounds, confirmedRates: confirmedPrices(rounds) }
  const { status, problem } = await call(api.updateSaleSettings, { body }, as(seller))
  expect([status, problem?.errors]).toEqual([200, undefined])
}
const flagged = async () =>
  (await call(api.listConsoleOrders, { query: { flag: 'price_withdrawn' } }, as(finance))).body.map(
    ({ id }) => id,
  )
const dayPasses = () =>
  sql`update setting_version set at = at - ${DAY / 1000 + 60} * interval '1 second'`.execute(db)

describe('orders at a withdrawn price of a round are flagged, with or without a bonus', () => {
  test('if it is set back', async () => {
    const [first, second] = [
      aRound({ closesAt: inTime(HOUR), prices, bonus }),
      aRound({ opensAt: inTime(HOUR), prices: [btcAt('90000')] }),
    ]
    await save(first, second)
    await dayPasses()
    const before = await order()
    const wrong = { ...first, prices: [btcAt('1000000'), prices[1]!] }
    await save(wrong, second)
    const small = await order('0.001')
    const large = await order('0.01')
    expect(await stored(large)).toMatchObject({ rate: '1050000.000000000000000000' })
    expect(await flagged()).toEqual([])
    await save(first, second)
    const after = await order()
    expect((await flagged()).toSorted()).toEqual([small, large].toSorted())
    expect([before, after]).not.toContain(small)
  })

  test('if the round is ended because of it, until the price returns', async () => {
    const round = aRound({ prices })
    const next = aRound({ opensAt: inTime(2 * DAY), prices: [btcAt('90000')] })
    await save({ ...round, closesAt: inTime(DAY) }, next)
    await dayPasses()
    const wrong = { ...round, closesAt: inTime(DAY), prices: [btcAt('1000000'), prices[1]!] }
    await save(wrong, next)
    const id = await order('0.001')
    await save({ ...wrong, closesAt: inTime(-1) }, next)
    expect(await flagged()).toEqual([id])
    await save(wrong, next)
    expect(await flagged()).toEqual([])
  })

  test('but not if only the price of the sale is set back, which the round does not have', async () => {
    const round = aRound({ prices })
    await save(round)
    await dayPasses()
    const [btc, eth] = saleSettings().payMethods
    const saveSale = (rate: string) => {
      const settings = saleSettings({ payMethods: [{ ...btc!, rate }, eth!] })
      const confirmedRates = { ...confirmedPrices([round]), BTC: rate }
      const body = { ...settings, rounds: [round], confirmedRates }
      return call(api.updateSaleSettings, { body }, as(seller))
    }
    expect((await saveSale('1000000')).status).toBe(200)
    const id = await order()
    expect((await saveSale('120000')).status).toBe(200)
    expect(await flagged()).not.toContain(id)
  })
})

describe('a paid order', () => {
  /** The price of a round is set, and an order at it is placed and paid. Returns what becomes of it. */
  async function paid(rounds: SaleRound[][], { ageDays = 0 } = {}) {
    const watched = await aWatchedSale({ CHAIN_COMPLETE: 'exact', ORDER_TWO_PERSONS_FROM: '100000' })
    const { db } = watched.started.services
    const setter = await aSignedInMember(watched.started, { manage_coins: 2 })
    for (const [n, each] of rounds.entries()) {
      const confirmedRates = confirmedPrices(each)
      const body = { ...saleSettings(), rounds: each, confirmedRates }
      const saved = await watched.started.call(api.updateSaleSettings, { body }, { token: setter.token })
      expect(saved.status).toBe(200)
      if (n < rounds.length - 1 || ageDays > 0)
        await sql`update setting_version set at = at - ${ageDays || 2} * interval '1 day'`.execute(db)
    }
    const id = await watched.order('0.01')
    await watched.chain.pay({ [id]: '0.01' })
    watched.chain.mine(6)
    await watched.chain.look()
    await watched.chain.look()
    const { order: found, flags } = await watched.detail(id)
    return { status: found.status, quantity: found.exactFabQty, isNew: flags.includes('new_price') }
  }
  const round = aRound({ prices: [btcAt('100000')], bonus })

  test('with a bonus completes by itself', async () => {
    expect(await paid([[round]], { ageDays: 2 })).toEqual({
      status: 'completed',
      quantity: '1050',
      isNew: false,
    })
  })

  test('waits for a person if the price of its round changed by much within a day', async () => {
    expect(await paid([[round], [{ ...round, prices: [btcAt('200000')] }]])).toMatchObject({
      status: 'pending',
      isNew: true,
    })
    expect(await paid([[round], [{ ...round, prices: [btcAt('110000')] }]])).toMatchObject({
      status: 'completed',
    })
  })

  test('waits if its round is new, and its price is far from the one that applied before', async () => {
    const closed = { ...round, closesAt: inTime(-1) }
    const next = (rate: string) => aRound({ opensAt: inTime(-1), prices: [btcAt(rate)] })
    expect(await paid([[round], [closed, next('40000')]])).toMatchObject({ status: 'pending', isNew: true })
    expect(await paid([[round], [closed, next('90000')]])).toMatchObject({ status: 'completed' })
  })
})

test('a price editor cannot order on the first day of a round, however old the change', async () => {
  const member = await aSignedInMember(started, { manage_coins: 2 })
  await proveIdentity(started, member)
  await aSale(started, { rounds: [aRound({ closesAt: inTime(HOUR) }), aRound({ opensAt: inTime(HOUR) })] })
  const ago = (hours: number) => sql<Date>`now() - ${hours} * interval '1 hour'`
  await db
    .insertInto('sale_setter')
    .values({ member_id: member.id, changed_at: ago(100) })
    .execute()
  await db
    .updateTable('sale')
    .set({ opened_at: ago(90) })
    .execute()
  const outcome = async () => {
    const body = { payMethod: 'BTC', amount: '0.01' }
    return (await call(api.createQuote, { body }, as(member))).problem?.code
  }
  expect(await outcome()).toBeUndefined()
  // The clean-up keeps the editor for the round that follows.
  await deletePriceEditors(db, 2 * DAY)
  await passInRounds(started, HOUR)
  expect(await outcome()).toBe('own_price')
  await passInRounds(started, DAY + HOUR)
  expect(await outcome()).toBeUndefined()
  await deletePriceEditors(db, 2 * DAY)
  expect(await db.selectFrom('sale_setter').selectAll().execute()).toHaveLength(1)
  await passInRounds(started, DAY)
  await deletePriceEditors(db, 2 * DAY)
  expect(await db.selectFrom('sale_setter').selectAll().execute()).toEqual([])
})
