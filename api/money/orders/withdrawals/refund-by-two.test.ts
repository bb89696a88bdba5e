import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const colleague = await aSignedInMember(started, { manage_finance: 2 })
const paidOn = new Date().toISOString().slice(0, 10)
let counter = 0
const aTx = () => `0x${(++counter).toString(16).padStart(64, '0')}`

async function anAccepted(paidAmount: string | null, recordedBy?: TestMember) {
  const member = await aSignedInMember(started)
  const { id: orderId } = await anOrder(started, member.id, { txId: aTx(), fabQty: '10', paidAmount })
  if (recordedBy)
    await call(
      api.updateOrder,
      { body: { _id: orderId, paidAmount: '1.4', reason: 'Counted.' } },
      { token: recordedBy.token },
    )
  const body = { refundAddress: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb' }
  const { id } = (
    await call(api.requestWithdrawal, { params: { id: orderId }, body }, { token: member.token })
  ).body
  await call(api.acceptWithdrawal, { params: { id }, body: {} }, { token: officer.token })
  return id
}
const refund = (by: TestMember, id: string, body: object) =>
  call(
    api.recordRefund,
    { params: { id }, body: { txId: aTx(), paidOn, reason: 'Agreed.', amount: '1.5', ...body } },
    { token: by.token },
  )

test('refunds at most the received amount, or the amount due if none was recorded', async () => {
  for (const paid of ['1.5', null])
    expect((await refund(officer, await anAccepted(paid), { amount: '1.51' })).problem.errors).toMatchObject([
      { path: 'amount', code: 'too_much' },
    ])
})

test.each([
  ['more than was due', '2', { amount: '2' }],
  ['another coin', '1.5', { currency: 'BTC' }],
  ['what nobody recorded as received', null, {}],
])('a refund of %s takes two', async (_, paid, body) => {
  const id = await anAccepted(paid)
  const same = { txId: aTx(), ...body }
  expect((await refund(officer, id, same)).body.state).toBe('accepted')
  expect((await refund(officer, id, same)).problem.errors).toMatchObject([{ code: 'second_person' }])
  expect((await refund(colleague, id, same)).body.state).toBe('refunded')
})

test('rejects a repeated approval before asking for step-up', async () => {
  const hasty = await aSignedInMember(started, { manage_finance: 2 })
  const id = await anAccepted(null)
  const same = { txId: aTx() }
  await refund(hasty, id, same)
  await letProofAge(started, hasty)
  expect((await refund(hasty, id, same)).problem.errors).toMatchObject([{ code: 'second_person' }])
  expect((await refund(hasty, id, { txId: aTx() })).problem.code).toBe('step_up_required')
})

test('an officer cannot refund alone what they recorded as received', async () => {
  const id = await anAccepted(null, officer)
  expect((await refund(officer, id, { amount: '1.4' })).body.state).toBe('accepted')
  expect((await refund(colleague, id, { amount: '1.4' })).body.state).toBe('refunded')
})

test('of two concurrent refunds with one transaction, the second needs a reason, in any spelling', async () => {
  for (let n = 0; n < 3; n += 1) {
    const [one, two] = [await anAccepted('1.5'), await anAccepted('1.5')]
    const txId = aTx()
    const answers = await Promise.all([
      refund(officer, one, { txId, reason: '' }),
      refund(colleague, two, { txId: txId.toUpperCase().replace('0X', '0x'), reason: '' }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  }
})

test('replacing a refund that a colleague recorded takes two, but correcting one’s own does not', async () => {
  const id = await anAccepted('1.5')
  let { updatedAt } = (await refund(officer, id, {})).body
  ;({ updatedAt } = (await refund(officer, id, { amount: '1.4', updatedAt })).body)
  const body = { txId: aTx(), amount: '0.1' }
  const proposed = (await refund(colleague, id, { ...body, updatedAt })).body
  expect(proposed).toMatchObject({
    refundedBy: { id: officer.id },
    withdrawal: { refund: { amount: '1.4' } },
    proposal: { act: 'refund', by: { id: colleague.id } },
  })
  ;({ updatedAt } = proposed)
  const again = await refund(colleague, id, { ...body, updatedAt })
  expect(again.problem.errors).toMatchObject([{ code: 'second_person' }])
  const replaced = (await refund(officer, id, { ...body, updatedAt })).body
  expect(replaced).toMatchObject({ withdrawal: { refund: { amount: '0.1' } }, proposal: null })
  // The record now rests on both, so neither can change it alone.
  const alone = (await refund(officer, id, { amount: '0.2', updatedAt: replaced.updatedAt })).body
  expect(alone).toMatchObject({ withdrawal: { refund: { amount: '0.1' } }, proposal: { act: 'refund' } })
})

test('audits a proposed refund with its amount and transaction', async () => {
  const id = await anAccepted(null)
  const txId = aTx()
  await refund(officer, id, { txId })
  const { detail } = await started.services.db
    .selectFrom('audit_entry')
    .select('detail')
    .where('action', '=', 'withdrawal-proposed')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(detail).toEqual({ act: 'refund', refund: '1.5 ETH', changes: [`refundTxId: – → ${txId}`] })
})

test('every step of a withdrawal takes two if staff entered the order', async () => {
  const member = await aSignedInMember(started)
  const values = { memberId: member.id, amount: '40', fabQty: '1', payMethod: 'ETH', status: 'cancelled' }
  const entered = await call(api.createOrder, { body: values }, { token: officer.token })
  const { _id } = entered.body
  await call(
    api.updateOrder,
    { body: { _id, paidAmount: '40', reason: 'Came late.' } },
    { token: officer.token },
  )
  const body = { refundAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }
  const { id } = (await call(api.requestWithdrawal, { params: { id: _id }, body }, { token: member.token }))
    .body
  const accept = (by: TestMember) =>
    call(api.acceptWithdrawal, { params: { id }, body: {} }, { token: by.token })
  expect((await accept(colleague)).body).toMatchObject({ state: 'requested', takesTwo: true })
  expect((await accept(officer)).body.state).toBe('accepted')
  const same = { txId: aTx(), amount: '40' }
  expect((await refund(colleague, id, same)).body.state).toBe('accepted')
  expect((await refund(officer, id, same)).body.state).toBe('refunded')
})

test.each([
  ['the amount due', { amount: '1.6' }],
  ['the payment method', { payMethod: 'BTC' }],
])('a refund takes two if staff changed %s', async (_, change) => {
  const other = await aSignedInMember(started, { manage_finance: 2 })
  const member = await aSignedInMember(started)
  const { id: orderId } = await anOrder(started, member.id, { fabQty: '10' })
  const update = (by: TestMember, fields: object) =>
    call(api.updateOrder, { body: { _id: orderId, reason: 'Agreed.', ...fields } }, { token: by.token })
  expect((await update(officer, { ...change, confirmsQuantity: true })).status).toBe(200)
  expect(
    (await update(colleague, { paidAmount: '1.5', txId: 'payMethod' in change ? 'b'.repeat(64) : aTx() }))
      .status,
  ).toBe(200)
  const refundAddress =
    'payMethod' in change
      ? '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'
      : '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const { id } = (
    await call(
      api.requestWithdrawal,
      { params: { id: orderId }, body: { refundAddress } },
      { token: member.token },
    )
  ).body
  const accept = (by: TestMember) =>
    call(api.acceptWithdrawal, { params: { id }, body: {} }, { token: by.token })
  await accept(other)
  expect((await accept(colleague)).body.state).toBe('accepted')
  const same = { txId: 'payMethod' in change ? 'a'.repeat(64) : aTx() }
  expect((await refund(other, id, same)).body.state).toBe('accepted')
  expect((await refund(colleague, id, same)).body.state).toBe('refunded')
})

test('closing a withdrawal as unpaid takes two after its recorded payment was removed', async () => {
  const id = await anAccepted(null, colleague)
  const close = (by: TestMember) =>
    call(api.closeWithdrawal, { params: { id }, body: { reason: 'Nothing came.' } }, { token: by.token })
  expect((await close(officer)).problem.code).toBe('conflict')
  const { order_id: _id } = await started.services.db
    .selectFrom('order_withdrawal')
    .select('order_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await call(
    api.updateOrder,
    { body: { _id, paidAmount: null, reason: 'A mistake.' } },
    { token: officer.token },
  )
  expect((await close(officer)).body).toMatchObject({ state: 'accepted', takesTwo: true })
  expect((await close(officer)).problem.errors).toMatchObject([{ code: 'second_person' }])
  expect((await close(colleague)).body.state).toBe('unpaid')
})
