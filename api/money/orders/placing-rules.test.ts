import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSale, aSignedInMember, proveIdentity, saleSettings, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, orderMailsTo, stepsOf } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
const customer = await aSignedInMember(started)
await aSale(started)

type Body = Parameters<typeof call<typeof api.createOrder>>[1]['body']
const place = (by: TestMember, body: Body) => call(api.createOrder, { body }, { token: by.token })
const enter = (body: Body) => place(finance, { memberId: customer.id, ...body })
const problemsOf = async (answer: Promise<{ problem: { errors?: { path: string; code: string }[] } }>) =>
  (await answer).problem.errors?.map(({ path, code }) => [path, code])

test.each([
  { payMethod: 'ETH', amount: '2' },
  { payMethod: 'ETH', amount: '0.0000001' },
  { payMethod: 'DOGE', amount: '1' },
  {},
])('while the sale is open a member orders nothing without a quote: %j', async (body) => {
  const buyer = await aBuyer(started)
  expect(await problemsOf(place(buyer, body))).toEqual([['quoteId', 'required']])
  expect((await call(api.findOrders, { body: {} }, { token: buyer.token })).body).toEqual([])
})

test.each([{ txId: 'a' }, { sharesTransaction: true }, { reason: 'Please' }])(
  'rejects finance’s fields from a member: %j',
  async (fields) => {
    const buyer = await aBuyer(started)
    expect(await problemsOf(place(buyer, fields))).toEqual([[Object.keys(fields)[0], 'unknown']])
  },
)

test('limits a member to twenty orders per hour; rejected and repeated requests do not count', async () => {
  const buyer = await aBuyer(started)
  for (let n = 0; n < 3; n += 1) await place(buyer, { quoteId: 'nothing' })
  for (let n = 0; n < 20; n += 1) await anOrderOf(started, buyer)
  const quote = (
    await call(api.createQuote, { body: { payMethod: 'BTC', amount: '1' } }, { token: buyer.token })
  ).body
  const refused = await place(buyer, { quoteId: quote.quoteId })
  expect(refused).toMatchObject({ status: 429, problem: { code: 'rate_limited' } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  await services.db
    .updateTable('throttle')
    .set({ resets_at: sql<Date>`now()` })
    .execute()
  expect((await place(buyer, { quoteId: quote.quoteId })).status).toBe(201)
})

test('finance enters an order with any payment method, and one of the sale uses its address', async () => {
  const other = await enter({ payMethod: 'DOGE', amount: '1' })
  expect(other).toMatchObject({ status: 201, body: { payMethod: 'DOGE', status: 'pending' } })
  const unaddressed = await call(
    api.getOrderPayment,
    { params: { id: other.body._id } },
    { token: customer.token },
  )
  expect(unaddressed.body.receivingAddress).toBe('')
  const { body } = await enter({ payMethod: 'BTC', amount: '1' })
  const payment = await call(api.getOrderPayment, { params: { id: body._id } }, { token: customer.token })
  expect(payment.body.receivingAddress).toBe(saleSettings().payMethods[0]!.receivingAddress)
  // Past orders may name a method that no longer exists.
  expect((await enter({ payMethod: 'DOGE', amount: '1', status: 'cancelled' })).status).toBe(201)
})

test('finance exceeds the limits of a method only with a reason, which is stored', async () => {
  expect(await problemsOf(enter({ payMethod: 'BTC', amount: '500' }))).toEqual([['amount', 'too_much']])
  const { body } = await enter({ payMethod: 'BTC', amount: '500', reason: 'Agreed with the board.' })
  const payment = await call(api.getOrderPayment, { params: { id: body._id } }, { token: finance.token })
  expect(payment.body.steps).toMatchObject([
    { kind: 'placed' },
    { kind: 'entered', reason: 'Agreed with the board.' },
  ])
})

test('an order entered with a transaction counts as reported', async () => {
  const member = await aSignedInMember(started)
  const txId = 'ab'.repeat(32)
  const { body } = await enter({ memberId: member.id, payMethod: 'BTC', amount: '1', txId })
  expect(body).toMatchObject({ status: 'pending', txId })
  expect(await stepsOf(started, member, body._id)).toEqual(['placed', 'entered', 'payment_reported'])
  expect(await orderMailsTo(started, member)).toEqual(['order-payment-reported'])
})

test('officers cannot enter their own order, in any status or form', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  await proveIdentity(started, officer)
  for (const body of [
    { payMethod: 'BTC', amount: '1' },
    { payMethod: 'BTC', amount: '1', memberId: officer.id },
    { payMethod: 'BTC', amount: '1', memberId: officer.id, status: 'completed', fabQty: 1_000_000 },
  ])
    expect((await place(officer, body)).problem.code).toBe('forbidden')
  // Like any member, they order with a quote, and the server sets the rest.
  expect(await anOrderOf(started, officer)).toMatchObject({ status: 'pending', fabQty: 60_000 })
})

test('entering a completed order needs step-up, entering one to be paid does not', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  await letProofAge(started, officer)
  const order = { memberId: customer.id, payMethod: 'BTC', amount: '1' }
  const completed = { ...order, fabQty: '10', status: 'completed', reason: 'Paid before.' }
  expect((await place(officer, completed)).problem.code).toBe('step_up_required')
  expect((await place(officer, order)).status).toBe(201)
})
