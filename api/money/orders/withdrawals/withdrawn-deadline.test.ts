import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, moveDeadline, orderMailsTo } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder, bankMapping, importStatement, linesAbout } from '#tests/statements.ts'
import { enforceDeadlines } from '../deadline-worker.ts'

/* While a withdrawal or a refund is open, nothing is due: finance decides what happens to the order. */

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: 'off' }, afterAll)
const { call, services } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
const refundAddress = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const today = new Date().toISOString().slice(0, 10)
const aTxId = () => randomBytes(32).toString('hex')
const as = ({ token }: TestMember) => ({ token })

const update = (id: string, body: object) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, as(finance))
const statusOf = async (id: string) => (await call(api.getOrder, { params: { id } }, as(finance))).body.status
const withdrawalOf = async (id: string) =>
  (await call(api.getConsoleWithdrawal, { params: { id } }, as(finance))).body.withdrawal!
async function passDeadline(id: string) {
  for (const seconds of [60, -60]) {
    await moveDeadline(started, id, seconds)
    await enforceDeadlines(services)
  }
}

/** An order whose member withdrew after mistyping the transaction, which finance then removed. */
async function anUnpaidWithdrawal() {
  const member = await aBuyer(started)
  const { _id: id } = await anOrderOf(started, member)
  const params = { id }
  const reported = await call(api.reportPayment, { params, body: { txId: aTxId() } }, as(member))
  expect(reported.status).toBe(200)
  const asked = await call(api.requestWithdrawal, { params, body: { refundAddress } }, as(member))
  expect(asked.body.state).toBe('requested')
  expect((await update(id, { txId: null, reason: 'Not found.' })).status).toBe(200)
  return { id, member }
}

test('a member who has withdrawn isn’t reminded, and the order isn’t canceled as unpaid', async () => {
  const { id, member } = await anUnpaidWithdrawal()
  await passDeadline(id)
  const mails = await orderMailsTo(started, member)
  expect(mails).not.toContain('order-reminder')
  expect(mails).not.toContain('order-unpaid')
  expect([await statusOf(id), (await withdrawalOf(id)).withdrawal.state]).toEqual(['pending', 'requested'])
})

test('reporting a payment after the deadline doesn’t cancel the order either', async () => {
  const { id, member } = await anUnpaidWithdrawal()
  await moveDeadline(started, id, -60)
  const params = { id }
  await call(api.reportPayment, { params, body: { txId: aTxId() } }, as(member))
  expect([await statusOf(id), (await withdrawalOf(id)).withdrawal.state]).toEqual(['pending', 'requested'])
})

test('declining the withdrawal of an unpaid order starts a new payment period', async () => {
  const { id, member } = await anUnpaidWithdrawal()
  await moveDeadline(started, id, -60)
  const body = { reason: 'The period is over.' }
  const params = { id: (await withdrawalOf(id)).id }
  expect((await call(api.refuseWithdrawal, { params, body }, as(finance))).status).toBe(200)
  const { payBefore } = (await call(api.getOrder, { params: { id } }, as(member))).body
  expect(Date.parse(payBefore!)).toBeGreaterThan(Date.now() + services.config.orderPayTime - 60_000)
  await enforceDeadlines(services)
  expect(await statusOf(id)).toBe('pending')
  await passDeadline(id)
  expect(await statusOf(id)).toBe('cancelled')
  expect(await orderMailsTo(started, member)).toEqual(
    expect.arrayContaining(['order-reminder', 'order-unpaid']),
  )
})

test('an order isn’t canceled as unpaid while a refund that finance started is open', async () => {
  const member = await aBuyer(started)
  const { id, reference } = await aBankOrder(started, member)
  const text = `Date;Amount;Purpose\n${today};one hundred;${reference}\n`
  await importStatement(started, finance, text, bankMapping)
  const opened = await call(
    api.openRefund,
    { params: { id }, body: { refundAddress: 'DE1', reason: 'We return it.' } },
    as(finance),
  )
  expect(opened.status).toBe(200)
  const [line] = await linesAbout(started, finance, reference)
  const dismissed = { params: { id: line!.id }, body: { reason: 'Another account.' } }
  expect((await call(api.dismissStatementLine, dismissed, as(finance))).status).toBe(200)
  await passDeadline(id)
  expect(await statusOf(id)).toBe('pending')
  expect(await orderMailsTo(started, member)).not.toContain('order-reminder')
})
