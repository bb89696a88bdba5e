import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { moveDeadline, orderMailsTo } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder, bankMapping, importStatement, linesAbout } from '#tests/statements.ts'
import { enforceDeadlines } from '../deadline-worker.ts'

/* A member can reclaim money that was received for a canceled order and is still the order's own, and nothing else. */

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call, mailsTo, services } = started
const anOfficer = () => aSignedInMember(started, { manage_finance: 2 })
const [first, second] = [await anOfficer(), await anOfficer()]
const as = ({ token }: TestMember) => ({ token })
const refundAddress = 'DE02 1203 0000 0000 2020 51'
const paidOn = new Date().toISOString().slice(0, 10)

const update = (id: string, body: object, by = first) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, as(by))
const rightOf = async (member: TestMember, id: string) =>
  (await call(api.getWithdrawalRight, { params: { id } }, as(member))).body
const withdraw = (member: TestMember, id: string) =>
  call(api.requestWithdrawal, { params: { id }, body: { refundAddress } }, as(member))
const consoleOrder = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, as(second))).body
const openRefund = (id: string) =>
  call(api.openRefund, { params: { id }, body: { refundAddress, reason: 'As agreed.' } }, as(second))
const decide = async (id: string, by: TestMember, amount?: string) => {
  const { body } = await call(api.getConsoleWithdrawal, { params: { id } }, as(by))
  const params = { id: body.withdrawal!.id }
  if (amount === undefined) return call(api.acceptWithdrawal, { params, body: {} }, as(by))
  const refund = { amount, txId: `Refund of ${id}`, paidOn, reason: 'Agreed.' }
  return call(api.recordRefund, { params, body: refund }, as(by))
}
const removed = { paidAmount: null, txId: null, reason: 'It was for another order.' }

async function anOrderWithPayment() {
  const member = await aSignedInMember(started)
  const { id, reference } = await aBankOrder(started, member)
  const txId = `Transfer ${reference}`
  expect((await update(id, { paidAmount: '100', txId, reason: 'Seen.' })).status).toBe(200)
  return { id, reference, member, txId }
}
async function move({ id, txId }: { id: string; txId: string }) {
  const other = await aBankOrder(started, await aSignedInMember(started))
  expect((await update(id, removed)).status).toBe(200)
  const moved = { paidAmount: '100', txId, sharesTransaction: true, reason: 'Moved.' }
  expect((await update(other.id, moved)).status).toBe(200)
}

test('a payment that finance moved to another order is not refunded for the canceled one', async () => {
  const order = await anOrderWithPayment()
  const { id, member } = order
  await move(order)
  await moveDeadline(started, id, -60)
  await enforceDeadlines(services)
  expect(await orderMailsTo(started, member)).toContain('order-unpaid')
  expect(await rightOf(member, id)).toMatchObject({ canRequest: false, isUnpaid: false })
  expect((await withdraw(member, id)).problem.code).toBe('conflict')
  expect((await consoleOrder(id)).canRefund).toBe(false)
  expect((await openRefund(id)).problem.code).toBe('conflict')
})

test('a payment that finance removes during a withdrawal is refunded only once it is recorded again', async () => {
  const order = await anOrderWithPayment()
  const { id, member } = order
  expect((await withdraw(member, id)).body.state).toBe('requested')
  await move(order)
  const { body } = await call(api.getConsoleWithdrawal, { params: { id } }, as(second))
  expect(body.withdrawal).toMatchObject({ amount: '0', amountIs: 'received' })
  for (const by of [first, second]) await decide(id, by)
  expect((await decide(id, first, '100')).problem.errors).toMatchObject([
    { path: 'amount', code: 'too_much' },
  ])
  expect((await update(id, { paidAmount: '100', reason: 'Another payment.' })).status).toBe(200)
  for (const by of [first, second]) await decide(id, by, '100')
  expect((await rightOf(member, id)).withdrawal?.state).toBe('refunded')
})

const today = `${paidOn}T00:00:00.000Z`

test.each([null, '0'])('the date of a payment is removed with its amount: %j', async (paidAmount) => {
  const { id, member } = await anOrderWithPayment()
  expect((await update(id, { paidAt: today })).status).toBe(200)
  // A form may send the date back unchanged.
  expect((await update(id, { ...removed, paidAmount, paidAt: today })).status).toBe(200)
  expect(await consoleOrder(id)).toMatchObject({ paidAmount, paidAt: null })
  expect((await update(id, { status: 'cancelled', reason: 'It was moved.' })).status).toBe(200)
  expect((await rightOf(member, id)).canRequest).toBe(false)
})

test('the date left from a removed payment promises no refund, and the withdrawal can be closed', async () => {
  const { id, member } = await anOrderWithPayment()
  expect((await withdraw(member, id)).body.state).toBe('requested')
  await update(id, removed)
  // Earlier versions left the date when the amount was removed.
  await services.db.updateTable('token_order').set({ paid_at: new Date() }).where('id', '=', id).execute()
  const { body } = await call(api.getConsoleWithdrawal, { params: { id } }, as(second))
  const params = { id: body.withdrawal!.id }
  for (const by of [first, second])
    await call(api.closeWithdrawal, { params, body: { reason: 'It was for another order.' } }, as(by))
  expect(await rightOf(member, id)).toMatchObject({ canRequest: false, withdrawal: { state: 'unpaid' } })
})

test('a date that finance recorded without ever knowing an amount counts as received', async () => {
  const member = await aSignedInMember(started)
  const { id } = await aBankOrder(started, member)
  await update(id, { paidAt: today })
  await update(id, { status: 'cancelled', reason: 'As agreed.' })
  expect((await mailsTo(member.email)).at(-1)!.kind).toBe('order-cancelled-paid')
  expect((await rightOf(member, id)).canRequest).toBe(true)
})

test('finance can still end a large pending order whose payment it removed', async () => {
  const { id } = await aBankOrder(started, await aSignedInMember(started), { fabQty: '60000' })
  await update(id, { paidAmount: '100', reason: 'Seen.' })
  await update(id, removed)
  expect(await consoleOrder(id)).toMatchObject({ cancellingNeeds: 'withdrawal', canRefund: true })
  expect((await openRefund(id)).status).toBe(200)
})

test('nothing was received for a gift, even if its completion has a date', async () => {
  const member = await aSignedInMember(started)
  const { id } = await aBankOrder(started, member)
  const gift = { status: 'completed', paidAmount: '0', paidAt: `${paidOn}T00:00:00.000Z`, reason: 'A prize.' }
  await update(id, gift)
  expect((await update(id, { status: 'completed', reason: 'A prize.' }, second)).body.status).toBe(
    'completed',
  )
  expect((await rightOf(member, id)).canRequest).toBe(false)
  expect((await withdraw(member, id)).problem.code).toBe('conflict')
})

const withStatus = { ...bankMapping, columns: { ...bankMapping.columns, status: 3 } }

test.each([
  ['of a failed payment', 'failed', paidOn],
  ['without a date', 'completed', ''],
])('an open line %s promises no refund of the canceled order that it names', async (_, status, date) => {
  const member = await aSignedInMember(started)
  const { id, reference } = await aBankOrder(started, member)
  await call(api.cancelOrder, { params: { id }, body: null }, as(member))
  const text = `Date;Amount;Purpose;State\n${date};100.00;${reference};${status}\n`
  await importStatement(started, first, text, withStatus)
  expect((await linesAbout(started, first, reference)).length).toBe(1)
  expect((await rightOf(member, id)).canRequest).toBe(false)
  expect((await withdraw(member, id)).problem.code).toBe('conflict')
  expect((await consoleOrder(id)).canRefund).toBe(false)
})

test('the member is emailed and can request the refund once finance assigns the line', async () => {
  const member = await aSignedInMember(started)
  const { id, reference } = await aBankOrder(started, member)
  await call(api.cancelOrder, { params: { id }, body: null }, as(member))
  await importStatement(started, first, `Date;Amount;Purpose\n;100.00;${reference}\n`, bankMapping)
  const [line] = await linesAbout(started, first, reference)
  const assigned = { params: { id: line!.id }, body: { reference, reason: 'Seen in the account.' } }
  expect((await call(api.assignStatementLine, assigned, as(second))).status).toBe(200)
  expect((await orderMailsTo(started, member)).at(-1)).toBe('order-paid-cancelled')
  expect((await rightOf(member, id)).canRequest).toBe(true)
  expect((await withdraw(member, id)).body.state).toBe('requested')
})

async function aRefundedLine() {
  const member = await aSignedInMember(started)
  const { id, reference } = await aBankOrder(started, member)
  await importStatement(started, first, `Date;Amount;Purpose\n;100.00;${reference}\n`, bankMapping)
  expect((await withdraw(member, id)).body.state).toBe('requested')
  await decide(id, second)
  for (const by of [first, second]) await decide(id, by, '100')
  expect((await rightOf(member, id)).withdrawal?.state).toBe('refunded')
  return { id, reference, member }
}

test.each(['assigns the line', 'records the amount', 'records the amount and the transaction'])(
  'no email asks the member to request a refund that was recorded before finance %s',
  async (how) => {
    const { id, reference, member } = await aRefundedLine()
    const before = (await mailsTo(member.email)).length
    const [line] = await linesAbout(started, first, reference)
    const assigned = { params: { id: line!.id }, body: { reference, reason: 'For the books.' } }
    const txId = how.endsWith('transaction') ? { txId: `Transfer ${reference}` } : {}
    const done = await (how.startsWith('assigns')
      ? call(api.assignStatementLine, assigned, as(first))
      : update(id, { paidAmount: '100', reason: 'For the books.', ...txId }))
    expect(done.status).toBe(200)
    expect((await rightOf(member, id)).canRequest).toBe(false)
    expect((await mailsTo(member.email)).slice(before)).toEqual([])
  },
)

test('the email about a canceled order with an open withdrawal doesn’t ask for another request', async () => {
  const { id, member } = await anOrderWithPayment()
  expect((await withdraw(member, id)).body.state).toBe('requested')
  const cancelled = { status: 'cancelled', reason: 'As requested.' }
  expect((await update(id, cancelled, second)).body.status).toBe('cancelled')
  const mail = (await mailsTo(member.email)).at(-1)!
  expect(mail.kind).toBe('order-cancelled-paid')
  expect(mail.text.replaceAll(/\s+/g, ' ')).toContain(
    'If you’ve already requested it, you don’t need to do anything.',
  )
})
