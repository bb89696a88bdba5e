import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder, bankMapping, importStatement } from '#tests/statements.ts'
import { enforceDeadlines } from '../deadline-worker.ts'

/* A proposed correction of a completed order applies to the withdrawal, the refund, and the payment that its author saw. */

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call, mailsTo, services } = started
const anOfficer = () => aSignedInMember(started, { manage_finance: 2 })
const [author, approver, recorder] = [await anOfficer(), await anOfficer(), await anOfficer()]
const as = ({ token }: TestMember) => ({ token })
const paidOn = new Date().toISOString().slice(0, 10)
const refundAddress = 'DE02 1203 0000 0000 2020 51'

const update = (by: TestMember, id: string, body: object) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, as(by))
const proposalOf = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, as(approver))).body.proposal

async function aWithdrawnDelivery() {
  const member = await aSignedInMember(started)
  const { id, reference } = await aBankOrder(started, member)
  await update(recorder, id, { paidAmount: '100', reason: 'Seen in the account.' })
  expect((await update(approver, id, { status: 'completed' })).body.status).toBe('completed')
  const asked = await call(api.requestWithdrawal, { params: { id }, body: { refundAddress } }, as(member))
  return { id, reference, withdrawal: asked.body.id }
}
type Withdrawn = Awaited<ReturnType<typeof aWithdrawnDelivery>>

const accept = ({ withdrawal }: Withdrawn) =>
  call(api.acceptWithdrawal, { params: { id: withdrawal }, body: {} }, as(approver))
const refund = ({ id, withdrawal }: Withdrawn, amount: string, more: object = {}) =>
  call(
    api.recordRefund,
    {
      params: { id: withdrawal },
      body: { amount, txId: `Refund of ${id}`, paidOn, reason: 'Agreed.', ...more },
    },
    as(approver),
  )
const refuse = ({ withdrawal }: Withdrawn) =>
  call(api.refuseWithdrawal, { params: { id: withdrawal }, body: { reason: 'Too late.' } }, as(approver))
const importReturn = ({ reference }: Withdrawn) =>
  importStatement(started, approver, `Date;Amount;Purpose\n${paidOn};-100.00;${reference}\n`, bankMapping)

const corrections: [string, object][] = [
  ['another quantity', { fabQty: '50', confirmsQuantity: true }],
  ['a lower amount received', { paidAmount: '60' }],
]
const changes: [
  string,
  (of: Withdrawn) => Promise<unknown>,
  ((of: Withdrawn) => Promise<unknown>) | undefined,
][] = [
  ['its withdrawal was accepted', accept, undefined],
  ['its withdrawal was declined', refuse, undefined],
  ['it was refunded', (of) => refund(of, '100'), accept],
  [
    'its refund was corrected',
    async (of) => {
      const { body } = await call(api.getConsoleWithdrawal, { params: { id: of.id } }, as(approver))
      return refund(of, '90', { updatedAt: body.withdrawal!.updatedAt })
    },
    async (of) => {
      await accept(of)
      await refund(of, '100')
    },
  ],
  ['a statement showed that its payment was returned', importReturn, refuse],
]

test.each(
  changes.flatMap((change) =>
    corrections.map(([what, correction]) => [what, ...change, correction] as const),
  ),
)('proposing %s is no first approval once %s', async (_, __, change, prepare, correction) => {
  const order = await aWithdrawnDelivery()
  await prepare?.(order)
  expect((await update(author, order.id, { ...correction, reason: 'As agreed.' })).status).toBe(200)
  expect(await proposalOf(order.id)).toMatchObject({ by: { id: author.id }, counts: true })
  await change(order)
  expect(await proposalOf(order.id)).toMatchObject({ by: { id: author.id }, counts: false })
  await enforceDeadlines(services)
  expect(await proposalOf(order.id)).toBeNull()
  expect((await mailsTo(author.email)).at(-1)?.kind).toBe('staff-order-lapsed')
})

test('an approval after the refund is a new first approval', async () => {
  const order = await aWithdrawnDelivery()
  const more = { fabQty: '50', confirmsQuantity: true, reason: 'As agreed.' }
  await update(author, order.id, more)
  await accept(order)
  expect((await refund(order, '100')).body.state).toBe('refunded')
  expect((await update(approver, order.id, more)).body.fabQty).toBe(5)
  expect(await proposalOf(order.id)).toMatchObject({ by: { id: approver.id }, counts: true })
  expect((await update(author, order.id, more)).body.fabQty).toBe(50)
})
