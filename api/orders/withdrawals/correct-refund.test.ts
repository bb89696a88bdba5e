import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { orderMailsTo } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({ WITHDRAWAL_DAYS: '14' }, afterAll)
const { call } = started
const first = await aSignedInMember(started, { manage_finance: 2 })
const second = await aSignedInMember(started, { manage_finance: 2 })
const paidOn = new Date().toISOString().slice(0, 10)
let counter = 0
const aTx = () => `0x${(++counter).toString(16).padStart(64, '0')}`

async function anAcceptedWithdrawal() {
  const member = await aSignedInMember(started)
  const order = await anOrder(started, member.id, { txId: aTx(), fabQty: '10', paidAmount: '1.5' })
  const body = { refundAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }
  const { id } = (
    await call(api.requestWithdrawal, { params: { id: order.id }, body }, { token: member.token })
  ).body
  await call(api.acceptWithdrawal, { params: { id }, body: {} }, { token: first.token })
  return { member, orderId: order.id, id }
}
const refund = (by: TestMember, id: string, body: object = {}) =>
  call(
    api.recordRefund,
    { params: { id }, body: { amount: '1.5', txId: aTx(), paidOn, ...body } },
    { token: by.token },
  )
const read = async (orderId: string) =>
  (await call(api.getConsoleWithdrawal, { params: { id: orderId } }, { token: first.token })).body.withdrawal!

test('a refund recorded in two tabs is stored once', async () => {
  const { member, orderId, id } = await anAcceptedWithdrawal()
  const { updatedAt } = await read(orderId)
  const answers = await Promise.all([refund(first, id, { updatedAt }), refund(second, id, { updatedAt })])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await orderMailsTo(started, member)).filter((kind) => kind === 'order-refunded')).toHaveLength(1)
  // Without the version, the second officer would overwrite a refund they haven't seen.
  expect((await refund(second, id)).problem.code).toBe('conflict')
  const seen = await read(orderId)
  expect((await refund(second, id, { updatedAt: seen.updatedAt })).problem.errors?.[0]).toMatchObject({
    path: 'reason',
    code: 'required',
  })
})

test('rejects concurrent corrections of a refund that do not name the version they replace', async () => {
  const { member, orderId, id } = await anAcceptedWithdrawal()
  await refund(first, id)
  const { updatedAt } = await read(orderId)
  const correct = (amount: string, version: { updatedAt?: string }) =>
    refund(second, id, { amount, reason: 'Typing error.', ...version })
  const blind = await Promise.all(['1.1', '1.2', '1.3', '1.4', '1.6'].map((amount) => correct(amount, {})))
  expect(blind.map(({ problem }) => problem.code)).toEqual(Array(5).fill('conflict'))
  const seen = await Promise.all(['1.1', '1.2', '1.3'].map((amount) => correct(amount, { updatedAt })))
  expect(seen.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect((await orderMailsTo(started, member)).filter((kind) => kind === 'order-refunded')).toHaveLength(2)
})
