import { expect, onTestFinished, test } from 'vitest'
import { ticker } from '#content/brand.json' with { type: 'json' }
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import { aSale, aSignedInMember, anOrder } from '#tests/builders.ts'
import { aRound, btcAt, inTime, passInRounds } from '#tests/rounds.ts'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'
import { startWholeSite } from '#tests/setup/start-whole-site.ts'
import { listenToChanges } from '../../platform/db/changes.ts'
import { followSale, startPublicSaleWorker } from './public-sale-worker.ts'

const read = async (started: TestApi) => (await started.call(api.readPublicSale, {})).body.sale!
const withRounds = (started: TestApi, ...rounds: SaleRound[]) => aSale(started, { rounds })

/** Publishes the editors’ switches for the public sale. */
function show({ services: { content } }: TestApi, change: Partial<Record<string, boolean>> = {}): void {
  const facts = { isPublic: true, isOnHome: true, isLeftShown: true, areRoundsShown: true, ...change }
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

/** Returns how often the sale is announced meanwhile. */
async function countAnnounced({ services }: TestApi, work: () => Promise<unknown>): Promise<number> {
  const count = async () =>
    (await services.db.selectFrom('change').select('xact').where('topic', '=', 'sale').execute()).length
  const before = await count()
  await work()
  return (await count()) - before
}

const second = { en: 'Public 2', cn: '公开二轮' }

test('pages change from one round to the next by the clock, although nobody orders', async () => {
  const started = await startApi()
  const other = await startAnotherInstance(started)
  const sites = [await startWholeSite(started), await startWholeSite(other)]
  for (const each of [started, other]) run(each)
  // Otherwise, pages already show the price of the next round.
  show(started, { areRoundsShown: false })
  const pages = () => Promise.all(sites.map((site) => site.get('/sale')))
  await pages()
  const start = Date.now()
  const at = (seconds: number) => new Date(start + seconds * 1000).toISOString()
  await withRounds(
    started,
    aRound({ closesAt: at(6), prices: [btcAt('150000')] }),
    aRound({ opensAt: at(6), closesAt: at(10), prices: [btcAt('140000')] }),
    aRound({ opensAt: at(14), prices: [btcAt('130000')] }),
  )
  /** Returns when all pages of both instances show the text, in seconds after the start. */
  const shownAt = async (text: string | RegExp, timeout: number) => {
    await expect
      .poll(async () => (await pages()).every((page) => page.match(text)), {
        timeout,
        interval: 100,
      })
      .toBeTruthy()
    return (Date.now() - start) / 1000
  }
  await shownAt(`150,000 ${ticker}`, 5000)
  for (const [text, seconds] of [
    [`140,000 ${ticker}`, 6],
    // The message itself, with a placeholder for the time, is part of every page.
    [/The sale opens on (?!\{)/, 10],
    [`130,000 ${ticker}`, 14],
  ] as const) {
    const shown = await shownAt(text, 8000)
    expect(shown).toBeGreaterThanOrEqual(seconds)
    // The rest is the time that the pages take to render on a busy machine.
    expect(shown).toBeLessThan(seconds + 3)
  }
})

test('each change from one round to the next is announced once, even without a break', async () => {
  const started = await startApi()
  const other = await startAnotherInstance(started)
  await withRounds(
    started,
    aRound({ closesAt: inTime(HOUR) }),
    aRound({ opensAt: inTime(HOUR), closesAt: inTime(2 * HOUR) }),
    aRound({ opensAt: inTime(3 * HOUR) }),
  )
  const follow = () => Promise.all([started, other, started].map(({ services }) => followSale(services)))
  await follow()
  const shown = async () => {
    const { state, round_id } = await started.services.db
      .selectFrom('sale_shown')
      .select(['state', 'round_id'])
      .executeTakeFirstOrThrow()
    return [state, round_id !== null]
  }
  expect(await shown()).toEqual(['open', true])
  for (const outcome of [
    ['open', true],
    ['upcoming', false],
    ['open', true],
  ]) {
    await passInRounds(started, HOUR)
    expect(await countAnnounced(started, follow)).toBe(1)
    expect(await countAnnounced(started, follow)).toBe(0)
    expect(await shown()).toEqual(outcome)
  }
})

test('the worker sleeps until the next round begins or ends', async () => {
  const started = await startApi()
  await withRounds(started, aRound({ closesAt: inTime(2000) }), aRound({ opensAt: inTime(3000) }))
  const wait = await followSale(started.services)
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(2000)
})

test('visitors see the round and the next one only if editors show them, and never who is admitted', async () => {
  const started = await startApi()
  const bonus = [{ from: '1000', percent: '5' }]
  const vesting = { first: '50', later: { kind: 'linear', wait: 0, parts: 2, unit: 'months' } } as const
  const [closesAt, opensAt] = [inTime(HOUR), inTime(2 * HOUR)]
  const limited: Partial<SaleRound> = {
    admission: 'listed',
    excludedCountries: ['KP'],
    memberCap: '12345',
    cap: '100000',
    bonus,
    vesting,
  }
  const rounds = [
    aRound({ ...limited, closesAt, prices: [btcAt('150000')] }),
    aRound({ ...limited, opensAt, name: second, prices: [btcAt('99999')] }),
  ]
  await withRounds(started, ...rounds)
  await started.services.db
    .insertInto('sale_round_guest')
    .values({ round_id: rounds[0]!.id, email: 'guest@example.org' })
    .execute()
  show(started, { areRoundsShown: false })
  expect(await read(started)).toMatchObject({
    state: 'open',
    payMethods: [{ rate: '150000' }, { rate: '4000.5' }],
    round: null,
    next: null,
  })
  show(started)
  const sale = await read(started)
  expect(sale).toMatchObject({
    round: {
      name: { en: 'Public 1', cn: '公开一轮' },
      closesAt,
      left: { cap: '100000', percent: '100.0' },
      bonus,
      vesting,
    },
    next: { name: second, opensAt, payMethods: [{ code: 'BTC', rate: '99999' }, { code: 'ETH' }] },
  })
  expect(Object.keys(sale.round!).toSorted()).toEqual(['bonus', 'closesAt', 'left', 'name', 'vesting'])
  expect(Object.keys(sale.next!).toSorted()).toEqual(['name', 'opensAt', 'payMethods'])
  expect(JSON.stringify(sale)).not.toMatch(/KP|listed|guest|12345/)
  show(started, { isLeftShown: false })
  expect((await read(started)).round).toMatchObject({ left: null })
  await passInRounds(started, 1.5 * HOUR)
  const gap = await read(started)
  expect(gap).toMatchObject({ state: 'upcoming', payMethods: [], round: null, next: { name: second } })
  expect(gap.opensAt).toBe(gap.next!.opensAt)
  await aSale(started, { isOpen: false })
  expect(await read(started)).toMatchObject({ state: 'none', round: null, next: null, opensAt: null })
})

test('a sale with only the round that everything was before shows no round', async () => {
  const started = await startApi()
  show(started)
  await aSale(started)
  expect(await read(started)).toMatchObject({ state: 'open', round: null, next: null })
  const opensAt = inTime(HOUR)
  await aSale(started, { opensAt })
  expect(await read(started)).toMatchObject({ state: 'upcoming', opensAt, next: null })
})

test('a round is sold out if less is left than the smallest order buys with its bonus; the next one opens', async () => {
  const started = await startApi()
  show(started)
  const member = await aSignedInMember(started)
  const eth = { code: 'ETH', rate: '4000.5', minAmount: '1', maxAmount: '100' }
  const round = aRound({
    closesAt: inTime(HOUR),
    cap: '1000',
    bonus: [{ from: '100', percent: '10' }],
    prices: [btcAt('100000'), eth],
  })
  await withRounds(started, round, aRound({ opensAt: inTime(HOUR), name: second, cap: '1000' }))
  // The smallest order buys 110 tokens.
  const order = await anOrder(started, member.id, { fabQty: '890', roundId: round.id })
  expect(await read(started)).toMatchObject({ state: 'open', round: { left: { percent: '11.0' } } })
  const setQuantity = (quantity: string) =>
    started.services.db
      .updateTable('token_order')
      .set({ fab_qty: quantity })
      .where('id', '=', order.id)
      .execute()
  await setQuantity('890.00000001')
  expect(await read(started)).toMatchObject({
    state: 'soldOut',
    round: { left: { cap: '1000', percent: '10.9' } },
    next: { name: second },
  })
  await passInRounds(started, HOUR)
  expect(await read(started)).toMatchObject({
    state: 'open',
    round: { name: second, left: { percent: '100.0' } },
    next: null,
  })
})

test('the period goes on with the next round, and ends with the last one or with the sale', async () => {
  const started = await startApi()
  const times = [1, 2, 3, 4].map((hours) => inTime(hours * HOUR))
  const rounds = [
    aRound({ opensAt: times[0]!, closesAt: times[1]! }),
    aRound({ opensAt: times[2]!, closesAt: times[3]! }),
  ]
  await withRounds(started, ...rounds)
  expect(await read(started)).toMatchObject({ state: 'upcoming', opensAt: times[0], closesAt: times[3] })
  await aSale(started, { opensAt: inTime(1.5 * HOUR), closesAt: inTime(3.5 * HOUR), rounds })
  expect(await read(started)).toMatchObject({ state: 'upcoming' })
  await aSale(started, { closesAt: times[2]!, rounds })
  expect(await read(started)).toMatchObject({ opensAt: times[0], closesAt: times[2] })
  await withRounds(started, ...rounds)
  await passInRounds(started, 5 * HOUR)
  expect(await read(started)).toMatchObject({ state: 'ended', payMethods: [] })
})
