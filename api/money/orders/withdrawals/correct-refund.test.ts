import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { orderMailsTo } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({ WITHDRAWAL_DAYS: '14' }, afterAll)
const { call, services } = started
const first = await aSignedInMember(started, { manage_finance: 2 })
const second = await aSignedInMember(started, { manage_finance: 2 })
const paidOn = new Date().toISOString().slice(0, 10)
let counter = 0
const aTx = () => `0x${(++counter).toString(16).padStart(64, '0')}`

async function anAcceptedWithdrawal() {
  const member = await aSignedInMember(started)
  const order = await anOrder(started, member.id, { txId: aTx(), fabQty: '10', paidAmount: '1.5' })
  const body = { refundAddress: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb' }
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

test('tells whether replacing a refund requires four-eyes approval', async () => {
  const strict = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
  const [one, other] = [
    await aSignedInMember(strict, { manage_finance: 2 }),
    await aSignedInMember(strict, { manage_finance: 2 }),
  ]
  const member = await aSignedInMember(strict)
  const order = await anOrder(strict, member.id, { txId: aTx(), fabQty: '10', paidAmount: '1.5' })
  const body = { refundAddress: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb' }
  const at = { params: { id: order.id } }
  const { id } = (await strict.call(api.requestWithdrawal, { ...at, body }, { token: member.token })).body
  const act = { params: { id } }
  await strict.call(api.acceptWithdrawal, { ...act, body: {} }, { token: one.token })
  const paid = { amount: '1.5', txId: aTx(), paidOn }
  await strict.call(api.recordRefund, { ...act, body: paid }, { token: one.token })
  const replaceTakesTwo = async (by: TestMember) =>
    (await strict.call(api.getConsoleWithdrawal, at, { token: by.token })).body.withdrawal!.replaceTakesTwo
  expect([await replaceTakesTwo(one), await replaceTakesTwo(other)]).toEqual([false, true])
})

test('keeps the replaced transaction and amount, and the transaction still pays no order', async () => {
  const { orderId, id } = await anAcceptedWithdrawal()
  const [former, txId, last] = [aTx(), aTx(), aTx()]
  let { updatedAt } = (await refund(first, id, { txId: former })).body
  const reason = 'Typing error.'
  ;({ updatedAt } = (await refund(first, id, { txId, amount: '1.2', reason, updatedAt })).body)
  expect((await refund(first, id, { txId: last, amount: '1.2', reason, updatedAt })).status).toBe(200)
  const by = { token: first.token }
  const { steps } = (await call(api.getConsoleOrder, { params: { id: orderId } }, by)).body
  expect(steps.filter(({ kind }) => kind === 'refunded').map(({ changes }) => changes)).toEqual([
    [],
    [
      { field: 'refundAmount', before: '1.5 ETH', after: '1.2 ETH' },
      { field: 'refundTxId', before: former, after: txId },
    ],
    [{ field: 'refundTxId', before: txId, after: last }],
  ])
  const audited = await services.db
    .selectFrom('audit_entry')
    .select('detail')
    .where('subject_id', '=', orderId)
    .where('action', '=', 'withdrawal-refunded')
    .orderBy('id')
    .execute()
  expect(audited[1]?.detail).toMatchObject({
    changes: ['refundAmount: 1.5 ETH → 1.2 ETH', `refundTxId: ${former} → ${txId}`],
  })
  const member = await aSignedInMember(started)
  for (const used of [former, txId, last]) {
    const order = await anOrder(started, member.id, { fabQty: '10', payMethod: 'ETH', payChain: 'ethereum' })
    const body = { _id: order.id, txId: used.toUpperCase().replace('0X', '0x'), paidAmount: '1.5' }
    expect((await call(api.updateOrder, { body }, by)).problem.errors).toMatchObject([{ code: 'tx_used' }])
  }
})
