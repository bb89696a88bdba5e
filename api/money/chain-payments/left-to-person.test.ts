import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { api } from '#contract/api.ts'
import { aSignedInMember, saleSettings, type TestMember } from '#tests/builders.ts'
import type { TestApi } from '#tests/setup/start-api.ts'
import { bankMapping, importStatement, linesAbout } from '#tests/statements.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'

/* Tests which paid orders the program leaves to a person, and how the list shows them. */

const [btc, eth] = saleSettings().payMethods
const setRate = async (started: TestApi, by: TestMember, rate: string) => {
  const settings = saleSettings({ payMethods: [{ ...btc!, rate, minAmount: '0.00001' }, eth!] })
  const body = { ...settings, confirmedRates: { BTC: rate } }
  expect((await started.call(api.updateSaleSettings, { body }, { token: by.token })).status).toBe(200)
}
type Watched = Awaited<ReturnType<typeof aWatchedSale>>
const payAll = async ({ chain }: Watched, amounts: Record<string, string>) => {
  for (const [id, amount] of Object.entries(amounts)) await chain.pay({ [id]: amount })
  chain.mine(6)
  await chain.look()
  await chain.look()
}
const stateOf = async ({ detail }: Watched, id: string) => {
  const { order, flags } = await detail(id)
  return [order.status, ...flags.filter((flag) => flag === 'new_price' || flag === 'program_limit')]
}

test('an order at a price far from the one of the day before waits for a person, and the list says why', async () => {
  const watched = await aWatchedSale({ CHAIN_COMPLETE: 'exact', ORDER_TWO_PERSONS_FROM: '100000' })
  const { started, order, officer } = watched
  const setter = await aSignedInMember(started, { manage_coins: 2 })
  const before = await order('0.001')
  await setRate(started, setter, '99999000')
  const after = await order('0.001')
  await payAll(watched, { [before]: '0.001', [after]: '0.001' })
  await setRate(started, setter, '120001')
  // Back near the price of the day before, but far from the one in force before it.
  const corrected = await order('0.001')
  await payAll(watched, { [corrected]: '0.001' })
  expect(await stateOf(watched, before)).toEqual(['completed'])
  expect(await stateOf(watched, after)).toEqual(['pending', 'new_price'])
  expect(await stateOf(watched, corrected)).toEqual(['pending', 'new_price'])
  const flag = 'new_price' as const
  const listed = await started.call(api.listConsoleOrders, { query: { flag } }, { token: officer.token })
  expect(listed.body.map(({ id }) => id).toSorted()).toEqual([after, corrected].toSorted())
})

test('a small change of the price, and one of more than a day ago, change nothing', async () => {
  const watched = await aWatchedSale({ CHAIN_COMPLETE: 'exact', ORDER_TWO_PERSONS_FROM: '1000000' })
  const { started, order } = watched
  const setter = await aSignedInMember(started, { manage_coins: 2 })
  await setRate(started, setter, '120500')
  const small = await order('0.001')
  await setRate(started, setter, '9000000')
  await started.services.db
    .updateTable('setting_version')
    .set({ at: sql<Date>`now() - interval '25 hours'` })
    .execute()
  const old = await order('0.001')
  await payAll(watched, { [small]: '0.001', [old]: '0.001' })
  expect(await stateOf(watched, small)).toEqual(['completed'])
  expect(await stateOf(watched, old)).toEqual(['completed'])
})

test('what the program completes within a day adds up, and beyond the total a person completes', async () => {
  // One order takes one person below 12,001 tokens, so the total is 60,005.
  const watched = await aWatchedSale({ CHAIN_COMPLETE: 'exact', ORDER_TWO_PERSONS_FROM: '12001' })
  const { started, order, officer } = watched
  const ids: string[] = []
  for (let n = 0; n < 6; n += 1) ids.push(await order('0.1'))
  await payAll(watched, Object.fromEntries(ids.map((id) => [id, '0.1'])))
  const states = await Promise.all(ids.map((id) => stateOf(watched, id)))
  expect(states.filter(([status]) => status === 'completed')).toHaveLength(5)
  expect(states.filter(([status]) => status === 'pending')).toEqual([['pending', 'program_limit']])
  const flag = 'program_limit' as const
  const listed = await started.call(api.listConsoleOrders, { query: { flag } }, { token: officer.token })
  expect(listed.body).toHaveLength(1)
  // It waits for a person, also once the day has passed.
  await started.services.db
    .updateTable('order_step')
    .set({ at: sql<Date>`now() - interval '25 hours'` })
    .execute()
  await watched.chain.look()
  expect(await stateOf(watched, listed.body[0]!.id)).toEqual(['pending', 'program_limit'])
})

test('the program completes nothing for an account that staff closed', async () => {
  const watched = await aWatchedSale({ CHAIN_COMPLETE: 'exact', ORDER_TWO_PERSONS_FROM: '100000' })
  const { started, order, buyer } = watched
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const id = await order('0.001')
  const body = { _id: buyer.id, active: false }
  expect((await started.call(api.updateMember, { body }, { token: admin.token })).status).toBe(200)
  await payAll(watched, { [id]: '0.001' })
  expect((await watched.detail(id)).order.status).toBe('pending')
})

test('an order whose payment finance removed, or whose completion was declined, waits for a person', async () => {
  const watched = await aWatchedSale({ CHAIN_COMPLETE: 'exact', ORDER_TWO_PERSONS_FROM: '100000' })
  const { started, order } = watched
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const colleague = await aSignedInMember(started, { manage_finance: 2 })
  const [removed, declined] = [await order('0.001'), await order('0.002')]
  const update = (_id: string, change: object) =>
    started.call(api.updateOrder, { body: { _id, ...change } }, { token: officer.token })
  for (const [id, amount] of [
    [removed, '0.001'],
    [declined, '0.002'],
  ] as const)
    await watched.chain.pay({ [id]: amount })
  await watched.chain.look()
  const reason = 'A typing error.'
  await update(removed, { paidAmount: '0.001' })
  await update(removed, { paidAmount: null, reason })
  const gift = { status: 'completed', paidAmount: '0.00000001', reason }
  expect((await update(declined, gift)).body.status).toBe('pending')
  const answer = await started.call(
    api.declineOrderCompletion,
    { params: { id: declined }, body: { reason } },
    { token: colleague.token },
  )
  expect(answer.status).toBe(200)
  await update(declined, { paidAmount: null, paidAt: null, reason })
  watched.chain.mine(6)
  await watched.chain.look()
  await watched.chain.look()
  expect([await stateOf(watched, removed), await stateOf(watched, declined)]).toEqual([
    ['pending'],
    ['pending'],
  ])
})

test('an order whose returned payment finance dismissed waits for a person', async () => {
  const watched = await aWatchedSale({ CHAIN_COMPLETE: 'exact', ORDER_TWO_PERSONS_FROM: '100000' })
  const { started, order, detail } = watched
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const id = await order('0.001')
  const { reference } = (await detail(id)).order
  const today = new Date().toISOString().slice(0, 10)
  const text = `Date;Amount;Purpose\n${today};-0.001;Back ${reference}\n`
  await importStatement(started, officer, text, { ...bankMapping, currency: 'BTC' })
  const [line] = await linesAbout(started, officer, reference)
  const dismissal = { params: { id: line!.id }, body: { reason: 'Nothing went back.' } }
  const dismissed = await started.call(api.dismissStatementLine, dismissal, { token: officer.token })
  expect(dismissed.status).toBe(200)
  await payAll(watched, { [id]: '0.001' })
  expect(await stateOf(watched, id)).toEqual(['pending'])
})
