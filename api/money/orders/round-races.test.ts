import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { shortDecimal } from '#contract/platform/decimal.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { importFiles } from '../../integrations/imports/import-files.ts'
import { anOrder, aSale, aSignedInMember, proveIdentity, type TestMember } from '#tests/builders.ts'
import { aRound, btcAt, forgetSale, inTime, listSold, passInRounds } from '#tests/rounds.ts'
import { asGift, updatePaid } from '#tests/orders.ts'
import { startAnotherInstance, startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db } = services
const finance = await aSignedInMember(started, { manage_finance: 2 })
const colleague = await aSignedInMember(started, { manage_finance: 2 })
const keeper = await aSignedInMember(started, { manage_coins: 2 })
beforeEach(() => forgetSale(started))

const as = ({ token }: TestMember) => ({ token })
async function aBuyer(): Promise<TestMember> {
  const member = await aSignedInMember(started)
  await proveIdentity(started, member)
  return member
}
const quote = async (by: TestMember, amount: string) =>
  (await call(api.createQuote, { body: { payMethod: 'BTC', amount } }, as(by))).body
/** Tries again if the database was too busy, as a member would. */
async function place(by: TestMember, quoteId: string, instance = started) {
  for (let tries = 0; ; tries += 1) {
    const answer = await instance.call(api.createOrder, { body: { quoteId } }, as(by))
    if (answer.problem?.code !== 'unavailable' || tries === 5) return answer
  }
}
const cancel = (by: TestMember, id: string) => call(api.cancelOrder, { params: { id }, body: null }, as(by))
const bonus = [{ from: '1000', percent: '5' }]
// 0.015 BTC buy 1944.44442675 tokens with their bonus.
const prices = [btcAt('123456.789')]

/** Requires that each round counts exactly what its orders add up to, and returns what all sold. */
async function soldExactly(): Promise<string[]> {
  const rounds = await listSold(started)
  for (const { sold, sum } of rounds) expect(sold).toBe(sum)
  return rounds.map(({ sold }) => shortDecimal(sold))
}

test('of 20 members at once, on two instances, the last tokens of a round go to as many as the cap allows', async () => {
  const other = await startAnotherInstance(started)
  const buyers = await Promise.all(Array.from({ length: 20 }, aBuyer))
  for (const [cap, sold, placed] of [
    ['13611.11098725', '13611.11098725', 7],
    ['13611.11098724', '11666.6665605', 6],
  ] as const) {
    await forgetSale(started)
    await aSale(started, { rounds: [aRound({ prices, bonus, cap })] })
    const quotes = await Promise.all(buyers.map((by) => quote(by, '0.015')))
    const answers = await Promise.all(
      buyers.map((by, n) => place(by, quotes[n]!.quoteId, n % 2 ? started : other)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(placed)
    expect(new Set(answers.flatMap(({ problem }) => problem?.code ?? []))).toEqual(new Set(['cap_reached']))
    expect(await soldExactly()).toEqual([sold])
  }
})

test('a member on two devices cannot exceed the cap per member', async () => {
  const other = await startAnotherInstance(started)
  await aSale(started, { rounds: [aRound({ prices, bonus, memberCap: '5833.33328025' })] })
  const member = await aBuyer()
  const quotes = await Promise.all(Array.from({ length: 8 }, () => quote(member, '0.015')))
  const answers = await Promise.all(
    quotes.map(({ quoteId }, n) => place(member, quoteId, n % 2 ? started : other)),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(await soldExactly()).toEqual(['5833.33328025'])
})

test('an order that is placed while the rounds change has the price and the round of its quote', async () => {
  const members = await Promise.all(Array.from({ length: 6 }, aBuyer))
  const switchAt = inTime(1500)
  const [first, second] = [
    aRound({ closesAt: switchAt, prices: [btcAt('100000')], bonus }),
    aRound({ opensAt: switchAt, prices: [btcAt('50000')] }),
  ]
  await aSale(started, { rounds: [first, second] })
  const priced = { [first.id]: ['105000', '1050'], [second.id]: ['50000', '500'] }
  const rounds = new Set<string>()
  const work = async (member: TestMember) => {
    // At most 20 orders are accepted from a member in an hour.
    for (let n = 0; n < 16 && !(rounds.size === 2 && n > 12); n += 1) {
      const { body, status } = await call(
        api.createQuote,
        { body: { payMethod: 'BTC', amount: '0.01' } },
        as(member),
      )
      // Exactly one round is open at any time.
      expect(status).toBe(201)
      const placed = await place(member, body.quoteId)
      expect(placed.status).toBe(201)
      const { round_id: id } = await db
        .selectFrom('token_order')
        .select('round_id')
        .where('id', '=', placed.body._id)
        .executeTakeFirstOrThrow()
      expect([body.rate, body.fabQty]).toEqual(priced[id!])
      expect([placed.body.rate, placed.body.exactFabQty]).toEqual(priced[id!])
      rounds.add(id!)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  await Promise.all(members.map(work))
  expect(rounds).toEqual(new Set([first.id, second.id]))
  await soldExactly()
})

test('rounds count exactly what is sold while orders and settings change at once', async () => {
  const [first, second] = [
    aRound({ closesAt: inTime(HOUR), prices, bonus, cap: '100000' }),
    aRound({ opensAt: inTime(HOUR), prices: [btcAt('50000')], cap: '100000' }),
  ]
  await aSale(started, { cap: '500000', rounds: [first, second] })
  const buyers = await Promise.all(Array.from({ length: 8 }, aBuyer))
  const place_ = async (by: TestMember) => (await place(by, (await quote(by, '0.015')).quoteId)).body._id
  const early = await Promise.all(buyers.map(place_))
  await passInRounds(started, HOUR)
  const late = await Promise.all(buyers.map(place_))
  const { lastUpdated: _, ...settings } = (await call(api.getSaleSettings, {}, as(keeper))).body
  const answers = await Promise.all([
    ...[0, 1].flatMap((n) => [cancel(buyers[n]!, early[n]!), cancel(buyers[n]!, late[n]!)]),
    ...[2, 3].flatMap((n) => [
      updatePaid(started, { _id: early[n]!, ...asGift }, finance),
      updatePaid(started, { _id: late[n]!, ...asGift }, finance),
    ]),
    ...[4, 5].flatMap((n) =>
      [early, late].map((ids) =>
        call(
          api.updateOrder,
          { body: { _id: ids[n]!, fabQty: '7.00000001', confirmsQuantity: true, reason: 'Agreed.' } },
          as(colleague),
        ),
      ),
    ),
    call(
      api.updateSaleSettings,
      { body: { ...settings, rounds: settings.rounds.map((round) => ({ ...round, cap: '90000' })) } },
      as(keeper),
    ),
    ...buyers.slice(0, 4).map(async (by) => place(by, (await quote(by, '0.015')).quoteId)),
  ])
  expect(answers.map(({ status }) => status).filter((status) => status >= 400)).toEqual([])
  // In each round, 2 of the 8 orders are canceled and 2 corrected. The second one sold 4 more.
  expect(await soldExactly()).toEqual(['7791.77770702', '6014.00000002'])
})

test('what was sold without a round, or moves in, belongs to the first round', async () => {
  await aSale(started)
  const member = await aBuyer()
  const { id } = await anOrder(started, member.id, { fabQty: '10.5' })
  const orders = [
    { id: 'o1', memberId: member.id, status: 'completed', quantity: '100.25', currency: 'BTC' },
    { id: 'o2', memberId: member.id, status: 'cancelled', quantity: '900', currency: 'BTC' },
  ]
  const files = { orders: Buffer.from(JSON.stringify(orders)) }
  const outcome = await importFiles(services, { files, isDry: false, withRights: false, skipped: [] })
  expect(outcome.isDone).toBe(true)
  expect(await soldExactly()).toEqual(['110.75'])
  const { rounds } = (await call(api.getSaleSettings, {}, as(keeper))).body
  await aSale(started, {
    rounds: [{ ...rounds[0]!, closesAt: inTime(HOUR), cap: '120' }, aRound({ opensAt: inTime(HOUR) })],
  })
  expect(await soldExactly()).toEqual(['110.75', '0'])
  expect((await call(api.getSale, {}, as(member))).body.round).toMatchObject({ left: '9.25' })
  const setStatus = (status: 'cancelled' | 'pending') =>
    db.updateTable('token_order').set({ status }).where('id', '=', id).execute()
  await setStatus('cancelled')
  expect(await soldExactly()).toEqual(['100.25', '0'])
  await setStatus('pending')
  expect(await soldExactly()).toEqual(['110.75', '0'])
  await db.deleteFrom('token_order').where('id', '=', id).execute()
  expect(await soldExactly()).toEqual(['100.25', '0'])
})

test('what was sold before a sale with rounds belongs to the first of them', async () => {
  const member = await aBuyer()
  await anOrder(started, member.id, { fabQty: '0.00000001' })
  await aSale(started, {
    rounds: [aRound({ opensAt: inTime(HOUR) }), aRound({ closesAt: inTime(HOUR), prices, bonus })],
  })
  expect(await soldExactly()).toEqual(['0.00000001', '0'])
  await place(member, (await quote(member, '0.015')).quoteId)
  expect(await soldExactly()).toEqual(['1944.44442676', '0'])
})
