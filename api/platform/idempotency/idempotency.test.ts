import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSale, aSignedInMember, proveIdentity, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { deleteOldIdempotencyKeys } from './idempotent.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started

async function aBuyer(): Promise<TestMember> {
  const member = await aSignedInMember(started)
  await proveIdentity(started, member)
  return member
}

const order = { payMethod: 'ETH', amount: '0.00000001' }
const place = (by: TestMember, key: string, body: object = order) =>
  call(api.createOrder, { body }, { token: by.token, headers: { 'idempotency-key': key } })
/** Until the sale is set up, orders are accepted without quotes. */
const withoutSale = () => services.db.deleteFrom('sale').execute()
const countOf = async (member: TestMember) =>
  (await call(api.findOrders, { body: {}, query: { limit: 100 } }, { token: member.token })).body.length

test('repeats with the same key are executed once and get the same response, in any field order', async () => {
  const buyer = await aBuyer()
  const first = await place(buyer, 'a')
  expect(first.status).toBe(201)
  expect(await place(buyer, 'a')).toMatchObject({ status: 201, body: first.body })
  expect((await place(buyer, 'a', { amount: '0.00000001', payMethod: 'ETH' })).body).toEqual(first.body)
  expect(await countOf(buyer)).toBe(1)
  expect((await mailsTo(buyer.email)).filter(({ kind }) => kind === 'order-placed')).toHaveLength(1)
})

test('returns the first response even if the order changed since', async () => {
  const buyer = await aBuyer()
  const finance = await aSignedInMember(started, { manage_finance: 2 })
  const first = await place(buyer, 'a')
  await call(
    api.updateOrder,
    { body: { _id: first.body._id, status: 'cancelled' } },
    { token: finance.token },
  )
  expect((await place(buyer, 'a')).body).toEqual(first.body)
})

test('rejects the same key with another body; other keys and members are separate', async () => {
  const [buyer, other] = [await aBuyer(), await aBuyer()]
  const first = await place(buyer, 'a')
  const changed = await place(buyer, 'a', { ...order, amount: '2' })
  expect(changed).toMatchObject({ status: 409, problem: { code: 'idempotency_conflict' } })
  const theirs = await place(other, 'a', { ...order, amount: '2' })
  expect(theirs).toMatchObject({ status: 201, body: { memberId: other.id } })
  expect((await place(buyer, 'b')).body._id).not.toBe(first.body._id)
  expect(await countOf(buyer)).toBe(2)
})

test('of twenty concurrent requests with one key, one is executed and all get its response', async () => {
  const buyer = await aBuyer()
  const answers = await Promise.all(Array.from({ length: 20 }, () => place(buyer, 'crowd')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1)
  expect(await countOf(buyer)).toBe(1)
})

test('a rejected request is not stored, so its key can be used again', async () => {
  const buyer = await aBuyer()
  await aSale(started, { isOpen: false })
  expect((await place(buyer, 'a')).problem.code).toBe('sale_closed')
  await withoutSale()
  expect((await place(buyer, 'a')).status).toBe(201)
})

test('repeats the response of a request that used up a quote', async () => {
  const buyer = await aBuyer()
  await aSale(started)
  const { body: quote } = await call(
    api.createQuote,
    { body: { payMethod: 'ETH', amount: '1' } },
    { token: buyer.token },
  )
  const first = await place(buyer, 'a', { quoteId: quote.quoteId })
  expect(await place(buyer, 'a', { quoteId: quote.quoteId })).toMatchObject({ status: 201, body: first.body })
  expect((await place(buyer, 'b', { quoteId: quote.quoteId })).problem.code).toBe('quote_used')
  await withoutSale()
})

test('a key can be reused after a day, and its stored response is deleted', async () => {
  const buyer = await aBuyer()
  const age = () =>
    services.db
      .updateTable('idempotency_key')
      .set({ created_at: sql<Date>`now() - interval '25 hours'` })
      .where('member_id', '=', buyer.id)
      .execute()
  const first = await place(buyer, 'a')
  await age()
  expect((await place(buyer, 'a', { ...order, amount: '2' })).body._id).not.toBe(first.body._id)
  await age()
  await deleteOldIdempotencyKeys(services.db)
  const kept = await services.db
    .selectFrom('idempotency_key')
    .selectAll()
    .where('member_id', '=', buyer.id)
    .execute()
  expect(kept).toEqual([])
})

test.each(['', 'x'.repeat(129), 'two words', 'naïve'])('rejects an invalid key: “%s”', async (key) => {
  const buyer = await aBuyer()
  expect((await place(buyer, key)).problem.errors).toMatchObject([
    { path: 'Idempotency-Key', code: 'invalid' },
  ])
})
