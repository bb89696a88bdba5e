import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import { aSale, aSignedInMember, proveIdentity, saleSettings, type TestMember } from '#tests/builders.ts'
import { aRound, btcAt, forgetSale, inTime, passInRounds } from '#tests/rounds.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { statementsOf } from '../../../bench/installation/plans.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db } = services
beforeEach(() => forgetSale(started))

const as = ({ token }: TestMember) => ({ token })
async function aBuyer(): Promise<TestMember> {
  const member = await aSignedInMember(started)
  await proveIdentity(started, member)
  return member
}
const buyer = await aBuyer()
const finance = await aSignedInMember(started, { manage_finance: 1 })
const quote = (amount = '0.01', by = buyer, payMethod = 'BTC') =>
  call(api.createQuote, { body: { payMethod, amount } }, as(by))
const place = (quoteId: string, by = buyer) => call(api.createOrder, { body: { quoteId } }, as(by))
const read = async (by = buyer) => (await call(api.getSale, {}, as(by))).body
const withRounds = (...rounds: SaleRound[]) => aSale(started, { rounds })
const storedOrder = (id: string) =>
  db
    .selectFrom('token_order')
    .select(['round_id', 'rate', 'base_rate', 'bonus_percent', 'vesting', 'fab_qty'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const setCountry = (by: TestMember, country: string) =>
  db.updateTable('kyc_application').set({ country }).where('member_id', '=', by.id).execute()

describe('the price', () => {
  test('is that of the round, with its limits, and that of the sale for other coins', async () => {
    await withRounds(aRound({ prices: [btcAt('150000', { minAmount: '0.5', maxAmount: '0.75' })] }))
    expect((await quote('0.5')).body).toMatchObject({
      rate: '150000',
      baseRate: '150000',
      fabQty: '75000',
      roundName: { en: 'Public 1', cn: '公开一轮' },
    })
    for (const [amount, code, limit] of [
      ['0.49999999', 'too_little', '0.5'],
      ['0.75000001', 'too_much', '0.75'],
    ] as const) {
      const { problem } = await quote(amount)
      expect(problem.errors).toMatchObject([{ path: 'amount', code }])
      expect(problem.errors![0]!.message).toContain(limit)
    }
    expect((await quote('1', buyer, 'ETH')).body).toMatchObject({ rate: '4000.5', fabQty: '4000.5' })
    expect((await read()).payMethods).toMatchObject([
      { code: 'BTC', rate: '150000', minAmount: '0.5', maxAmount: '0.75' },
      { code: 'ETH', rate: '4000.5', minAmount: '0.01', maxAmount: '100' },
    ])
  })

  test('and the plan stay with the quote and its order, whatever becomes of the round', async () => {
    const vesting = { first: '25', later: { kind: 'linear', wait: 1, parts: 3, unit: 'months' } } as const
    const round = aRound({ prices: [btcAt('100000')], bonus: [{ from: '0', percent: '12.5' }], vesting })
    await withRounds(round)
    const { body } = await quote('0.01')
    expect(body).toMatchObject({
      rate: '112500',
      baseRate: '100000',
      baseQty: '1000',
      bonusPercent: '12.5',
      fabQty: '1125',
    })
    expect(body.deliveries.map(({ amount }) => amount)).toEqual(['281.25', '281.25', '281.25', '281.25'])
    await withRounds({ ...round, prices: [btcAt('1000')], bonus: [], vesting: { first: '100', later: null } })
    const { body: order } = await place(body.quoteId)
    expect(order).toMatchObject({ rate: '112500', exactFabQty: '1125', exactAmount: '0.01' })
    const shown = await call(api.getConsoleOrder, { params: { id: order._id } }, as(finance))
    expect(shown.body).toMatchObject({ round: round.name, bonusPercent: '12.5' })
    expect(await storedOrder(order._id)).toEqual({
      round_id: round.id,
      rate: '112500.000000000000000000',
      base_rate: '100000.000000000000000000',
      bonus_percent: '12.50',
      fab_qty: '1125.000000000000000000',
      vesting,
    })
  })
})

describe('the bonus', () => {
  const tiers = [
    { from: '1000', percent: '5' },
    { from: '5000', percent: '10.5' },
  ]
  test.each([
    ['0.00999999', '999.999', '0', '100000', '999.999'],
    ['0.01', '1000', '5', '105000', '1050'],
    ['0.04999999', '4999.999', '5', '105000', '5249.99895'],
    ['0.05', '5000', '10.5', '110500', '5525'],
  ])('of %s BTC follows from the tokens before it', async (amount, baseQty, bonusPercent, rate, fabQty) => {
    await withRounds(aRound({ prices: [btcAt('100000')], bonus: tiers }))
    expect((await quote(amount)).body).toMatchObject({ baseQty, bonusPercent, rate, fabQty })
  })

  test('is exact to the last digit, and never more than promised', async () => {
    await withRounds(
      aRound({
        prices: [btcAt('123456.789'), { code: 'ETH', rate: '1.5', minAmount: '0', maxAmount: '1' }],
        bonus: [
          { from: '0', percent: '10' },
          { from: '1000', percent: '5' },
        ],
      }),
    )
    expect((await quote('0.015')).body).toMatchObject({
      baseQty: '1851.851835',
      rate: '129629.62845',
      fabQty: '1944.44442675',
    })
    expect((await quote('0.00000001', buyer, 'ETH')).body).toMatchObject({
      baseQty: '0.00000001',
      rate: '1.65',
      fabQty: '0.00000001',
    })
  })
})

describe('a cap of the round', () => {
  const bonus = [{ from: '1000', percent: '5' }]
  const prices = [btcAt('100000')]

  test('counts tokens with their bonus, and the refusal names the largest amount that fits', async () => {
    await withRounds(aRound({ prices, bonus, cap: '2100.00000001' }))
    const [first, last] = [(await quote('0.01')).body, (await quote('0.01')).body]
    expect((await quote('0.02000001')).problem.errors).toMatchObject([{ path: 'amount', code: 'too_much' }])
    expect((await quote('0.02000001')).problem.errors![0]!.message).toMatch(/\b0\.02\b/)
    expect((await place(first.quoteId)).status).toBe(201)
    const spare = (await quote('0.01')).body
    expect((await place(last.quoteId)).status).toBe(201)
    expect((await read()).round).toMatchObject({ left: '0.00000001' })
    expect((await quote('0.001')).problem.code).toBe('cap_reached')
    expect((await place(spare.quoteId)).problem.code).toBe('cap_reached')
  })

  test('within the jump of a bonus leaves room for less than that', async () => {
    await withRounds(aRound({ prices, bonus, cap: '1049.99999999' }))
    const { problem } = await quote('0.01')
    expect(problem.errors![0]!.message).toContain('0.00999999')
    expect((await quote('0.00999999')).body.fabQty).toBe('999.999')
  })

  test('per member counts only orders of the round', async () => {
    const [first, second] = [
      aRound({ closesAt: inTime(HOUR), prices, memberCap: '1000' }),
      aRound({ opensAt: inTime(2 * HOUR), prices, memberCap: '700' }),
    ]
    await withRounds(first, second)
    const member = await aBuyer()
    expect((await quote('0.011', member)).problem.errors![0]!.message).toMatch(/\b0\.01\b/)
    const order = (await place((await quote('0.006', member)).body.quoteId, member)).body
    expect((await read(member)).round).toMatchObject({ memberLeft: '400', left: null })
    expect((await quote('0.0041', member)).problem.errors![0]!.message).toContain('0.004')
    expect((await place((await quote('0.004', member)).body.quoteId, member)).status).toBe(201)
    expect((await quote('0.004', member)).problem.code).toBe('cap_reached')
    expect((await quote('0.01')).status).toBe(201)
    await call(api.cancelOrder, { params: { id: order._id }, body: null }, as(member))
    expect((await read(member)).round).toMatchObject({ memberLeft: '600' })
    await passInRounds(started, 3 * HOUR)
    expect((await read(member)).round).toMatchObject({ memberLeft: '700' })
    expect((await quote('0.007', member)).status).toBe(201)
  })

  test('limits an order together with the caps of the sale', async () => {
    await aSale(started, { cap: '900', memberCap: '800', rounds: [aRound({ prices, cap: '1000' })] })
    expect((await quote('0.01')).problem.errors![0]!.message).toContain('0.008')
    expect((await place((await quote('0.008')).body.quoteId)).status).toBe(201)
    const other = await aBuyer()
    expect((await quote('0.008', other)).problem.errors![0]!.message).toContain('0.001')
  })
})

describe('only admitted members', () => {
  const refusal = async (by: TestMember) => {
    const { problem } = await quote('0.01', by)
    const { isAdmitted, why } = await read(by)
    return { code: problem?.code, isAdmitted, why }
  }
  const admitted = { code: undefined, isAdmitted: true, why: null }

  test('who are on the list, with a verified address', async () => {
    const round = aRound({ admission: 'listed' })
    await withRounds(round)
    const [guest, stranger] = [await aBuyer(), await aBuyer()]
    await db
      .insertInto('sale_round_guest')
      .values({ round_id: round.id, email: guest.email.toLowerCase() })
      .execute()
    expect(await refusal(guest)).toEqual(admitted)
    expect(await refusal(stranger)).toEqual({ code: 'not_admitted', isAdmitted: false, why: 'listed' })
    const prove = (at: Date | null) =>
      db.updateTable('member').set({ address_proved_at: at }).where('id', '=', guest.id).execute()
    await prove(null)
    expect(await refusal(guest)).toMatchObject({ code: 'not_admitted', why: 'listed' })
    await prove(new Date())
    const { quoteId } = (await quote('0.01', guest)).body
    const remove = () => db.deleteFrom('sale_round_guest').execute()
    await remove()
    expect((await place(quoteId, guest)).problem).toMatchObject({ status: 403, code: 'not_admitted' })
    // The refusal leaves the quote usable.
    await db.insertInto('sale_round_guest').values({ round_id: round.id, email: guest.email }).execute()
    expect((await place(quoteId, guest)).status).toBe(201)
  })

  test.each([
    ['Iceland', 'country'],
    [' ICELAND ', 'country'],
    ['冰岛', 'country'],
    ['is', 'country'],
    ['Atlantis', 'country'],
    ['', 'country'],
    ['Norway', null],
    ['挪威', null],
  ])('whose country is not excluded: %s', async (country, why) => {
    await withRounds(aRound({ excludedCountries: ['IS', 'US'] }))
    const member = await aBuyer()
    await setCountry(member, country)
    expect(await refusal(member)).toEqual(
      why === null ? admitted : { code: 'not_admitted', isAdmitted: false, why },
    )
  })

  test('and a country matters only to rounds that exclude some', async () => {
    await withRounds(aRound({ cap: '1000000' }))
    const member = await aBuyer()
    await setCountry(member, 'Atlantis')
    expect(await refusal(member)).toEqual(admitted)
  })
})

describe('a quote', () => {
  const rounds = () => [
    aRound({ closesAt: inTime(HOUR), prices: [btcAt('100000')], cap: '3000' }),
    aRound({
      opensAt: inTime(2 * HOUR),
      closesAt: inTime(3 * HOUR),
      name: { en: 'Public 2', cn: '公开二轮' },
      prices: [btcAt('50000')],
    }),
  ]

  test('is not given between two rounds, or after the last one', async () => {
    const [first, second] = rounds()
    await withRounds(first!, second!)
    expect((await read()).isOpen).toBe(true)
    await passInRounds(started, 1.5 * HOUR)
    expect(await read()).toMatchObject({
      isOpen: false,
      payMethods: [],
      round: null,
      next: { name: { en: 'Public 2' }, payMethods: [{ code: 'BTC', rate: '50000' }, { code: 'ETH' }] },
      isAdmitted: true,
    })
    expect((await quote()).problem.code).toBe('sale_closed')
    await passInRounds(started, HOUR)
    expect((await quote()).body).toMatchObject({ rate: '50000', roundName: { en: 'Public 2' } })
    expect((await read()).next).toBeNull()
    await passInRounds(started, HOUR)
    expect((await quote()).problem.code).toBe('sale_closed')
    expect(await read()).toMatchObject({ isOpen: false, round: null, next: null })
  })

  test('outlives its round, with its price and its cap', async () => {
    const [first, second] = rounds()
    await withRounds(first!, second!)
    const [early, late, toomuch] = [(await quote()).body, (await quote('0.02')).body, (await quote()).body]
    await passInRounds(started, 1.5 * HOUR)
    const inGap = await place(early.quoteId)
    expect(inGap.body).toMatchObject({ rate: '100000', exactFabQty: '1000' })
    await passInRounds(started, HOUR)
    const inNext = await place(late.quoteId)
    expect(inNext.body).toMatchObject({ rate: '100000', exactFabQty: '2000' })
    for (const { body } of [inGap, inNext])
      expect(await storedOrder(body._id)).toMatchObject({ round_id: first!.id })
    // The round that sold it is full, whatever is left in the next one.
    expect((await place(toomuch.quoteId)).problem.code).toBe('cap_reached')
    const next = (await place((await quote()).body.quoteId)).body
    expect(next).toMatchObject({ rate: '50000', exactFabQty: '500' })
    expect(await storedOrder(next._id)).toMatchObject({ round_id: second!.id })
  })

  test.each([
    ['the end of the sale', { closesAt: inTime(-HOUR) }],
    ['its closing by staff', { isOpen: false }],
  ])('does not outlive %s', async (_, closed) => {
    const [first, second] = rounds()
    await withRounds(first!, second!)
    const { quoteId } = (await quote()).body
    await aSale(started, { ...closed, rounds: [first!, second!] })
    expect((await place(quoteId)).problem.code).toBe('sale_closed')
    await aSale(started, { closesAt: inTime(DAY), rounds: [first!, second!] })
    expect((await place(quoteId)).status).toBe(201)
  })

  test('ends with its round if staff remove that', async () => {
    const [first, second] = rounds()
    await withRounds(first!, second!)
    const { quoteId } = (await quote()).body
    await withRounds(second!)
    expect((await place(quoteId)).problem.code).toBe('quote_unknown')
  })

  test('names no round if there is only the one that everything was before', async () => {
    await aSale(started)
    const { body } = await quote()
    expect(body).toMatchObject({ roundName: null, bonusPercent: '0', rate: '120000' })
    expect(await read()).toMatchObject({ round: null, next: null, isOpen: true })
    const { id } = await db.selectFrom('sale_round').select('id').executeTakeFirstOrThrow()
    expect(await storedOrder((await place(body.quoteId)).body._id)).toMatchObject({ round_id: id })
  })
})

test('members see what is left, the next round, and its price, and a later start of the sale', async () => {
  const [opensAt, saleOpensAt] = [inTime(2 * HOUR), inTime(3 * HOUR)]
  const bonus = [{ from: '1000', percent: '5' }]
  const closesAt = inTime(HOUR)
  const rounds = [
    aRound({ closesAt, cap: '5000', memberCap: '4000', bonus }),
    aRound({ name: { en: 'Public 2', cn: '公开二轮' }, opensAt, prices: [btcAt('99999')] }),
  ]
  await aSale(started, { rounds })
  expect(await read()).toMatchObject({
    isOpen: true,
    round: {
      name: { en: 'Public 1' },
      closesAt,
      left: '5000',
      memberLeft: '4000',
      bonus,
      vesting: { first: '100', later: null },
    },
    next: {
      name: { en: 'Public 2', cn: '公开二轮' },
      opensAt,
      payMethods: [
        { code: 'BTC', currency: 'BTC', rate: '99999' },
        { code: 'ETH', currency: 'ETH', rate: '4000.5' },
      ],
    },
  })
  const [btc, eth] = saleSettings().payMethods
  await aSale(started, { opensAt: saleOpensAt, payMethods: [btc!, { ...eth!, isOpen: false }], rounds })
  expect(await read()).toMatchObject({
    isOpen: false,
    opensAt: saleOpensAt,
    round: null,
    next: { name: { en: 'Public 2' }, opensAt: saleOpensAt, payMethods: [{ code: 'BTC' }] },
  })
  await aSale(started, { closesAt: opensAt, rounds })
  expect((await read()).next).toBeNull()
})

test('rounds cost one query more for the offer, a quote, and an order', async () => {
  await withRounds(aRound({ closesAt: inTime(HOUR), cap: '100000' }), aRound({ opensAt: inTime(HOUR) }))
  let quoteId = ''
  const countReads = async (work: () => Promise<unknown>) =>
    (await statementsOf(work)).filter(({ text }) => text.includes('from "sale_round"')).length
  expect(await countReads(read)).toBe(1)
  expect(await countReads(async () => void ({ quoteId } = (await quote()).body))).toBe(1)
  expect(await countReads(() => place(quoteId))).toBe(1)
  expect(await countReads(() => call(api.readPublicSale, {}))).toBe(1)
})
