import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder, bankMapping, importStatement } from '#tests/statements.ts'

/* What was received for a completed order: the member sees the amount, and its transaction is corrected by two. */

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call } = started
const anOfficer = () => aSignedInMember(started, { manage_finance: 2 })
const [first, second] = [await anOfficer(), await anOfficer()]
const reason = 'It was mistyped.'
let count = 0
const aTransfer = () => `TRANSFER-${++count}-A`

const update = (by: TestMember, id: string, body: object) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, { token: by.token })
const detail = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: second.token })).body

async function aCompletedOrder(txId = '') {
  const { id, reference } = await aBankOrder(started, await aSignedInMember(started), {
    paidAmount: '100',
    txId,
  })
  expect((await update(second, id, { status: 'completed', reason })).body.status).toBe('completed')
  return { id, reference }
}

test.each([
  ['added', { hadOne: false, isRemoved: false }],
  ['replaced', { hadOne: true, isRemoved: false }],
  ['removed', { hadOne: true, isRemoved: true }],
])('a transaction is %s by two', async (_, { hadOne, isRemoved }) => {
  const [before, after] = [hadOne ? aTransfer() : '', isRemoved ? null : aTransfer()]
  const { id } = await aCompletedOrder(before)
  expect((await update(first, id, { txId: after })).problem.errors).toMatchObject([
    { path: 'reason', code: 'required' },
  ])
  expect((await update(first, id, { txId: after, reason })).body.txId).toBe(before)
  expect((await detail(id)).proposal).toMatchObject({
    counts: true,
    correction: [{ field: 'txId', before: before || null, after }],
  })
  expect((await update(first, id, { txId: after, reason })).problem.errors?.[0]).toMatchObject({
    path: 'txId',
    code: 'second_person',
  })
  expect((await update(second, id, { txId: after })).body.txId).toBe(after ?? '')
  expect((await detail(id)).paidAmount).toBe('100')
})

test('the payment and its transaction are removed together by two', async () => {
  const { id } = await aCompletedOrder(aTransfer())
  const nothing = { txId: null, paidAmount: null, reason }
  for (const by of [first, second]) expect((await update(by, id, nothing)).status).toBe(200)
  expect(await detail(id)).toMatchObject({ paidAmount: null, order: { txId: '', status: 'completed' } })
})

test('a transaction of another order needs the confirmation of both', async () => {
  const txId = aTransfer()
  await aCompletedOrder(txId)
  const { id } = await aCompletedOrder()
  expect((await update(first, id, { txId, reason })).problem.errors).toMatchObject([{ code: 'tx_used' }])
  const shared = { txId, sharesTransaction: true, reason: 'One transfer for two orders.' }
  expect((await update(first, id, shared)).body.txId).toBe('')
  expect((await update(second, id, { txId })).problem.errors).toMatchObject([{ code: 'tx_used' }])
  expect((await update(second, id, shared)).body).toMatchObject({ txId, sharesTransaction: true })
})

test('a transaction is not replaced while a statement shows that the payment was returned', async () => {
  const { id, reference } = await aCompletedOrder(aTransfer())
  const day = new Date().toISOString().slice(0, 10)
  await importStatement(started, first, `Date;Amount;Purpose\n${day};-100.00;${reference}\n`, bankMapping)
  expect((await update(first, id, { txId: aTransfer(), reason })).problem.code).toBe('conflict')
})

test('while four-eyes approval is off, the payment must be removed with its transaction', async () => {
  const alone = await startApi({ ORDER_TWO_PERSONS_FROM: 'off' }, afterAll)
  const officer = await aSignedInMember(alone, { manage_finance: 2 })
  const change = (id: string, body: object) =>
    alone.call(api.updateOrder, { body: { _id: id, reason, ...body } }, { token: officer.token })
  const { id } = await aBankOrder(alone, await aSignedInMember(alone), {
    paidAmount: '100',
    txId: aTransfer(),
  })
  expect((await change(id, { status: 'completed' })).body.status).toBe('completed')
  for (const txId of [null, aTransfer()])
    expect((await change(id, { txId })).problem.errors).toMatchObject([{ code: 'payment_received' }])
  expect((await change(id, { txId: null, paidAmount: null })).body.txId).toBe('')
  expect((await change(id, { txId: aTransfer(), paidAmount: '100' })).status).toBe(200)
})

test('the member sees the amount received for a completed order, such as 0 for a gift', async () => {
  const member = await aSignedInMember(started)
  const { id } = await aBankOrder(started, member)
  const gift = { status: 'completed', paidAmount: '0', reason: 'A prize.' }
  const payment = async () =>
    (await call(api.getOrderPayment, { params: { id } }, { token: member.token })).body
  expect((await update(first, id, gift)).body.status).toBe('pending')
  expect((await payment()).receivedAmount).toBeNull()
  await update(second, id, { status: 'completed', reason: 'A prize.' })
  expect(await payment()).toMatchObject({ status: 'completed', receivedAmount: '0' })
})
