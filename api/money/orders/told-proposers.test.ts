import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { asGift, moveDeadline } from '#tests/orders.ts'
import { ownAddress } from '#tests/own-chain.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder, bankMapping, importStatement, linesAbout } from '#tests/statements.ts'
import { enforceDeadlines } from './deadline-worker.ts'

/* Whatever ends a proposal about an order, its author is emailed, and the history shows that it ended. */

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '1' }, afterAll)
const { call, mailsTo, services } = started
const anOfficer = () => aSignedInMember(started, { manage_finance: 2 })
const [author, colleague] = [await anOfficer(), await anOfficer()]
const reason = 'Agreed.'
const as = ({ token }: TestMember) => ({ token })

const update = (by: TestMember, id: string, body: object) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, as(by))
const report = (by: TestMember, id: string, txId: string) =>
  call(api.reportPayment, { params: { id }, body: { txId } }, as(by))
const detail = async (id: string) => (await call(api.getConsoleOrder, { params: { id } }, as(colleague))).body
const kindsOf = async (id: string) => (await detail(id)).steps.map(({ kind }) => kind)
const mailsAbout = async (id: string, { email }: TestMember = author) =>
  (await mailsTo(email)).filter(({ kind, text }) => kind === 'staff-order-lapsed' && text.includes(id))

/** An order that awaits payment, and an open statement line that names it. */
async function anOrderWithLine() {
  const member = await aSignedInMember(started)
  const { id, reference } = await aBankOrder(started, member)
  await moveDeadline(started, id, 3600)
  await importStatement(started, colleague, `Date,Amount,Purpose\n,100.00,${reference}\n`, bankMapping)
  const [line] = await linesAbout(started, colleague, reference)
  const params = { id: line!.id }
  const dismiss = (by: TestMember) => call(api.dismissStatementLine, { params, body: { reason } }, as(by))
  const reopen = () => call(api.reopenStatementLine, { params, body: { reason } }, as(colleague))
  return { member, id, dismiss, reopen }
}
type Order = Awaited<ReturnType<typeof anOrderWithLine>>

async function propose({ id }: Pick<Order, 'id'>) {
  expect((await update(author, id, asGift)).body.status).toBe('pending')
  expect((await detail(id)).proposal).toMatchObject({ by: { id: author.id }, counts: true })
}

/** Another member reports the transaction that the order's member reports afterwards. */
async function dispute({ member, id }: Order) {
  const other = await aSignedInMember(started)
  const txId = randomBytes(32).toString('hex')
  await report(other, (await aBankOrder(started, other)).id, txId)
  return report(member, id, txId)
}

const refund = ({ id }: Order) => call(api.openRefund, { params: { id }, body: { reason } }, as(colleague))

const ways: [string, (order: Order) => Promise<{ status: number }>][] = [
  ['a colleague records a payment', ({ id }) => update(colleague, id, { paidAmount: '99', reason })],
  ['a colleague corrects the order', ({ id }) => update(colleague, id, { amount: '99', reason })],
  ['a colleague proposes more', ({ id }) => update(colleague, id, { ...asGift, txId: 'a bank reference 1' })],
  ['the member reports a payment', ({ member, id }) => report(member, id, randomBytes(32).toString('hex'))],
  ['the order becomes disputed', dispute],
  [
    'the member gives an address',
    ({ member, id }) =>
      call(api.setTokenAddress, { params: { id }, body: { fabAddress: ownAddress } }, as(member)),
  ],
  ['the member cancels', ({ member, id }) => call(api.cancelOrder, { params: { id }, body: {} }, as(member))],
  ['a colleague starts a refund', refund],
  ['a colleague dismisses a statement line', ({ dismiss }) => dismiss(colleague)],
]

test.each(ways)('the author of a proposal to complete an order is told if %s', async (_, change) => {
  const order = await anOrderWithLine()
  await propose(order)
  expect((await change(order)).status).toBeOneOf([200, 409])
  const { proposal } = await detail(order.id)
  expect(proposal?.by.id === author.id && proposal.counts).toBe(false)
  for (let round = 0; round < 2; round += 1) await enforceDeadlines(services)
  expect((await kindsOf(order.id)).filter((kind) => kind === 'completion_lapsed')).toHaveLength(1)
  expect(await mailsAbout(order.id)).toHaveLength(1)
})

const unpaidAgain: [string, (order: Order) => Promise<() => Promise<{ status: number }>>][] = [
  [
    'a statement line is dismissed',
    async ({ dismiss }) =>
      () =>
        dismiss(colleague),
  ],
  [
    'a statement line is reopened',
    async ({ dismiss, reopen }) => {
      await dismiss(colleague)
      return reopen
    },
  ],
  ['a colleague starts a refund', async (order) => () => refund(order)],
]

test.each(unpaidAgain)(
  'the member gets the full payment period again if a proposal ends because %s',
  async (_, prepare) => {
    const order = await anOrderWithLine()
    const end = await prepare(order)
    await propose(order)
    await moveDeadline(started, order.id, -60)
    await enforceDeadlines(services)
    expect((await end()).status).toBe(200)
    // Without an open line, only the new period keeps the order from being canceled.
    await services.db.deleteFrom('statement_line').execute()
    await enforceDeadlines(services)
    const { order: now, proposal } = await detail(order.id)
    expect({ status: now.status, proposal }).toEqual({ status: 'pending', proposal: null })
    expect(Date.parse(now.payBefore!) - Date.now()).toBeGreaterThan(23.9 * HOUR)
    expect(await mailsAbout(order.id)).toHaveLength(1)
  },
)

test('the author is not told of a change of their own, or of an approval', async () => {
  const [changed, approved] = [await anOrderWithLine(), await anOrderWithLine()]
  await propose(changed)
  await update(author, changed.id, { amount: '99', reason })
  await propose(approved)
  expect((await update(colleague, approved.id, { status: 'completed' })).body.status).toBe('completed')
  await enforceDeadlines(services)
  for (const { id } of [changed, approved]) {
    expect(await kindsOf(id)).not.toContain('completion_lapsed')
    expect(await mailsAbout(id)).toEqual([])
  }
})

test('an ended proposal to complete the order leaves a proposed decision on its withdrawal open', async () => {
  const order = await anOrderWithLine()
  await propose(order)
  expect((await refund(order)).status).toBe(200)
  await order.dismiss(colleague)
  const withdrawal = async () =>
    (await call(api.getConsoleWithdrawal, { params: { id: order.id } }, as(colleague))).body.withdrawal!
  const accept = async (by: TestMember) =>
    call(api.acceptWithdrawal, { params: { id: (await withdrawal()).id }, body: {} }, as(by))
  expect((await accept(colleague)).body.proposal?.counts).toBe(true)
  await enforceDeadlines(services)
  expect((await detail(order.id)).proposal).toBeNull()
  expect((await withdrawal()).proposal).toMatchObject({ by: { id: colleague.id }, counts: true })
  expect((await accept(author)).body.state).toBe('accepted')
})

test('the author of a proposed decision on a withdrawal is told if a colleague proposes another one', async () => {
  const order = await anOrderWithLine()
  await refund(order)
  await order.dismiss(colleague)
  const { body } = await call(api.getConsoleWithdrawal, { params: { id: order.id } }, as(colleague))
  const params = { id: body.withdrawal!.id }
  await call(api.acceptWithdrawal, { params, body: {} }, as(author))
  await call(api.refuseWithdrawal, { params, body: { reason } }, as(colleague))
  expect((await kindsOf(order.id)).slice(-2)).toEqual(['completion_lapsed', 'withdrawal_proposed'])
  expect(await mailsAbout(order.id)).toHaveLength(1)
  expect((await call(api.refuseWithdrawal, { params, body: { reason } }, as(author))).body.state).toBe(
    'refused',
  )
  expect(await mailsAbout(order.id, colleague)).toEqual([])
})

test('the author of a proposed decision on a withdrawal is told if a statement line is dismissed', async () => {
  const order = await anOrderWithLine()
  await refund(order)
  const { body } = await call(api.getConsoleWithdrawal, { params: { id: order.id } }, as(colleague))
  await call(api.acceptWithdrawal, { params: { id: body.withdrawal!.id }, body: {} }, as(author))
  await order.dismiss(colleague)
  await enforceDeadlines(services)
  expect(await kindsOf(order.id)).toContain('completion_lapsed')
  expect(await mailsAbout(order.id)).toHaveLength(1)
})
