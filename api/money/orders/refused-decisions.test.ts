import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { updatePaid } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder, bankMapping, importStatement, linesAbout } from '#tests/statements.ts'

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call, services } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const member = await aSignedInMember(started)

const anOrderOf = (owner: TestMember) =>
  anOrder(started, owner.id, { fabQty: '60000', paidAmount: '1.5', txId: '' })
const entriesAbout = (id: string) =>
  services.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id'])
    .where('subject_id', '=', id)
    .where('action', 'like', '%-refused')
    .orderBy('id')
    .execute()
const aWithdrawalOf = async (owner: TestMember) => {
  const { id } = await anOrderOf(owner)
  const body = { refundAddress: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb' }
  const made = await call(api.requestWithdrawal, { params: { id }, body }, { token: owner.token })
  return { orderId: id, id: made.body.id }
}
const complete = (id: string) => updatePaid(started, { _id: id, status: 'completed' }, officer)
const accept = (id: string) =>
  call(api.acceptWithdrawal, { params: { id }, body: {} }, { token: officer.token })

test('attempts to approve an own proposal are in the audit log', async () => {
  const { id } = await anOrderOf(member)
  expect((await complete(id)).status).toBe(200)
  expect((await complete(id)).status).toBe(409)
  const withdrawal = await aWithdrawalOf(member)
  expect((await accept(withdrawal.id)).status).toBe(200)
  expect((await accept(withdrawal.id)).status).toBe(409)
  for (const about of [id, withdrawal.orderId])
    expect(await entriesAbout(about)).toEqual([
      { action: 'order-self-approval-refused', actor_id: officer.id },
    ])
})

test('attempts to act on an own order are in the audit log', async () => {
  const { id } = await anOrderOf(officer)
  const by = { token: officer.token }
  const params = { id }
  const reason = 'Agreed.'
  const payBefore = new Date(Date.now() + 3_600_000).toISOString()
  const refused = [
    await complete(id),
    await call(api.openRefund, { params, body: { reason } }, by),
    await call(api.declineOrderCompletion, { params, body: { reason } }, by),
    await call(api.extendOrderDeadline, { params, body: { payBefore, reason } }, by),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  expect(await entriesAbout(id)).toEqual(
    refused.map(() => ({ action: 'order-own-refused', actor_id: officer.id })),
  )
  const withdrawal = await aWithdrawalOf(officer)
  expect((await accept(withdrawal.id)).status).toBe(403)
  expect(await entriesAbout(withdrawal.orderId)).toHaveLength(1)
})

test('attempts to resolve a line about an own order are in the audit log', async () => {
  const own = await aBankOrder(started, officer)
  const theirs = await aBankOrder(started, member)
  const colleague = await aSignedInMember(started, { manage_finance: 2 })
  const text = `Date;Amount;Purpose\n;100;${own.reference}\n;100;No reference\n`
  await importStatement(started, colleague, text, bankMapping)
  const [line] = await linesAbout(started, colleague, own.reference)
  const [other] = await linesAbout(started, colleague, 'No reference')
  const by = { token: officer.token }
  const [params, body] = [{ id: line!.id }, { reason: 'Agreed.' }]
  const assigning = (id: string, { reference }: { reference: string }) =>
    call(api.assignStatementLine, { params: { id }, body: { ...body, reference } }, by)
  const refused = [
    await assigning(other!.id, own),
    await assigning(line!.id, own),
    await assigning(line!.id, theirs),
    await call(api.dismissStatementLine, { params, body }, by),
  ]
  await call(api.dismissStatementLine, { params, body }, { token: colleague.token })
  refused.push(await call(api.reopenStatementLine, { params, body }, by))
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
  expect(await entriesAbout(own.id)).toEqual(
    refused.map(() => ({ action: 'order-own-refused', actor_id: officer.id })),
  )
  // The order of the person who imported the line is refused, too, but it isn’t the officer’s own.
  const ofImporter = await aBankOrder(started, colleague)
  expect((await assigning(other!.id, ofImporter)).status).toBe(403)
  expect(await entriesAbout(ofImporter.id)).toEqual([])
})
