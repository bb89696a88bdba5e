import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBankOrder, importStatement, linesAbout } from '#tests/statements.ts'
import { startApi } from '#tests/setup/start-api.ts'

/* Replacing the transaction of a paid order would hide that its payment was returned. */

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '10000', WITHDRAWAL_DAYS: '14' }, afterAll)
const { call, services } = started
const mapping: StatementMapping = {
  columns: { date: 0, amount: 1, reference: 2, txId: 3 },
  currency: 'EUR',
  numbers: 'point',
  dates: 'iso',
}
const reason = 'A typing error.'
const aTxId = () => `BANK${randomBytes(8).toString('hex').toUpperCase()}`
const today = () => new Date().toISOString().slice(0, 10)
let [officer, colleague, member] = [] as unknown as [TestMember, TestMember, TestMember]
let order: { id: string; reference: string }
let txId: string

const report = (given: string, id = order.id, by = member) =>
  call(api.reportPayment, { params: { id }, body: { txId: given } }, { token: by.token })
const update = (body: object, by = officer) =>
  call(api.updateOrder, { body: { _id: order.id, ...body } }, { token: by.token })
const state = () =>
  services.db
    .selectFrom('token_order')
    .select(['tx_id', 'status', 'updated_at'])
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow()
const statement = (amount: string, purpose: string, transaction = txId) =>
  importStatement(
    started,
    officer,
    `date,amount,purpose,tx\n${today()},${amount},${purpose},${transaction}\n`,
    mapping,
  )

beforeEach(async () => {
  officer = await aSignedInMember(started, { manage_finance: 2 })
  colleague = await aSignedInMember(started, { manage_finance: 2 })
  member = await aSignedInMember(started)
  order = await aBankOrder(started, member)
  txId = aTxId()
})

test('a member does not hide a returned payment with another transaction', async () => {
  await report(txId)
  await statement('100.00', `pay ${order.reference}`)
  const before = await state()
  expect(await report(aTxId())).toMatchObject({ status: 409, problem: { code: 'conflict' } })
  expect(await state()).toEqual(before)
  expect((await report(txId)).status).toBe(200)
  await statement('-100.00', 'return of payment')
  expect(await linesAbout(started, officer, txId)).toMatchObject([{ problem: 'returned' }])
  expect((await report(aTxId())).status).toBe(409)
  expect((await update({ status: 'completed' })).status).toBe(409)
  expect((await state()).status).toBe('pending')
})

test.each(['100.00', null])(
  'the payment of a statement stays with its order, removed: %s',
  async (paidAmount) => {
    await statement('100.00', `pay ${order.reference}`)
    await update({ paidAmount, ...(paidAmount === null && { paidAt: null, reason }) })
    expect((await report(aTxId())).status).toBe(409)
    const other = await aSignedInMember(started)
    const { id } = await aBankOrder(started, other)
    expect(await report(txId, id, other)).toMatchObject({ status: 409, problem: { code: 'conflict' } })
  },
)

test('staff do not replace the transaction of a paid order that isn’t completed', async () => {
  await report(txId)
  await update({ paidAmount: '100' })
  for (const change of [
    { txId: aTxId() },
    { txId: null },
    { txId: aTxId(), paidAmount: null, paidAt: null },
  ]) {
    const refused = await update({ ...change, reason }, colleague)
    expect(refused.status).toBeGreaterThanOrEqual(400)
    if (!('paidAmount' in change))
      expect(refused.problem.errors).toMatchObject([{ path: 'txId', code: 'payment_received' }])
  }
  expect(await state()).toMatchObject({ tx_id: txId, status: 'pending' })
})

test('after the recorded payment is removed, completing takes two', async () => {
  await report(txId)
  await update({ paidAmount: '100' }, colleague)
  await update({ paidAmount: null, reason })
  expect((await update({ txId: aTxId(), reason })).status).toBe(200)
  const third = await aSignedInMember(started, { manage_finance: 2 })
  await update({ paidAmount: '100' }, third)
  await update({ status: 'completed' }, third)
  expect((await state()).status).toBe('pending')
  await update({ status: 'completed' }, colleague)
  expect((await state()).status).toBe('completed')
})

test('after the recorded payment is removed and recorded again, refunding takes two', async () => {
  await report(txId)
  await update({ paidAmount: '100' }, colleague)
  await update({ paidAmount: null, reason })
  await update({ txId: aTxId(), reason })
  await update({ paidAmount: '100' }, colleague)
  const { body } = await call(
    api.requestWithdrawal,
    { params: { id: order.id }, body: {} },
    { token: member.token },
  )
  const accept = (by: TestMember) =>
    call(api.acceptWithdrawal, { params: { id: body.id }, body: {} }, { token: by.token })
  expect((await accept(officer)).body.state).toBe('requested')
  expect((await accept(colleague)).body.state).toBe('accepted')
})

test('a payment recorded without a transaction gets one', async () => {
  await update({ paidAmount: '100' })
  expect((await report(txId)).body.txId).toBe(txId)
  expect((await report(aTxId())).status).toBe(409)
  order = await aBankOrder(started, member)
  await update({ paidAmount: '100' })
  expect((await update({ txId: aTxId() })).status).toBe(200)
})
