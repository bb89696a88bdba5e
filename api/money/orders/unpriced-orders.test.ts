import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSale, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'

/* Prices that another step of the sale or the order removes from view. */

const started = await startApi(
  { ORDER_TWO_PERSONS_FROM: '10000', SALE_FOUR_EYES: 'on', WITHDRAWAL_DAYS: '14' },
  afterAll,
)
const { call, services } = started
const as = ({ token }: TestMember) => ({ token })
let officer: TestMember
let colleague: TestMember
type Change = Omit<Parameters<typeof call<typeof api.updateOrder>>[1]['body'], '_id'>
const change = (by: TestMember, _id: string, body: Change) =>
  call(api.updateOrder, { body: { _id, ...body } }, as(by))
const saleOf = async (by: TestMember) => {
  const { isOpen, quoteMinutes, opensAt, closesAt, cap, memberCap, lastUpdated, payMethods } = (
    await call(api.getSaleSettings, {}, as(by))
  ).body
  return { isOpen, quoteMinutes, opensAt, closesAt, cap, memberCap, lastUpdated, payMethods }
}

beforeEach(async () => {
  await aSale(started)
  officer = await aSignedInMember(started, { manage_finance: 2 })
  colleague = await aSignedInMember(started, { manage_finance: 2 })
})

test('after the sale removed its methods, a first quantity of a pending order still takes two', async () => {
  const editor = await aSignedInMember(started, { manage_coins: 2 })
  await aSignedInMember(started, { manage_coins: 2 })
  const member = await aSignedInMember(started)
  // Entered by a colleague, pending, without a quantity.
  const { body: entered } = await call(
    api.createOrder,
    { body: { memberId: member.id, payMethod: 'BTC', amount: '0.00000001', reason: 'A test.' } },
    as(colleague),
  )
  const { status } = await call(
    api.updateSaleSettings,
    { body: { ...(await saleOf(editor)), payMethods: [] } },
    as(editor),
  )
  expect(status).toBe(200)
  expect((await saleOf(editor)).payMethods).toEqual([])
  const done = await change(officer, entered._id, {
    fabQty: '9999',
    paidAmount: '0.00000001',
    status: 'completed',
    reason: 'Paid.',
  })
  expect(done.body.status).toBe('pending')
})

test('an order entered as completed for next to nothing takes two after the sale removed its methods', async () => {
  const editor = await aSignedInMember(started, { manage_coins: 2 })
  await aSignedInMember(started, { manage_coins: 2 })
  const member = await aSignedInMember(started)
  await call(api.updateSaleSettings, { body: { ...(await saleOf(editor)), payMethods: [] } }, as(editor))
  const entered = await call(
    api.createOrder,
    {
      body: {
        memberId: member.id,
        payMethod: 'BTC',
        amount: '0.00000001',
        fabQty: '9999',
        status: 'completed',
        reason: 'Paid.',
      },
    },
    as(officer),
  )
  expect(entered.status).not.toBe(201)
})

test('lowering the received amount before a refund does not let a colleague refund less unnoticed', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member, 'BTC', '0.05')
  await change(colleague, order._id, { paidAmount: '0.05' })
  const { id } = (
    await call(
      api.requestWithdrawal,
      { params: { id: order._id }, body: { refundAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' } },
      as(member),
    )
  ).body
  await call(api.acceptWithdrawal, { params: { id }, body: {} }, as(colleague))
  const mails = (await started.mailsTo(member.email)).length
  expect((await change(officer, order._id, { paidAmount: '0.0001', reason: 'x' })).status).toBe(200)
  const told = (await started.mailsTo(member.email)).slice(mails).map(({ kind }) => kind)
  const refunded = await call(
    api.recordRefund,
    {
      params: { id },
      body: { amount: '0.0001', txId: 'c'.repeat(63) + '1', paidOn: new Date().toISOString().slice(0, 10) },
    },
    as(await aSignedInMember(started, { manage_finance: 2 })),
  )
  expect({ told, refunded: refunded.body.state ?? refunded.problem.errors }).not.toMatchObject({
    told: [],
    refunded: 'refunded',
  })
})

test('declining does not let the same officer complete what a colleague refused', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member, 'BTC', '0.05')
  // A gift of 6,000 tokens, proposed and declined.
  const gift = await change(officer, order._id, { status: 'completed', paidAmount: '0', reason: 'A gift.' })
  expect(gift.body.status).toBe('pending')
  await call(
    api.declineOrderCompletion,
    { params: { id: order._id }, body: { reason: 'No gift.' } },
    as(colleague),
  )
  const second = await change(officer, order._id, {
    status: 'completed',
    paidAmount: '0.0005',
    reason: 'Paid.',
  })
  expect(second.body.status).toBe('pending')
})

test('an officer who set the first amount due of an order does not complete it alone if no rate checks the price', async () => {
  await services.db.deleteFrom('pay_method').execute()
  await services.db.deleteFrom('sale').execute()
  const member = await aSignedInMember(started)
  const { body: entered } = await call(
    api.createOrder,
    {
      body: { memberId: member.id, payMethod: 'BTC', fabQty: '9999', reason: 'The amount is to be agreed.' },
    },
    as(colleague),
  )
  expect(entered.status).toBe('pending')
  const done = await change(officer, entered._id, {
    amount: '0.00000001',
    paidAmount: '0.00000001',
    status: 'completed',
    reason: 'Paid.',
  })
  expect(done.body.status).toBe('pending')
})

test('an order entered as completed without any rate takes two, like a first quantity on its page', async () => {
  await services.db.deleteFrom('pay_method').execute()
  await services.db.deleteFrom('sale').execute()
  const member = await aSignedInMember(started)
  const entered = await call(
    api.createOrder,
    {
      body: {
        memberId: member.id,
        payMethod: 'BTC',
        amount: '0.00000001',
        fabQty: '9999',
        status: 'completed',
        reason: 'Paid.',
      },
    },
    as(officer),
  )
  expect(entered.status).not.toBe(201)
})

test('an import completes no order for next to nothing after the sale removed its methods', async () => {
  const member = await aSignedInMember(started)
  const { insertOrder } = await import('./order.queries.ts')
  // As moved in from an earlier site: a quantity, a tiny amount, and no rate.
  const order = await insertOrder(services.db, member.id, {
    payMethod: 'BTC',
    amount: '0.00000001',
    fabQty: '9999',
  })
  const complete = async () =>
    (await change(officer, order.id, { status: 'completed', paidAmount: '0.00000001', reason: 'Paid.' })).body
      .status
  const editor = await aSignedInMember(started, { manage_coins: 2 })
  await aSignedInMember(started, { manage_coins: 2 })
  await call(api.updateSaleSettings, { body: { ...(await saleOf(editor)), payMethods: [] } }, as(editor))
  expect(await complete()).toBe('pending')
})
void services
