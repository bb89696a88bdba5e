import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder, bankMapping, importStatement, linesAbout } from '#tests/statements.ts'

/* What the orders show about a resolved line that concerns them, and to which order a line may be assigned. */

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '1000' }, afterAll)
const { call, services } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const colleague = await aSignedInMember(started, { manage_finance: 2 })
const by = { token: officer.token }
const today = new Date().toISOString().slice(0, 10)
const reason = 'Checked with the bank.'

type Fields = { fabQty?: string; paidAmount?: string; status?: 'pending' | 'cancelled' }
async function anUnpaid(fields: Fields = {}, owner?: TestMember) {
  const member = owner ?? (await aSignedInMember(started))
  return { ...(await aBankOrder(started, member, fields)), member }
}
const mapping: StatementMapping = { ...bankMapping, columns: { ...bankMapping.columns, txId: 3 } }
const camt = (purpose: string) =>
  `<?xml version="1.0"?><Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="EUR">100</Amt><CdtDbtInd>CRDT</CdtDbtInd>
  <Sts>BOOK</Sts><BookgDt><Dt>${today}</Dt></BookgDt><NtryDtls><TxDtls><RmtInf><Ustrd>${purpose}</Ustrd></RmtInf>
  </TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`
const csv = (...rows: string[]) =>
  ['Date;Amount;Purpose;TxID', ...rows.map((row) => `${today};${row}`), ''].join('\n')
const importing = async (text: string) =>
  (await importStatement(started, officer, text, text.startsWith('<') ? undefined : mapping)).done
const lineAbout = async (text: string) => (await linesAbout(started, officer, text))[0]!
const dismiss = ({ id }: { id: string }) =>
  call(api.dismissStatementLine, { params: { id }, body: { reason } }, by)
const assign = ({ id }: { id: string }, { reference }: { reference: string }) =>
  call(api.assignStatementLine, { params: { id }, body: { reference, reason } }, by)
const update = (id: string, more: object, token = officer.token) =>
  call(api.updateOrder, { body: { _id: id, ...more } }, { token })
const detailOf = async (id: string, token = officer.token) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token })).body
const stepsOf = async (id: string) =>
  (await detailOf(id, colleague.token)).steps
    .filter(({ kind }) => kind === 'line_dismissed')
    .map(({ by, reason, changes }) => [by?.id, reason, changes[0]?.before])
const auditedOf = async (id: string) =>
  (
    await services.db
      .selectFrom('audit_entry')
      .select('action')
      .where('subject_id', '=', id)
      .where('action', 'like', 'order-statement-line-%')
      .execute()
  ).map(({ action }) => action)

test('the second person sees that a colleague dismissed the return of the payment', async () => {
  const order = await anUnpaid({ fabQty: '5000', paidAmount: '100' })
  await importing(csv(`-100;Return ${order.reference};`))
  await dismiss(await lineAbout(order.reference))
  const said = `-100 EUR · Return ${order.reference}`
  expect(await stepsOf(order.id)).toEqual([[officer.id, reason, said]])
  expect(await auditedOf(order.id)).toEqual(['order-statement-line-dismissed'])
})

test('members don’t see dismissed lines in the history of their order', async () => {
  const { id, reference, member } = await anUnpaid({ paidAmount: '100' })
  await importing(csv(`-100;Return ${reference};`))
  await dismiss(await lineAbout(reference))
  const { body } = await call(api.getOrder, { params: { id } }, { token: member.token })
  expect(JSON.stringify(body)).not.toContain(reason)
})

test('each order that a dismissed line names has it in its history', async () => {
  const [first, second] = [await anUnpaid(), await anUnpaid()]
  await importing(csv(`-200;Return ${first.reference} ${second.reference};`))
  await dismiss(await lineAbout(first.reference))
  for (const { id } of [first, second]) {
    expect(await stepsOf(id)).toHaveLength(1)
    expect(await auditedOf(id)).toEqual(['order-statement-line-dismissed'])
  }
})

test('an order that names the transaction of a dismissed debit has it in its history', async () => {
  const [order, txId] = [await anUnpaid(), `Transfer of ${Date.now()}`]
  await importing(csv(`-100;Outgoing;${txId}`))
  await update(order.id, { txId, paidAmount: '100', reason })
  await dismiss(await lineAbout(txId))
  expect(await stepsOf(order.id)).toHaveLength(1)
})

test('a second payment that was dismissed is in the history of its order', async () => {
  const order = await anUnpaid({ paidAmount: '100' })
  await importing(csv(`7;${order.reference};`))
  await dismiss(await lineAbout(order.reference))
  expect(await stepsOf(order.id)).toEqual([[officer.id, reason, `7 EUR · ${order.reference}`]])
})

test.each([
  ['a canceled order', { status: 'cancelled' }, csv],
  ['a paid order', { paidAmount: '100' }, csv],
  ['a paid order in CAMT.053', { paidAmount: '100' }, camt],
] as const)(
  'a payment that names %s of one member can’t be assigned to another member’s order',
  async (_, fields, fileOf) => {
    const [named, other] = [await anUnpaid(fields), await anUnpaid()]
    await importing(fileOf === csv ? csv(`100;Pay ${named.reference};`) : camt(`Pay ${named.reference}`))
    const line = await lineAbout(named.reference)
    expect((await assign(line, other)).problem).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'reference', code: 'names_other_order' }],
    })
    expect((await detailOf(other.id)).paidAmount).toBeNull()
  },
)

test('a payment that names an old order can be assigned to a new order of its member, and both say so', async () => {
  const old = await anUnpaid({ status: 'cancelled' })
  const order = await anUnpaid({}, old.member)
  await importing(csv(`100;Pay ${old.reference};`))
  expect((await assign(await lineAbout(old.reference), order)).status).toBe(200)
  expect((await detailOf(order.id)).paidAmount).toBe('100')
  expect(await stepsOf(old.id)).toEqual([[officer.id, reason, `100 EUR · Pay ${old.reference}`]])
})

test('a payment that names two members’ orders can be assigned to one of them', async () => {
  const [first, second] = [await anUnpaid(), await anUnpaid()]
  await importing(csv(`100;${first.reference} ${second.reference};`))
  expect((await assign(await lineAbout(first.reference), first)).status).toBe(200)
  expect(await stepsOf(second.id)).toHaveLength(1)
})
