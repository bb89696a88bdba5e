import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi, staffDecides } from '#tests/setup/start-api.ts'

/* Money for a canceled order whose withdrawal was closed without a refund. */

const started = await startApi({ ...staffDecides, WITHDRAWAL_DAYS: '14' }, afterAll)
const { call, services } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
const refundAddress = 'DE02 1203 0000 0000 2020 51'
const as = ({ token }: TestMember) => ({ token })

async function aBankOrder() {
  const member = await aSignedInMember(started)
  const values = { payMethod: 'Bank', currency: 'EUR', fabQty: '10', amount: '100', fabAddress: '' }
  const { id } = await anOrder(started, member.id, values)
  return { id, member }
}
const update = (id: string, body: object) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, as(finance))
const withdraw = ({ id, member }: { id: string; member: TestMember }, address: string) =>
  call(api.requestWithdrawal, { params: { id }, body: { refundAddress: address } }, as(member))
const stateOf = async (id: string) =>
  (await call(api.getConsoleWithdrawal, { params: { id } }, as(finance))).body.withdrawal!

async function anUnpaidWithdrawalPaidLate() {
  const order = await aBankOrder()
  expect((await withdraw(order, '')).body.state).toBe('unpaid')
  const { id } = order
  expect((await update(id, { paidAmount: '100', reason: 'It came a day later.' })).status).toBe(200)
  return order
}
async function aDeclinedWithdrawalOfACanceledOrder() {
  const order = await aBankOrder()
  const { id } = order
  await update(id, { paidAmount: '100', reason: 'Seen in the account.' })
  expect((await withdraw(order, refundAddress)).body.state).toBe('requested')
  const { id: withdrawalId } = await stateOf(id)
  await call(
    api.refuseWithdrawal,
    { params: { id: withdrawalId }, body: { reason: 'Too late.' } },
    as(finance),
  )
  expect((await update(id, { status: 'cancelled', reason: 'Wrong buyer.' })).body.status).toBe('cancelled')
  return order
}

test.each([
  ['the payment came after the order was withdrawn unpaid', anUnpaidWithdrawalPaidLate],
  ['finance canceled the order after it declined the withdrawal', aDeclinedWithdrawalOfACanceledOrder],
])('a member requests the refund if %s', async (_, anOrderWithMoney) => {
  const order = await anOrderWithMoney()
  const { id, member } = order
  const right = () => call(api.getWithdrawalRight, { params: { id } }, as(member))
  expect((await right()).body.canRequest).toBe(true)
  expect((await withdraw(order, refundAddress)).body).toMatchObject({ state: 'requested', reason: '' })
  expect((await right()).body.canRequest).toBe(false)
  const { body: open } = await call(api.listConsoleWithdrawals, { query: { flag: 'open' } }, as(finance))
  expect(open.map(({ orderId }) => orderId)).toContain(id)
})

test('finance starts the refund of a late payment', async () => {
  const { id } = await anUnpaidWithdrawalPaidLate()
  const body = { refundAddress, reason: 'The payment came late.' }
  expect((await call(api.openRefund, { params: { id }, body }, as(finance))).status).toBe(200)
  expect((await stateOf(id)).state).toBe('requested')
  expect((await call(api.openRefund, { params: { id }, body }, as(finance))).status).toBe(409)
})

test('a withdrawal from an unpaid order stays closed without a payment', async () => {
  const order = await aBankOrder()
  await withdraw(order, '')
  expect((await withdraw(order, refundAddress)).status).toBe(409)
})

test('a member requests a refund at most 3 times in 30 days', async () => {
  const order = await aDeclinedWithdrawalOfACanceledOrder()
  const { id, member } = order
  const canRequest = async () =>
    (await call(api.getWithdrawalRight, { params: { id } }, as(member))).body.canRequest
  const decline = async () => {
    const params = { id: (await stateOf(id)).id }
    await call(api.refuseWithdrawal, { params, body: { reason: 'Not yours.' } }, as(finance))
  }
  // The first of the three was declined before the order was canceled.
  for (let round = 2; round <= 3; round += 1) {
    expect(await canRequest()).toBe(true)
    expect((await withdraw(order, refundAddress)).body.state).toBe('requested')
    await decline()
  }
  expect(await canRequest()).toBe(false)
  const { status, problem, headers } = await withdraw(order, refundAddress)
  expect([status, problem.code]).toEqual([429, 'rate_limited'])
  expect(Number(headers['retry-after'])).toBeGreaterThan(29 * 24 * 3600)
  expect((await stateOf(id)).state).toBe('refused')
  await sql`update order_step set at = at - interval '30 days' where order_id = ${id}`.execute(services.db)
  expect(await canRequest()).toBe(true)
  expect((await withdraw(order, refundAddress)).body.state).toBe('requested')
})

test('finance keeps the address of a declined withdrawal, and the member can replace it', async () => {
  const order = await aDeclinedWithdrawalOfACanceledOrder()
  const open = (more: object) =>
    call(api.openRefund, { params: { id: order.id }, body: { reason: 'As agreed.', ...more } }, as(finance))
  expect((await open({ refundAddress: 'DE99 9999' })).problem.errors).toMatchObject([
    { path: 'refundAddress', code: 'mismatch' },
  ])
  expect((await open({})).status).toBe(200)
  const right = await call(api.getWithdrawalRight, { params: { id: order.id } }, as(order.member))
  expect(right.body.canRequest).toBe(true)
  const other = { state: 'requested', refundAddress: 'DE99 9999' }
  expect((await withdraw(order, 'DE99 9999')).body).toMatchObject(other)
  // The member's own address stays.
  expect((await withdraw(order, refundAddress)).problem.code).toBe('conflict')
})
