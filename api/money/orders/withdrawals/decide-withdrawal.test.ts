import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { orderMailsTo, stepsOf, updatePaid } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call, services, mailsTo } = started
const refundAddress = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const today = new Date().toISOString().slice(0, 10)
let first: TestMember
let second: TestMember
let counter = 0
const aTx = () => `0x${(++counter).toString(16).padStart(64, '0')}`

beforeEach(async () => {
  // Notification emails are limited per hour, so each test has its own officers.
  first = await aSignedInMember(started, { manage_finance: 2 })
  second = await aSignedInMember(started, { manage_finance: 2 })
})

async function aWithdrawal(fields: Parameters<typeof anOrder>[2] = {}, owner?: TestMember) {
  const member = owner ?? (await aSignedInMember(started))
  const order = await anOrder(started, member.id, {
    txId: aTx(),
    fabQty: '10',
    paidAmount: '1.5',
    ...fields,
  })
  const of = { token: member.token }
  const made = await call(api.requestWithdrawal, { params: { id: order.id }, body: { refundAddress } }, of)
  if (made.status !== 200) throw new Error(`icotx/withdraw answered ${made.status} ${made.problem.code}`)
  return { member, of, orderId: order.id, id: made.body.id, txId: order.tx_id }
}

const accept = (by: TestMember, id: string, body: { reason?: string; updatedAt?: string } = {}) =>
  call(api.acceptWithdrawal, { params: { id }, body }, { token: by.token })
const refuse = (by: TestMember, id: string, reason = 'Bought for a company.') =>
  call(api.refuseWithdrawal, { params: { id }, body: { reason } }, { token: by.token })
const refund = (by: TestMember, id: string, body: object = {}) =>
  call(
    api.recordRefund,
    { params: { id }, body: { amount: '1.5', txId: aTx(), paidOn: today, ...body } },
    { token: by.token },
  )
/** One officer proposes the refund, and the other approves it. */
const refundByTwo = async (id: string, given: object = {}) => {
  const body = { txId: aTx(), ...given }
  const { updatedAt } = (await refund(first, id, body)).body
  return refund(second, id, { ...body, updatedAt })
}
const read = async (orderId: string, by: TestMember = first) =>
  (await call(api.getConsoleWithdrawal, { params: { id: orderId } }, { token: by.token })).body.withdrawal!
const statusOf = async (orderId: string) =>
  (await call(api.getOrder, { params: { id: orderId } }, { token: first.token })).body.status
const complete = (by: TestMember, _id: string) => updatePaid(started, { _id, status: 'completed' }, by)
test('requested, accepted, refunded: the member is emailed each time, and a pending order is canceled', async () => {
  const { member, orderId, id } = await aWithdrawal()
  const accepted = await accept(first, id)
  expect(accepted.body).toMatchObject({
    state: 'accepted',
    decidedBy: { id: first.id },
    orderStatus: 'cancelled',
  })
  expect(await statusOf(orderId)).toBe('cancelled')
  const txId = aTx()
  const done = await refund(second, id, { txId: txId.toUpperCase().replace('0X', '0x') })
  expect(done.body).toMatchObject({
    state: 'refunded',
    refundedBy: { id: second.id },
    withdrawal: { refund: { amount: '1.5', currency: 'ETH', txId, paidOn: today } },
  })
  expect(await stepsOf(started, member, orderId)).toEqual([
    'placed',
    'withdrawal_requested',
    'cancelled',
    'withdrawal_accepted',
    'refunded',
  ])
  expect(await orderMailsTo(started, member)).toEqual([
    'order-withdrawal-received',
    'order-withdrawal-accepted',
    'order-refunded',
  ])
  expect((await mailsTo(member.email)).at(-1)?.text).toContain(txId)
  const actions = await services.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id'])
    .where('subject_id', '=', orderId)
    .where('action', 'like', 'withdrawal-%')
    .orderBy('id')
    .execute()
  expect(actions).toEqual([
    { action: 'withdrawal-requested', actor_id: member.id },
    { action: 'withdrawal-accepted', actor_id: first.id },
    { action: 'withdrawal-refunded', actor_id: second.id },
  ])
})

test('a completed order stays completed, with its refund', async () => {
  const { orderId, id } = await aWithdrawal({ status: 'completed' })
  await accept(first, id)
  expect((await refund(first, id)).body.state).toBe('refunded')
  expect(await statusOf(orderId)).toBe('completed')
})

test('refused with a reason that the member sees, and then completed like any other', async () => {
  const { member, orderId, id } = await aWithdrawal()
  expect((await refuse(first, id, '')).problem.errors?.[0]).toMatchObject({
    path: 'reason',
    code: 'required',
  })
  expect((await refuse(first, id)).body.withdrawal).toMatchObject({
    state: 'refused',
    reason: 'Bought for a company.',
  })
  expect((await mailsTo(member.email)).at(-1)).toMatchObject({
    kind: 'order-withdrawal-refused',
    text: expect.stringContaining('Bought for a company.'),
  })
  const again = await call(
    api.requestWithdrawal,
    { params: { id: orderId }, body: { refundAddress } },
    { token: member.token },
  )
  expect(again.problem.code).toBe('conflict')
  expect((await refund(first, id)).problem.code).toBe('conflict')
  expect((await complete(first, orderId)).body.status).toBe('completed')
  // A wrong refusal is corrected: by the officer who made it, or by two others.
  const corrected = { reason: 'A natural person after all.' }
  expect((await accept(second, id, corrected)).body.state).toBe('refused')
  expect((await accept(first, id, corrected)).body.state).toBe('accepted')
})

test('the order is not completed while a withdrawal is pending or accepted', async () => {
  const { orderId, id } = await aWithdrawal()
  const early = await complete(first, orderId)
  expect([early.status, early.problem.errors?.[0]?.path]).toEqual([409, 'withdrawal'])
  await accept(first, id)
  expect((await complete(first, orderId)).problem.code).toBe('conflict')
  expect(await statusOf(orderId)).toBe('cancelled')
})

test('of a concurrent request and completion, one sees the other: nothing withdrawn in time is sent', async () => {
  for (let round = 0; round < 4; round++) {
    const member = await aSignedInMember(started)
    const { id } = await anOrder(started, member.id, { txId: aTx(), fabQty: '10' })
    const [asked, completed] = await Promise.all([
      call(api.requestWithdrawal, { params: { id }, body: { refundAddress } }, { token: member.token }),
      complete(first, id),
    ])
    expect(asked.body.state).toBe('requested')
    const steps = await stepsOf(started, member, id)
    // Either it was completed first, or not at all.
    expect(steps).toEqual(
      completed.status === 200
        ? ['placed', 'completed', 'withdrawal_requested']
        : ['placed', 'withdrawal_requested'],
    )
  }
})

test('the request ends a proposal to complete the order', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { txId: aTx(), fabQty: '60000' })
  await complete(first, id)
  await call(api.requestWithdrawal, { params: { id }, body: { refundAddress } }, { token: member.token })
  const { body } = await call(api.getConsoleOrder, { params: { id } }, { token: second.token })
  expect(body.proposal?.counts).toBe(false)
  expect((await complete(second, id)).status).toBe(409)
})

test('no one decides on their own, with read access only, or without step-up', async () => {
  const own = await aWithdrawal({}, first)
  expect((await accept(first, own.id)).problem.code).toBe('forbidden')
  expect((await refund(first, own.id)).problem.code).toBe('forbidden')
  expect(await read(own.orderId, first)).toMatchObject({ forbids: 'own' })
  const reader = await aSignedInMember(started, { manage_finance: 1 })
  expect((await accept(reader, own.id)).problem.code).toBe('forbidden')
  expect(await read(own.orderId, reader)).toMatchObject({ state: 'requested', forbids: null })
  await letProofAge(started, second)
  for (const answer of [await accept(second, own.id), await refuse(second, own.id)])
    expect(answer.problem.code).toBe('step_up_required')
  // A request that fails anyway asks for no step-up authentication.
  expect((await refund(second, own.id)).problem.code).toBe('conflict')
  expect((await accept(second, 'none')).problem.code).toBe('not_found')
})

test('above the order threshold each step needs two equal approvals', async () => {
  const { member, orderId, id } = await aWithdrawal({ fabQty: '60000' })
  expect((await accept(first, id)).body).toMatchObject({
    state: 'requested',
    proposal: { act: 'accept', by: { id: first.id }, counts: true },
  })
  expect((await mailsTo(second.email)).at(-1)?.kind).toBe('staff-withdrawal-second')
  expect((await accept(first, id)).problem.errors?.[0]).toMatchObject({ path: 'act', code: 'second_person' })
  // A different action starts a new approval.
  expect((await refuse(second, id)).body.proposal).toMatchObject({ act: 'refuse', by: { id: second.id } })
  expect((await accept(first, id)).body.proposal).toMatchObject({ act: 'accept', by: { id: first.id } })
  expect((await accept(second, id)).body).toMatchObject({ state: 'accepted', proposal: null })

  const facts = { txId: aTx() }
  expect((await refund(first, id, facts)).body.state).toBe('accepted')
  expect((await refund(second, id, { ...facts, txId: aTx() })).body.state).toBe('accepted')
  expect((await refund(first, id, facts)).body.state).toBe('accepted')
  expect((await refund(second, id, facts)).body.state).toBe('refunded')
  expect(await stepsOf(started, member, orderId)).not.toContain('withdrawal_proposed')
})

test('an approval is valid only while its author holds the right', async () => {
  const { id } = await aWithdrawal({ fabQty: '60000' })
  await accept(first, id)
  await services.db.updateTable('member').set({ manage_finance: 1 }).where('id', '=', first.id).execute()
  expect((await accept(second, id)).body).toMatchObject({
    state: 'requested',
    proposal: { by: { id: second.id } },
  })
})

test.each([
  ['the transaction of the payment', { own: true }, 'txId', 'invalid'],
  ['what is no transaction', { txId: 'abc' }, 'txId', 'tx_id'],
  ['nothing', { amount: '0' }, 'amount', 'too_little'],
  [
    'a day to come',
    { paidOn: new Date(Date.now() + 3 * DAY).toISOString().slice(0, 10) },
    'paidOn',
    'invalid',
  ],
  ['a day before the order', { paidOn: '2020-01-01' }, 'paidOn', 'invalid'],
  ['another amount without a word', { amount: '1.4' }, 'reason', 'required'],
  [
    'a coin with letters of another script',
    { currency: 'ЕТН', amount: '9', reason: 'x' },
    'currency',
    'plain_letters',
  ],
  [
    'too much of the same coin in another spelling',
    { currency: 'e. t h', amount: '9', reason: 'x' },
    'amount',
    'too_much',
  ],
  ['another coin without a word', { currency: 'USD', txId: 'transfer 7' }, 'reason', 'required'],
])('of a refund it is not recorded: %s', async (_, { own, ...body }: Record<string, unknown>, path, code) => {
  const { orderId, id, txId } = await aWithdrawal()
  await accept(first, id)
  const answer = await refund(first, id, { ...body, ...(own === true && { txId }) })
  expect(answer.problem.errors?.[0]).toMatchObject({ path, code })
  expect((await read(orderId)).state).toBe('accepted')
})

test('another payment method needs the agreement as a reason; records can be corrected', async () => {
  const { member, orderId, id } = await aWithdrawal()
  await accept(first, id)
  const reason = 'Agreed with the member: to the account.'
  const other = await refundByTwo(id, { currency: 'USD', amount: '3000', txId: 'transfer 7', reason })
  expect(other.body.refund).toMatchObject({ currency: 'USD', amount: '3000', txId: 'transfer 7' })
  const put = await refundByTwo(id, {
    currency: 'USD',
    amount: '3000',
    txId: 'transfer 8',
    reason: 'A typing error.',
    updatedAt: other.body.updatedAt,
  })
  expect(put.body.refund).toMatchObject({ txId: 'transfer 8' })
  expect((await mailsTo(member.email)).at(-1)?.text).toContain('A typing error.')
  // The first email gives the reason for the different amount. The history shows the correction.
  expect((await mailsTo(member.email)).at(-2)?.text).toContain(reason)
  const { updatedAt } = put.body
  const corrected = await refundByTwo(id, {
    currency: 'USD',
    amount: '3100',
    txId: 'transfer 8',
    reason,
    updatedAt,
  })
  expect(corrected.body.refund).toMatchObject({ amount: '3100' })
  const records = await services.db
    .selectFrom('audit_entry')
    .select('detail')
    .where('subject_id', '=', orderId)
    .where('action', '=', 'withdrawal-refunded')
    .orderBy('id')
    .execute()
  expect(records.map(({ detail }) => detail)).toEqual([
    { status: 'refunded', refund: '3000 USD' },
    {
      status: 'refunded',
      refund: '3000 USD',
      refundBefore: '3000 USD',
      changes: ['refundTxId: transfer 7 → transfer 8'],
    },
    {
      status: 'refunded',
      refund: '3100 USD',
      refundBefore: '3000 USD',
      changes: ['refundAmount: 3000 USD → 3100 USD'],
    },
  ])
})

test('refunds a payment that arrived late, even if nothing was paid at the withdrawal', async () => {
  const member = await aSignedInMember(started)
  const { id: orderId } = await anOrder(started, member.id, { fabQty: '10' })
  const made = await call(
    api.requestWithdrawal,
    { params: { id: orderId }, body: {} },
    { token: member.token },
  )
  expect(made.body.state).toBe('unpaid')
  expect((await accept(first, made.body.id, { reason: 'Your payment came.' })).body.state).toBe('accepted')
  // No one recorded that it arrived.
  expect((await refund(first, made.body.id)).problem.errors?.[0]).toMatchObject({
    path: 'reason',
    code: 'required',
  })
  expect((await refundByTwo(made.body.id, { reason: 'It came.' })).body.state).toBe('refunded')
})
