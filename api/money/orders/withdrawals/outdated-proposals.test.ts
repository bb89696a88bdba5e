import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { ownAddress } from '#tests/own-chain.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { enforceDeadlines } from '../deadline-worker.ts'

/* A proposed decision on a withdrawal applies to the order as its author saw it. */

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call, services, mailsTo } = started
const refundAddress = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const paidOn = new Date().toISOString().slice(0, 10)
let counter = 0
const aTx = () => `0x${(++counter).toString(16).padStart(64, '0')}`
const anOfficer = () => aSignedInMember(started, { manage_finance: 2 })
let [first, second]: TestMember[] = []
beforeAll(async () => {
  ;[first, second] = [await anOfficer(), await anOfficer()]
})

async function aWithdrawal() {
  const member = await aSignedInMember(started)
  const { id: orderId } = await anOrder(started, member.id, {
    fabQty: '60000',
    fabAddress: '',
    paidAmount: '1.5',
  })
  const txId = aTx()
  const reported = { params: { id: orderId }, body: { txId } }
  expect((await call(api.reportPayment, reported, { token: member.token })).status).toBe(200)
  const asked = { params: { id: orderId }, body: { refundAddress } }
  const { body } = await call(api.requestWithdrawal, asked, { token: member.token })
  return { member, orderId, id: body.id, txId }
}
const accept = (by: TestMember, id: string, body: object = {}) =>
  call(api.acceptWithdrawal, { params: { id }, body }, { token: by.token })
const refund = (by: TestMember, id: string, body: object) =>
  call(
    api.recordRefund,
    { params: { id }, body: { amount: '1.5', txId: '', paidOn, ...body } },
    { token: by.token },
  )
const update = async (by: TestMember, id: string, body: object) => {
  const { status } = await call(api.updateOrder, { body: { _id: id, ...body } }, { token: by.token })
  expect(status).toBe(200)
}
const read = async (orderId: string) =>
  (await call(api.getConsoleWithdrawal, { params: { id: orderId } }, { token: first!.token })).body
    .withdrawal!

const reason = 'Agreed.'
type Withdrawn = Awaited<ReturnType<typeof aWithdrawal>>
const changes: [string, (orderId: string, of: Withdrawn) => Promise<unknown>][] = [
  ['another received amount', (id) => update(second!, id, { paidAmount: '3', reason })],
  ['another amount due', (id) => update(second!, id, { amount: '9', reason, confirmsQuantity: true })],
  [
    'another transaction, once the recorded payment is removed',
    async (id) => {
      await update(second!, id, { paidAmount: null, reason })
      await update(second!, id, { txId: aTx(), reason })
    },
  ],
  ['another quantity', (id) => update(second!, id, { fabQty: '70000', reason, confirmsQuantity: true })],
  // The member can't add one while the withdrawal is open.
  ['a token address that finance adds', (id) => update(second!, id, { fabAddress: ownAddress, reason })],
  [
    'a dispute that is settled',
    async (id, { txId }) => {
      const other = await aSignedInMember(started)
      const { id: otherId } = await anOrder(started, other.id, {})
      await call(api.reportPayment, { params: { id: otherId }, body: { txId } }, { token: other.token })
      await update(second!, id, { disputed: false, reason })
    },
  ],
  [
    'a lower amount on chain',
    (id) =>
      services.db
        .insertInto('chain_payment')
        .values({ order_id: id, coin: 'ETH', state: 'too_little', received: '1' })
        .execute(),
  ],
]

test.each(changes)(
  'a proposed decision is no first approval after %s, even if its approver made that change',
  async (_, change) => {
    const withdrawn = await aWithdrawal()
    const { orderId, id } = withdrawn
    const { updatedAt } = (await accept(first!, id)).body
    expect((await read(orderId)).proposal).toMatchObject({ by: { id: first!.id }, counts: true })
    await change(orderId, withdrawn)
    expect((await read(orderId)).proposal?.counts ?? false).toBe(false)
    const again = await accept(second!, id)
    expect(again.body).toMatchObject({
      state: 'requested',
      proposal: { by: { id: second!.id }, counts: true },
    })
    expect(updatedAt).not.toBe(again.body.updatedAt)
    expect((await accept(first!, id)).body.state).toBe('accepted')
  },
)

test('an approver whose page shows the order before a change is refused', async () => {
  const { orderId, id } = await aWithdrawal()
  await accept(first!, id)
  const { updatedAt } = await read(orderId)
  await update(second!, orderId, { paidAmount: '3', reason })
  expect((await accept(second!, id, { updatedAt })).problem.code).toBe('conflict')
  expect((await read(orderId)).proposal?.by.id).toBe(first!.id)
  expect((await accept(second!, id, { updatedAt: (await read(orderId)).updatedAt })).status).toBe(200)
})

test('a proposed refund ends when the received amount changes, and its author is emailed', async () => {
  const { orderId, id } = await aWithdrawal()
  await accept(first!, id)
  await accept(second!, id)
  const author = await anOfficer()
  const body = { amount: '1', txId: aTx(), reason: 'Minus the fee.' }
  expect((await refund(author, id, body)).body.proposal?.act).toBe('refund')
  await enforceDeadlines(services)
  expect((await read(orderId)).proposal).not.toBeNull()
  await update(second!, orderId, { paidAmount: '3', reason })
  // The reason of a proposal that ended does not explain another refund.
  const unexplained = await refund(second!, id, { ...body, reason: '' })
  expect(unexplained.problem.errors?.[0]).toMatchObject({ path: 'reason', code: 'required' })
  await enforceDeadlines(services)
  expect((await read(orderId)).proposal).toBeNull()
  expect((await mailsTo(author.email)).at(-1)?.kind).toBe('staff-order-lapsed')
})

test('a proposed decision is no first approval once an order of its author shares the transaction', async () => {
  const { orderId, id, txId } = await aWithdrawal()
  const author = await anOfficer()
  const { id: own } = await anOrder(started, author.id, {})
  await accept(author, id)
  await update(first!, own, { txId, sharesTransaction: true, reason })
  expect((await read(orderId)).proposal?.counts).toBe(false)
  expect((await accept(second!, id)).body).toMatchObject({
    state: 'requested',
    proposal: { by: { id: second!.id } },
  })
  expect((await accept(author, id)).problem.code).toBe('forbidden')
})

test('an approval of a withdrawal ends when its officer loses the right, and does not return with it', async () => {
  const [A, B, C] = [await anOfficer(), await anOfficer(), await anOfficer()]
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { fabQty: '1000000', amount: '100', payMethod: 'ETH' })
  await call(api.updateOrder, { body: { _id: id, paidAmount: '100', reason: 'Seen.' } }, { token: C.token })
  const w = await call(
    api.requestWithdrawal,
    { params: { id }, body: { refundAddress } },
    { token: member.token },
  )
  expect((await accept(A, w.body.id)).body.state).toBe('requested')
  const setRight = (level: number) =>
    services.db.updateTable('member').set({ manage_finance: level }).where('id', '=', A.id).execute()
  await setRight(0)
  // Every worker has run, more than once.
  await enforceDeadlines(services)
  await enforceDeadlines(services)
  await cleanUp(services)
  await setRight(2)
  expect((await accept(B, w.body.id)).body.state).toBe('requested')
})
