import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { aSignedInMember, saleSettings } from '#tests/builders.ts'
import { aRound, btcAt, forgetSale, inTime } from '#tests/rounds.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const keeper = await aSignedInMember(started, { manage_coins: 2 })
const [btc, eth] = saleSettings().payMethods as [
  ReturnType<typeof saleSettings>['payMethods'][number],
  ReturnType<typeof saleSettings>['payMethods'][number],
]

type Body = Parameters<typeof call<typeof api.updateSaleSettings>>[1]['body']
const write = (fields: Partial<Body>) =>
  call(api.updateSaleSettings, { body: { ...saleSettings(), ...fields } }, as(keeper))
const save = async (fields: Partial<Body>) => {
  const { status, problem } = await write(fields)
  expect([status, problem.errors]).toEqual([200, undefined])
}
const asked = async (fields: Partial<Body>) =>
  ((await write(fields)).problem.errors ?? []).map(({ path, code }) => [path, code])
const shiftHistory = () => sql`update setting_version set at = at - interval '25 hours'`.execute(services.db)

/** The sale sells 120000 tokens per bitcoin; the first round ten times as many, and the next one half of it. */
const first = aRound({ id: 'first', closesAt: inTime(DAY), prices: [btcAt('1200000')] })
const next = aRound({ id: 'next', opensAt: inTime(DAY), closesAt: inTime(2 * DAY), prices: [btcAt('60000')] })
const early = { ...first, closesAt: inTime(DAY / 2) }
const confirm = [['rounds.0.prices.0.rate', 'confirm_rate']]

beforeEach(async () => {
  await forgetSale(started)
  await sql`truncate setting_version, pay_method cascade`.execute(services.db)
  await save({})
  await save({ rounds: [first, next], confirmedRates: { 'first/BTC': '1200000', 'next/BTC': '60000' } })
  await shiftHistory()
})

test.each<[string, Partial<Body>, string[][]]>([
  ['another price', { rounds: [{ ...first, prices: [btcAt('2400000')] }, next] }, confirm],
  ['a removed price', { rounds: [{ ...first, prices: [] }, next] }, [['rounds.0.prices', 'confirm_rate']]],
  [
    'a new round',
    { rounds: [first, next, aRound({ id: 'last', opensAt: inTime(2 * DAY), prices: [btcAt('600000')] })] },
    [['rounds.2.prices.0.rate', 'confirm_rate']],
  ],
  [
    'a new round without its own price',
    { rounds: [first, next, aRound({ id: 'last', opensAt: inTime(2 * DAY) })] },
    [['rounds.2.prices', 'confirm_rate']],
  ],
  [
    'a longer round',
    {
      rounds: [
        { ...first, closesAt: inTime(1.5 * DAY) },
        { ...next, opensAt: inTime(1.5 * DAY) },
      ],
    },
    confirm,
  ],
  ['an earlier round', { rounds: [{ ...next, opensAt: null, closesAt: inTime(DAY) }] }, confirm],
  ['no round', { rounds: [] }, [['payMethods.0.rate', 'confirm_rate']]],
  [
    'another code of the coin',
    {
      payMethods: [{ ...btc, code: 'XBT' }, eth],
      rounds: [{ ...first, prices: [{ ...btcAt('120000'), code: 'XBT' }] }, next],
    },
    [
      ['rounds.0.prices.0.rate', 'confirm_rate'],
      ['rounds.1.prices', 'confirm_rate'],
    ],
  ],
])('the price of a time changes only with confirmation by %s', async (_, fields, problems) => {
  expect(await asked(fields)).toEqual(problems)
})

test('a change that is confirmed is saved and emailed', async () => {
  await save({ rounds: [{ ...first, prices: [] }, next], confirmedRates: { 'first/BTC': '120000' } })
  const mail = (await mailsTo(keeper.email)).at(-1)!
  expect(mail.kind).toBe('sale-rate-changed')
  expect(mail.text).toContain('Public 1: BTC: 1200000 → 120000 (-90%)')
})

test.each<[string, Partial<Body>]>([
  ['a rate within 20 %', { rounds: [{ ...first, prices: [btcAt('1300000')] }, next] }],
  ['an earlier end', { rounds: [early, next] }],
  ['a later start', { rounds: [first, { ...next, opensAt: inTime(1.5 * DAY) }] }],
  ['a removed round', { rounds: [first] }],
  ['another name', { rounds: [{ ...first, name: { en: 'A', cn: '一' } }, next] }],
  ['a removed method', { payMethods: [eth] }],
  [
    'a round at the price before it',
    { rounds: [first, next, aRound({ id: 'last', opensAt: inTime(2 * DAY), prices: [btcAt('60000')] })] },
  ],
])('asks for no confirmation of %s', async (_, fields) => {
  expect(await asked(fields)).toEqual([])
})

test('compares small steps within a day with the prices of a day ago', async () => {
  await save({ rounds: [{ ...first, prices: [btcAt('1400000')] }, next] })
  const further = { rounds: [{ ...first, prices: [btcAt('1600000')] }, next] }
  expect(await asked(further)).toEqual(confirm)
  await shiftHistory()
  expect(await asked(further)).toEqual([])
})

test('a round that follows one removed or ended within a day is compared with it', async () => {
  const moved = { ...next, opensAt: early.closesAt }
  await save({ rounds: [early, next] })
  expect(await asked({ rounds: [early, moved] })).toEqual([['rounds.1.prices.0.rate', 'confirm_rate']])
  await save({ rounds: [next] })
  expect(await asked({ rounds: [{ ...moved, opensAt: null }] })).toEqual(confirm)
})

test('the price of the sale counts for rounds without their own', async () => {
  const follows = { ...first, prices: [] }
  await save({ rounds: [follows, next], confirmedRates: { 'first/BTC': '120000' } })
  await shiftHistory()
  const payMethods = [{ ...btc, rate: '240000' }, eth]
  expect(await asked({ payMethods, rounds: [follows, next] })).toEqual([
    ['payMethods.0.rate', 'confirm_rate'],
  ])
  await save({ payMethods, rounds: [follows, next], confirmedRates: { BTC: '240000' } })
})

test('a price of a round is not taken over by another coin', async () => {
  const coin = { ...btc, chain: 'other' as const, currency: 'USDT' }
  expect(await asked({ payMethods: [coin, eth] })).toEqual([
    ['payMethods.0.rate', 'confirm_rate'],
    ['rounds.0.prices.0.rate', 'confirm_rate'],
    ['rounds.1.prices.0.rate', 'confirm_rate'],
  ])
})
