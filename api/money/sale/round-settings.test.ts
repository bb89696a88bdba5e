import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import { anOrder, aSale, aSignedInMember, saleSettings } from '#tests/builders.ts'
import { aRound, btcAt, forgetSale, inTime, listSold } from '#tests/rounds.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as, letProofAge } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db } = services
const [keeper, second] = [
  await aSignedInMember(started, { manage_coins: 2 }),
  await aSignedInMember(started, { manage_coins: 2 }),
]
const reader = await aSignedInMember(started, { manage_coins: 1 })
const [, eth] = saleSettings().payMethods as [
  ReturnType<typeof saleSettings>['payMethods'][number],
  ReturnType<typeof saleSettings>['payMethods'][number],
]

type Body = Parameters<typeof call<typeof api.updateSaleSettings>>[1]['body']
const read = async () => (await call(api.getSaleSettings, {}, as(reader))).body
const write = (fields: Partial<Body> = {}, by = keeper) =>
  call(api.updateSaleSettings, { body: { ...saleSettings(), ...fields } }, as(by))
const save = async (fields: Partial<Body>) => {
  const answer = await write(fields)
  expect([answer.status, answer.problem.errors]).toEqual([200, undefined])
  return answer.body
}
const problemsOf = async (fields: Partial<Body>) =>
  ((await write(fields)).problem.errors ?? []).map(({ path, code }) => [path, code])
const listed = async () => (await call(api.listSaleRounds, {}, as(reader))).body
const versions = async () => (await call(api.listSettingVersions, {}, as(reader))).body

const [first, next, last] = [
  aRound({ id: 'first', closesAt: inTime(DAY) }),
  aRound({ id: 'next', opensAt: inTime(DAY), closesAt: inTime(2 * DAY) }),
  aRound({ id: 'last', opensAt: inTime(2 * DAY) }),
]
const whole: SaleRound = {
  ...next,
  cap: '1000.5',
  memberCap: '10',
  admission: 'listed',
  excludedCountries: ['KP', 'US'],
  bonus: [
    { from: '100', percent: '2.5' },
    { from: '1000', percent: '5' },
  ],
  vesting: { first: '10', later: { kind: 'linear', wait: 1, parts: 9, unit: 'months' } },
  prices: [btcAt('110000'), { ...btcAt('4000'), code: 'ETH' }],
}

beforeEach(async () => {
  await forgetSale(started)
  await sql`truncate setting_version, sale_proposal cascade`.execute(db)
})

test('the first save creates the first round, to which all orders until then belong', async () => {
  const buyer = await aSignedInMember(started)
  await anOrder(started, buyer.id, { fabQty: '70' })
  await anOrder(started, buyer.id, { fabQty: '7', status: 'cancelled' })
  const { rounds } = await save({})
  expect(rounds).toEqual([expect.objectContaining({ opensAt: null, closesAt: null, prices: [] })])
  expect(await listed()).toMatchObject([{ state: 'current', sold: '70', orders: 1, members: 1 }])
})

test('if the first save states rounds, earlier orders belong to the one that opens first', async () => {
  const buyer = await aSignedInMember(started)
  await anOrder(started, buyer.id, { fabQty: '70' })
  await save({ rounds: [next, first] })
  expect(await listed()).toMatchObject([
    { id: 'next', state: 'upcoming', sold: '0', orders: 0 },
    { id: 'first', state: 'current', sold: '70', orders: 1 },
  ])
  await anOrder(started, buyer.id, { fabQty: '5' })
  const { body } = await call(api.getSaleRound, { params: { id: 'first' } }, as(reader))
  expect(body).toMatchObject({ sold: '75', orders: 2, members: 1 })
  expect((await call(api.getSaleRound, { params: { id: 'none' } }, as(reader))).status).toBe(404)
})

test('stores all values of a round, and leaves rounds as they are if they are omitted', async () => {
  const { rounds } = await save({ rounds: [first, whole] })
  expect(rounds).toEqual([first, whole])
  expect((await save({ quoteMinutes: 20 })).rounds).toEqual([first, whole])
  const count = (await versions()).length
  await save({ quoteMinutes: 20, rounds: [first, { ...whole, prices: whole.prices.toReversed() }] })
  expect(await versions()).toHaveLength(count)
})

test('keeps each change of a round in the history, from where it can be restored', async () => {
  await save({ rounds: [first, next] })
  const [old] = await versions()
  await save({ rounds: [first, { ...next, cap: '50', prices: [btcAt('110000')] }] })
  const [version] = await versions()
  expect(version!.changes).toContainEqual({ path: 'next/cap', from: '', to: '50' })
  expect(version!.changes).toContainEqual({ path: 'next/BTC.rate', from: null, to: '110000' })
  const rates = await call(api.listSettingVersions, { query: { field: 'rate', method: 'BTC' } }, as(reader))
  expect(rates.body.map(({ id }) => id)).toContain(version!.id)
  const body = { lastUpdated: (await read()).lastUpdated }
  expect((await call(api.restoreSettingVersion, { params: { id: old!.id }, body }, as(keeper))).status).toBe(
    200,
  )
  expect((await read()).rounds).toEqual([first, next])
})

test('the audit log names no values', async () => {
  await save({})
  await save({ rounds: [first, next] })
  const { detail } = await db
    .selectFrom('audit_entry')
    .select('detail')
    .where('action', '=', 'sale-updated')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(detail).toEqual({ isOpen: true, fields: ['rounds'] })
})

test('saving requires step-up authentication and the settings that were read', async () => {
  const { lastUpdated } = await save({ rounds: [first, next] })
  await save({ rounds: [first, { ...next, cap: '1' }] })
  expect((await write({ rounds: [first], lastUpdated })).status).toBe(409)
  await letProofAge(started, keeper)
  expect((await write({ rounds: [first] })).problem.code).toBe('step_up_required')
  await call(api.stepUp, { body: { password: keeper.password } }, as(keeper))
  expect((await read()).rounds).toHaveLength(2)
})

test('refuses rounds at one time, in the API and in the database', async () => {
  expect(await problemsOf({ rounds: [first, { ...next, opensAt: inTime(DAY / 2) }] })).toEqual([
    ['rounds.1.opensAt', 'overlaps'],
  ])
  await save({ rounds: [first, next] })
  await expect(
    db
      .transaction()
      .execute((tx) =>
        tx.updateTable('sale_round').set({ opens_at: null }).where('id', '=', 'next').execute(),
      ),
  ).rejects.toMatchObject({ code: '23P01' })
  // Two rounds can change places in one save.
  const swapped = [
    { ...first, opensAt: next.opensAt, closesAt: next.closesAt },
    { ...next, opensAt: null, closesAt: first.closesAt },
  ]
  await save({ rounds: swapped })
  expect((await read()).rounds.map(({ id }) => id)).toEqual(['next', 'first'])
})

const linear = { kind: 'linear', wait: 0, parts: 2, unit: 'months' } as const
test.each<[string, Partial<SaleRound>, [string, string]]>([
  ['an ID twice', { id: 'first' }, ['rounds.1.id', 'already_listed']],
  ['an ID with a slash', { id: 'a/b' }, ['rounds.1.id', 'invalid']],
  ['no name', { name: { en: ' ', cn: '一' } }, ['rounds.1.name.en', 'required']],
  ['an end before the start', { closesAt: next.opensAt }, ['rounds.1.closesAt', 'invalid']],
  ['a cap of 0', { cap: '0' }, ['rounds.1.cap', 'too_little']],
  ['a member cap of 0', { memberCap: '0' }, ['rounds.1.memberCap', 'too_little']],
  ['an unknown country', { excludedCountries: ['usa'] }, ['rounds.1.excludedCountries.0', 'invalid']],
  [
    'an unknown method',
    { prices: [btcAt('1'), { ...btcAt('1'), code: 'ABC' }] },
    ['rounds.1.prices.1.code', 'one_of'],
  ],
  ['a method twice', { prices: [btcAt('1'), btcAt('1')] }, ['rounds.1.prices.1.code', 'already_listed']],
  ['a rate of 0', { prices: [btcAt('0')] }, ['rounds.1.prices.0.rate', 'too_little']],
  [
    'a maximum below the minimum',
    { prices: [btcAt('1', { maxAmount: '0.0001' })] },
    ['rounds.1.prices.0.maxAmount', 'too_little'],
  ],
  [
    'bonuses that do not ascend',
    {
      bonus: [
        { from: '10', percent: '1' },
        { from: '10', percent: '2' },
      ],
    },
    ['rounds.1.bonus.1.from', 'not_ascending'],
  ],
  [
    'a plan of less than all',
    { vesting: { first: '99', later: null } },
    ['rounds.1.vesting.first', 'not_whole'],
  ],
  [
    'a plan of more than all',
    { vesting: { first: '100', later: linear } },
    ['rounds.1.vesting.first', 'not_whole'],
  ],
])('refuses %s', async (_, fields, problem) => {
  expect(await problemsOf({ rounds: [first, { ...next, ...fields }] })).toEqual([problem])
})

test('a round with orders cannot be removed, and one without takes its list along', async () => {
  const buyer = await aSignedInMember(started)
  await save({ rounds: [first, next, last] })
  const { id } = await anOrder(started, buyer.id)
  await db.updateTable('token_order').set({ round_id: 'next' }).where('id', '=', id).execute()
  const { problem } = await write({ rounds: [first, last] })
  expect(problem).toMatchObject({ code: 'conflict', errors: [{ path: 'rounds', code: 'has_orders' }] })
  const body = { add: ['a@people.example'], remove: [] }
  await call(api.changeRoundGuests, { params: { id: 'last' }, body }, as(keeper))
  await save({ rounds: [first, next] })
  expect(await db.selectFrom('sale_round_guest').selectAll().execute()).toEqual([])
  // The first round has no orders, but orders without a round may come.
  await save({ rounds: [next] })
  await anOrder(started, buyer.id, { fabQty: '3' })
  for (const { sold, sum } of await listSold(started)) expect(sold).toBe(sum)
})

test('removing a payment method removes its prices in rounds', async () => {
  const rounds = [{ ...first, prices: [btcAt('120000')] }, next]
  await save({ rounds })
  expect((await save({ payMethods: [eth] })).rounds).toEqual([first, next])
  await save({ rounds })
  expect((await save({ payMethods: [eth], rounds })).rounds).toEqual([first, next])
})

test('the upgrade makes the first round of what exists, with what was sold', async () => {
  await aSale(started)
  const buyer = await aSignedInMember(started)
  await anOrder(started, buyer.id, { fabQty: '70' })
  await anOrder(started, buyer.id, { fabQty: '7', status: 'cancelled' })
  await db.deleteFrom('sale_round').execute()
  const migration = await readFile('api/platform/db/migrations/0316-sale-rounds.sql', 'utf8')
  await sql.raw(migration.slice(migration.lastIndexOf('insert into sale_round'))).execute(db)
  expect((await read()).rounds).toEqual([
    aRound({ id: expect.any(String) as never, name: { en: 'Sale', cn: '首轮' } }),
  ])
  expect(await listed()).toMatchObject([{ state: 'current', sold: '70', orders: 1 }])
  await anOrder(started, buyer.id, { fabQty: '5' })
  expect(await listed()).toMatchObject([{ sold: '75', orders: 2 }])
})

const four = async (isOn: boolean) => Object.assign(services.config, { isSaleFourEyesRequired: isOn })
test.each<[string, boolean, Partial<Body>]>([
  ['a new round', true, { rounds: [first, next, last] }],
  ['a longer round', true, { rounds: [first, { ...next, closesAt: null }] }],
  [
    'an earlier start',
    true,
    {
      rounds: [
        { ...first, closesAt: inTime(DAY / 2) },
        { ...next, opensAt: inTime(DAY / 2) },
      ],
    },
  ],
  ['a bonus', true, { rounds: [first, { ...next, bonus: [{ from: '1', percent: '50' }] }] }],
  ['no round at all', true, { rounds: [] }],
  ['an earlier end', false, { rounds: [first, { ...next, closesAt: inTime(1.5 * DAY) }] }],
  ['a removed round', false, { rounds: [first] }],
  ['a removed method with its prices', false, { payMethods: [eth] }],
])('%s awaits a second person: %s', async (_, isProposed, fields) => {
  await save({
    rounds: [
      { ...first, prices: [btcAt('120000')] },
      { ...next, prices: [btcAt('120000')] },
    ],
  })
  const withPrices = fields.rounds?.map((round) => ({ ...round, prices: [btcAt('120000')] }))
  await four(true)
  try {
    const { proposal } = await save({ ...fields, ...(withPrices && { rounds: withPrices }) })
    expect(proposal !== null).toBe(isProposed)
    if (!proposal) return
    const answer = await call(api.confirmSaleProposal, { params: { id: proposal.id }, body: {} }, as(second))
    expect(answer.body.rounds).toEqual(withPrices)
  } finally {
    await four(false)
  }
})

test('an order placed while a removal waits keeps its round', async () => {
  await save({ rounds: [first, next, last] })
  await four(true)
  try {
    const { proposal } = await save({ rounds: [first, { ...last, cap: '5' }] })
    const buyer = await aSignedInMember(started)
    const { id } = await anOrder(started, buyer.id)
    await db.updateTable('token_order').set({ round_id: 'next' }).where('id', '=', id).execute()
    const params = { id: proposal!.id }
    const { problem } = await call(api.confirmSaleProposal, { params, body: {} }, as(second))
    expect(problem.errors).toMatchObject([{ path: 'rounds', code: 'has_orders' }])
    expect((await read()).rounds).toHaveLength(3)
  } finally {
    await four(false)
  }
})
