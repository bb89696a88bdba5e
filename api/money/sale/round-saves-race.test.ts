import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { anOrder, aSignedInMember, proveIdentity, saleSettings } from '#tests/builders.ts'
import { aRound, inTime, listSold } from '#tests/rounds.ts'
import { startAnotherInstance, startApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const officers = [
  await aSignedInMember(started, { manage_coins: 2 }),
  await aSignedInMember(started, { manage_coins: 2 }),
]
const [first, next] = [
  aRound({ id: 'b-first', closesAt: inTime(DAY) }),
  aRound({ id: 'a-next', opensAt: inTime(DAY) }),
]
type Body = Parameters<typeof call<typeof api.updateSaleSettings>>[1]['body']
const save = (fields: Partial<Body>, by = officers[0]!) =>
  call(api.updateSaleSettings, { body: { ...saleSettings(), ...fields } }, as(by))

async function countDeadlocks(): Promise<number> {
  const { rows } = await services.db.executeQuery<{ deadlocks: string }>({
    sql: 'select pg_stat_clear_snapshot(), deadlocks from pg_stat_database where datname = current_database()',
  } as never)
  return Number(rows[0]!.deadlocks)
}

/** Repeats a call like a client does that is told to try again, because this machine may be busy. */
async function persist<T extends { status: number }>(work: () => Promise<T>): Promise<T> {
  const answer = await work()
  return answer.status === 503 ? persist(work) : answer
}

test('of two officers who save what they read, one is told that it has changed', async () => {
  const { lastUpdated } = (await save({ rounds: [first, next] })).body
  const answers = await Promise.all(
    officers.map((by, index) => save({ lastUpdated, rounds: [first, { ...next, cap: `${index + 1}` }] }, by)),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('while rounds are saved and orders are placed and canceled, each round counts what its orders add up to', async () => {
  await save({ rounds: [first, next], cap: null })
  const buyers = await Promise.all(Array.from({ length: 20 }, () => aSignedInMember(started)))
  for (const buyer of buyers) await proveIdentity(started, buyer)
  const old = await anOrder(started, buyers[0]!.id, { fabQty: '11' })
  const deadlocks = await countDeadlocks()
  const other = await startAnotherInstance(started)
  const body = { payMethod: 'BTC', amount: '0.01' }
  const quotes = await Promise.all(
    buyers.map((buyer) => persist(() => call(api.createQuote, { body }, as(buyer)))),
  )
  const place = async (index: number) => {
    const [buyer, { quoteId }] = [buyers[index]!, quotes[index]!.body]
    const on = index % 2 ? started : other
    const placed = await persist(() => on.call(api.createOrder, { body: { quoteId } }, as(buyer)))
    if (index % 3 > 0 || placed.status !== 201) return placed
    const params = { id: placed.body._id }
    return persist(() => on.call(api.cancelOrder, { params, body: null }, as(buyer)))
  }
  const saves = [
    { rounds: [first, { ...next, cap: '500000' }] },
    { rounds: [{ ...first, cap: '500000' }, next], cap: '900000' },
    {
      rounds: [first, { ...next, closesAt: inTime(3 * DAY) }, aRound({ id: 'c', opensAt: inTime(4 * DAY) })],
    },
    { rounds: [first, next], cap: null },
  ]
  const answers = await Promise.all([
    ...buyers.map((_, index) => place(index)),
    ...saves.map((fields, index) => persist(() => save(fields, officers[index % 2]))),
    persist(() => call(api.cancelOrder, { params: { id: old.id }, body: null }, as(buyers[0]!))),
  ])
  expect(await countDeadlocks()).toBe(deadlocks)
  expect(answers.flatMap(({ status, problem }) => (status < 400 ? [] : [[status, problem]]))).toEqual([])
  for (const { sold, sum } of await listSold(started)) expect(sold).toBe(sum)
  expect((await listSold(started)).find(({ id }) => id === first.id)!.sold).not.toMatch(/^0\./)
})
