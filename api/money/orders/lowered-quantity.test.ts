import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '10000' }, afterAll)
const { call } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const colleague = await aSignedInMember(started, { manage_finance: 2 })
const refundAddress = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const reason = 'As agreed.'
let counter = 0
const aTx = () => `0x${(++counter).toString(16).padStart(64, '0')}`
const update = (id: string, body: object, by: TestMember = officer) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, { token: by.token })
const lower = (id: string, fabQty: string | null = '9999') =>
  update(id, { fabQty, confirmsQuantity: true, reason })

async function aLargeOrder() {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { fabQty: '1000000', amount: '100', txId: aTx() })
  await update(id, { paidAmount: '100', reason }, colleague)
  return { id, member }
}
async function aWithdrawal() {
  const { id, member } = await aLargeOrder()
  const { body } = await call(
    api.requestWithdrawal,
    { params: { id }, body: { refundAddress } },
    { token: member.token },
  )
  return { orderId: id, params: { id: body.id } }
}
const by = { token: officer.token }

test('a withdrawal needs two approvals after the quantity of its order was lowered', async () => {
  const accepted = await aWithdrawal()
  expect((await lower(accepted.orderId)).status).toBe(200)
  expect(await call(api.acceptWithdrawal, { params: accepted.params, body: {} }, by)).toMatchObject({
    body: { state: 'requested', takesTwo: true },
  })
  // Lowering it in steps or clearing it doesn't help either.
  const refused = await aWithdrawal()
  for (const fabQty of ['20000', '5', null, '9999']) await lower(refused.orderId, fabQty)
  const answer = await call(api.refuseWithdrawal, { params: refused.params, body: { reason } }, by)
  expect(answer.body.state).toBe('requested')
  expect((await update(refused.orderId, { fabQty: '1000000', confirmsQuantity: true, reason })).status).toBe(
    200,
  )
})

test('a refund needs two approvals after the quantity of its order was lowered', async () => {
  const { orderId, params } = await aWithdrawal()
  await call(api.acceptWithdrawal, { params, body: {} }, by)
  await call(api.acceptWithdrawal, { params, body: {} }, { token: colleague.token })
  await lower(orderId)
  const body = { amount: '100', txId: aTx(), paidOn: new Date().toISOString().slice(0, 10), reason }
  expect((await call(api.recordRefund, { params, body }, by)).body.state).toBe('accepted')
  expect((await call(api.recordRefund, { params, body }, { token: colleague.token })).body.state).toBe(
    'refunded',
  )
})

test('an order with a lowered quantity needs two approvals, and its page says so', async () => {
  const { id } = await aLargeOrder()
  await lower(id)
  const { body } = await call(api.getConsoleOrder, { params: { id } }, by)
  expect(body).toMatchObject({ secondPersonCause: 'quantity' })
  expect((await update(id, { status: 'completed' })).body.status).toBe('pending')
  expect((await update(id, { status: 'completed' }, colleague)).body.status).toBe('completed')
})

test('a quantity that was only proposed does not count', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { fabQty: '10', amount: '1', paidAmount: '1' })
  await update(id, { status: 'completed' })
  await update(id, { fabQty: '500000', confirmsQuantity: true, reason })
  const made = await call(
    api.requestWithdrawal,
    { params: { id }, body: { refundAddress } },
    { token: member.token },
  )
  expect((await call(api.acceptWithdrawal, { params: { id: made.body.id }, body: {} }, by)).body.state).toBe(
    'accepted',
  )
})

test('a cleared quantity counts as corrected, so it cannot be set while completing', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { fabQty: '10', amount: '1.5', paidAmount: '1.5' })
  expect((await lower(id, null)).status).toBe(200)
  const fill = { fabQty: '9999', confirmsQuantity: true }
  expect((await update(id, fill)).problem.errors).toMatchObject([{ path: 'reason', code: 'required' }])
  expect((await update(id, { ...fill, status: 'completed', reason })).problem.errors).toMatchObject([
    { path: 'fabQty', code: 'separately' },
  ])
})
