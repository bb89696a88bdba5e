import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aContentDesk } from '#tests/content-desk.ts'
import { aBuyer, anOrderOf } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call } = started
const item = 'facts/display-rates.json'
const rate = { unit: 'BTC', currency: 'EUR', value: '58000.5', date: '2026-11-30' }
const entry = { id: 'btc-eur', ...rate }

test('published rates are returned with the sale, the orders, and each order', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  const by = { token: member.token }
  const ratesOf = async () => [
    (await call(api.getSale, {}, by)).body.displayRates,
    (await call(api.readMemberHome, {}, by)).body.displayRates,
    (await call(api.getOrderPayment, { params: { id: order._id } }, by)).body.displayRates,
  ]
  expect(await ratesOf()).toEqual([[], [], []])
  const desk = await aContentDesk(started)
  await desk.put(item, { '': [entry] })
  expect(await ratesOf()).toEqual([[rate], [rate], [rate]])
})

test.each([
  ['an unknown kind of currency', { currency: 'euro' }],
  ['a unit in lower case', { unit: 'btc' }],
  ['no value', { value: '0' }],
  ['a value with a comma', { value: '0,92' }],
  ['no day', { date: 'yesterday' }],
])('refuses to publish %s', async (_, wrong) => {
  const desk = await aContentDesk(started)
  await desk.save(item, { '': [{ ...entry, ...wrong }] })
  expect((await desk.publish([item])).problem.code).toBe('content_broken')
})

test('refuses two rates for the same pair', async () => {
  const desk = await aContentDesk(started)
  await desk.save(item, { '': [entry, { ...entry, id: 'another', value: '1' }] })
  expect((await desk.publish([item])).problem.code).toBe('content_broken')
})
