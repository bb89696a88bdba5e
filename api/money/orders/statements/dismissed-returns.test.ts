import { shownReference } from '../../../platform/text/order-reference.ts'
import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { bankMapping as mapping } from '#tests/statements.ts'

/* What officers can still do alone after they dismissed a returned payment, or if they didn't see it. */

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '100' }, afterAll)
const { call } = started
const [officer, colleague, third] = await Promise.all([
  aSignedInMember(started, { manage_finance: 2 }),
  aSignedInMember(started, { manage_finance: 2 }),
  aSignedInMember(started, { manage_finance: 2 }),
])
const today = new Date().toISOString().slice(0, 10)
const as = ({ token }: TestMember) => ({ token })

async function aPaidOrder(fabQty: string) {
  const member = await aSignedInMember(started)
  const values = { payMethod: 'Bank', currency: 'EUR', fabQty, amount: '100', fabAddress: '' }
  const { id, reference } = await anOrder(started, member.id, values)
  const body = { _id: id, paidAmount: '100', reason: 'Seen in the account.' }
  await call(api.updateOrder, { body }, as(colleague))
  return { id, reference: shownReference(reference), member }
}
const complete = (id: string, by: TestMember) =>
  call(api.updateOrder, { body: { _id: id, status: 'completed' } }, as(by))

const dismiss = (id: string, by: TestMember) =>
  call(api.dismissStatementLine, { params: { id }, body: { reason: 'Nothing.' } }, as(by))

async function importAndDismissReturn({ reference }: { reference: string }, by: TestMember) {
  const text = ['Date;Amount;Purpose', `${today};-100;Return ${reference}`, ''].join('\n')
  const body = { file: Buffer.from(text).toString('base64'), mapping }
  await call(api.importOrderPayments, { body: { ...body, seen: [] } }, as(by))
  const { body: lines } = await call(api.listStatementLines, { query: { limit: 100 } }, as(by))
  const { id } = lines.find((line) => line.reference.includes(reference))!
  const { body: line } = await dismiss(id, by)
  expect(line.state).toBe('dismissed')
  return id
}
const reopen = (id: string, by: TestMember) =>
  call(api.reopenStatementLine, { params: { id }, body: { reason: 'It went back after all.' } }, as(by))
const withdrawalOf = async (id: string) =>
  (await call(api.getConsoleWithdrawal, { params: { id } }, as(officer))).body.withdrawal!

async function withdraw({ id, member }: { id: string; member: TestMember }, approvers: TestMember[]) {
  await call(
    api.requestWithdrawal,
    { params: { id }, body: { refundAddress: 'DE02 1203 0000 0000 2020 51' } },
    as(member),
  )
  const { id: withdrawalId } = await withdrawalOf(id)
  for (const by of approvers)
    await call(api.acceptWithdrawal, { params: { id: withdrawalId }, body: { reason: 'In time.' } }, as(by))
  return withdrawalId
}
const refund = (id: string, txId: string, by: TestMember) =>
  call(
    api.recordRefund,
    { params: { id }, body: { amount: '100', txId, paidOn: today, reason: 'As agreed.' } },
    as(by),
  )

test('an officer who dismissed the return of a payment cannot refund it alone', async () => {
  const order = await aPaidOrder('10')
  await importAndDismissReturn(order, officer)
  const withdrawal = await withdraw(order, [officer])
  const txId = `0x${'7'.repeat(64)}`
  expect((await refund(withdrawal, txId, officer)).body.state).toBe('accepted')
  expect((await refund(withdrawal, txId, colleague)).body.state).toBe('refunded')
})

test('a proposal to complete an order ends when a line about it is dismissed', async () => {
  const order = await aPaidOrder('500')
  expect((await complete(order.id, officer)).body.status).toBe('pending')
  await importAndDismissReturn(order, colleague)
  expect((await complete(order.id, colleague)).body.status).toBe('pending')
  expect((await complete(order.id, officer)).body.status).toBe('completed')
})

test('a reopened return of a payment stops its order again, until it is dismissed again', async () => {
  const order = await aPaidOrder('10')
  const line = await importAndDismissReturn(order, officer)
  expect((await reopen(line, colleague)).body).toMatchObject({ state: 'open', resolvedAt: null })
  expect((await reopen(line, colleague)).problem.code).toBe('conflict')
  const { body } = await call(api.getConsoleOrder, { params: { id: order.id } }, as(officer))
  expect(body.flags).toContain('payment_returned')
  const step = body.steps.find(({ kind }) => kind === 'line_reopened')
  expect(step).toMatchObject({ by: { id: colleague.id }, reason: 'It went back after all.' })
  expect(step?.changes).toMatchObject([
    { field: 'statementLine', before: null, after: `-100 EUR · Return ${order.reference}` },
  ])
  expect((await complete(order.id, officer)).problem.code).toBe('conflict')
  const { body: member } = await call(api.getOrder, { params: { id: order.id } }, as(order.member))
  expect(JSON.stringify(member)).not.toContain('It went back after all.')
})

test('an officer who once dismissed a reopened return of a payment cannot refund it alone', async () => {
  const order = await aPaidOrder('10')
  const line = await importAndDismissReturn(order, officer)
  await reopen(line, officer)
  await dismiss(line, colleague)
  const withdrawal = await withdraw(order, [officer])
  const txId = `0x${'9'.repeat(64)}`
  expect((await refund(withdrawal, txId, officer)).body.state).toBe('accepted')
})

test('a proposal to complete an order ends when a line about it is reopened', async () => {
  const order = await aPaidOrder('500')
  const line = await importAndDismissReturn(order, colleague)
  expect((await complete(order.id, officer)).body.status).toBe('pending')
  await reopen(line, officer)
  const { body } = await call(api.getConsoleOrder, { params: { id: order.id } }, as(colleague))
  expect(body.proposal?.counts).toBe(false)
})

test('a line cannot be reopened by the member whose order it names', async () => {
  const order = await aPaidOrder('10')
  const line = await importAndDismissReturn(order, officer)
  const { db } = started.services
  await db.updateTable('token_order').set({ member_id: colleague.id }).where('id', '=', order.id).execute()
  expect((await reopen(line, colleague)).problem.code).toBe('forbidden')
  expect((await reopen(line, officer)).body.state).toBe('open')
})

test('a reopened payment is recorded by the next import of its file', async () => {
  const member = await aSignedInMember(started)
  const { id, reference } = await anOrder(started, member.id, {
    payMethod: 'Bank',
    currency: 'EUR',
    amount: '100',
  })
  const text = ['Date;Amount;Purpose', `${today};100;${shownReference(reference)}`, ''].join('\n')
  const body = { file: Buffer.from(text).toString('base64'), mapping }
  await call(api.updateOrder, { body: { _id: id, paidAmount: '1', reason: 'Counted.' } }, as(officer))
  await call(api.importOrderPayments, { body: { ...body, seen: [] } }, as(officer))
  await call(api.updateOrder, { body: { _id: id, paidAmount: null, reason: 'By mistake.' } }, as(officer))
  const { body: open } = await call(api.listStatementLines, { query: { limit: 100 } }, as(officer))
  const line = open.find((each) => each.orderId === id)!
  await dismiss(line.id, officer)
  const preview = async () => (await call(api.importOrderPayments, { body }, as(officer))).body
  expect(await preview()).toMatchObject({ lines: [{ id, effect: 'nothing' }], duplicates: 1 })
  await reopen(line.id, officer)
  expect(await preview()).toMatchObject({ lines: [{ id, effect: 'records' }], duplicates: 0 })
})

test('a proposed refund ends when a line about its order is dismissed', async () => {
  const order = await aPaidOrder('500')
  const withdrawal = await withdraw(order, [officer, colleague])
  const txId = `0x${'8'.repeat(64)}`
  expect((await refund(withdrawal, txId, officer)).body.state).toBe('accepted')
  await importAndDismissReturn(order, colleague)
  expect((await refund(withdrawal, txId, colleague)).body.state).toBe('accepted')
  expect((await refund(withdrawal, txId, officer)).body.state).toBe('refunded')
})

/** A paid order whose transaction a colleague dismissed as returned before the order had it. */
async function anOrderWithReturnOfOthers() {
  const order = await aPaidOrder('10')
  const txId = randomBytes(32).toString('hex')
  const text = ['Date;Amount;Purpose;Tx', `${today};-100;Sent back;${txId}`, ''].join('\n')
  const columns = { ...mapping.columns, txId: 3 }
  const body = { file: Buffer.from(text).toString('base64'), mapping: { ...mapping, columns } }
  await call(api.importOrderPayments, { body: { ...body, seen: [] } }, as(third))
  const { db } = started.services
  const { id: line } = await db
    .selectFrom('statement_line')
    .select('id')
    .where('tx_key', '=', txId)
    .executeTakeFirstOrThrow()
  expect((await dismiss(line, third)).body.state).toBe('dismissed')
  await call(api.reportPayment, { params: { id: order.id }, body: { txId } }, as(order.member))
  return { ...order, line }
}

/** Imports a line, and returns its ID. */
async function importLine(amount: string, purpose: string) {
  const text = ['Date;Amount;Purpose', `${today};${amount};${purpose}`, ''].join('\n')
  const body = { file: Buffer.from(text).toString('base64'), mapping }
  await call(api.importOrderPayments, { body: { ...body, seen: [] } }, as(officer))
  const { body: lines } = await call(api.listStatementLines, { query: { limit: 100 } }, as(officer))
  return lines.find(({ reference }) => reference === purpose)!.id
}

test('deciding about another line of the order doesn’t show its dismissed return', async () => {
  const order = await anOrderWithReturnOfOthers()
  expect((await complete(order.id, officer)).problem.code).toBe('conflict')
  await dismiss(await importLine('7', `Tip ${order.reference}`), officer)
  expect((await complete(order.id, officer)).problem.code).toBe('conflict')
  const other = await anOrder(started, order.member.id, { payMethod: 'Bank', currency: 'EUR', amount: '100' })
  const reference = shownReference(other.reference)
  const line = await importLine('100', `For ${order.reference} or ${reference}`)
  const assigned = { params: { id: line }, body: { reference, reason: 'Agreed.' } }
  // The first order already has a payment, so the officer has to confirm.
  expect((await call(api.assignStatementLine, assigned, as(officer))).problem.errors).toMatchObject([
    { code: 'looks_imported' },
  ])
  const confirmed = { ...assigned, body: { ...assigned.body, confirmsDuplicate: true } }
  expect((await call(api.assignStatementLine, confirmed, as(officer))).status).toBe(200)
  expect((await complete(order.id, officer)).problem.code).toBe('conflict')
  await reopen(order.line, officer)
  await dismiss(order.line, officer)
  expect((await complete(order.id, colleague)).problem.code).not.toBe('conflict')
})

test('an officer who once dismissed a line cannot complete its order alone, although a colleague dismissed it again', async () => {
  const order = await anOrderWithReturnOfOthers()
  await reopen(order.line, colleague)
  await dismiss(order.line, colleague)
  expect((await complete(order.id, third)).body.status).toBe('pending')
  const { body } = await call(api.getConsoleOrder, { params: { id: order.id } }, as(colleague))
  expect(body.proposal).not.toBeNull()
})

test.each(['plain', 'point'] as const)(
  'a debit in a column of its own blocks the order that it names, with numbers %s',
  async (numbers) => {
    for (const credit of ['', '0', '0.00']) {
      const order = await aPaidOrder('10')
      const text = [
        'Date;Credit;Debit;Purpose',
        `${today};${credit};100.00;Return ${order.reference}`,
        '',
      ].join('\n')
      const columns = { date: 0, amount: 1, reference: 3 }
      const body = { file: Buffer.from(text).toString('base64'), mapping: { ...mapping, columns, numbers } }
      await call(api.importOrderPayments, { body: { ...body, seen: [] } }, as(officer))
      const { body: shown } = await call(api.getConsoleOrder, { params: { id: order.id } }, as(officer))
      expect([credit, shown.flags]).toEqual([credit, expect.arrayContaining(['payment_returned'])])
    }
  },
)
