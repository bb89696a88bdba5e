import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, asGift, moveDeadline, orderMailsTo, stepsOf } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { enforceDeadlines } from './deadline-worker.ts'
import { ownAddress } from '#tests/own-chain.ts'

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '1' }, afterAll)
const { call, services, mailsTo } = started
const [finance, second] = [
  await aSignedInMember(started, { manage_finance: 2 }),
  await aSignedInMember(started, { manage_finance: 2 }),
]

type Change = Omit<Parameters<typeof call<typeof api.updateOrder>>[1]['body'], '_id'>
const change = (id: string, body: Change, by = finance) =>
  call(api.updateOrder, { body: { ...body, _id: id } }, { token: by.token })
const read = async (by: TestMember, id: string) =>
  (await call(api.getOrder, { params: { id } }, { token: by.token })).body
const withdraw = (by: TestMember, id: string) =>
  call(api.cancelOrder, { params: { id }, body: null }, { token: by.token })
const payment = async (by: TestMember, id: string) =>
  (await call(api.getOrderPayment, { params: { id } }, { token: by.token })).body
const decline = (id: string) =>
  call(
    api.declineOrderCompletion,
    { params: { id }, body: { reason: 'Not on the chain.' } },
    { token: second.token },
  )
const console = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: second.token })).body

const paid: [string, Change, (id: string) => Promise<unknown>][] = [
  [
    'an amount received',
    { paidAmount: '0.5' },
    (id) => change(id, { paidAmount: null, reason: 'Returned.' }),
  ],
  [
    'a day of receipt',
    { paidAt: '2026-01-05T00:00:00.000Z' },
    (id) => change(id, { paidAt: null, reason: 'A mistake.' }),
  ],
  ['an open proposal to complete it', asGift, decline],
]

test.each(paid)(
  'an order with %s is neither reminded nor canceled as unpaid, and can be canceled only if nothing was received',
  async (_, recorded) => {
    const member = await aBuyer(started)
    const order = await anOrderOf(started, member)
    expect((await change(order._id, recorded)).status).toBe(200)
    await moveDeadline(started, order._id, 60)
    await enforceDeadlines(services)
    await moveDeadline(started, order._id, -60)
    await enforceDeadlines(services)
    expect((await read(member, order._id)).status).toBe('pending')
    expect(await orderMailsTo(started, member)).toEqual(['order-placed'])
    const { canWithdraw } = await payment(member, order._id)
    const withdrawn = await withdraw(member, order._id)
    expect(canWithdraw).toBe(withdrawn.status === 200)
    if ('status' in recorded) expect(withdrawn.body.status).toBe('cancelled')
    else expect(withdrawn.problem.code).toBe('conflict')
  },
)

test.each(paid)('once %s is gone, the payment period restarts', async (_, recorded, takeBack) => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  await change(order._id, recorded)
  await moveDeadline(started, order._id, -60)
  const before = Date.now()
  expect(await takeBack(order._id)).toMatchObject({ status: 200 })
  await enforceDeadlines(services)
  const { status, payBefore } = await read(member, order._id)
  expect(status).toBe('pending')
  expect(Date.parse(payBefore!) - before).toBeGreaterThan(23.9 * HOUR)
  expect((await withdraw(member, order._id)).body.status).toBe('cancelled')
})

test('setting the token address ends the proposal and restarts the payment period', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  await change(order._id, asGift)
  await moveDeadline(started, order._id, -60)
  const fabAddress = ownAddress
  const given = await call(
    api.setTokenAddress,
    { params: { id: order._id }, body: { fabAddress } },
    { token: member.token },
  )
  expect(given.status).toBe(200)
  await enforceDeadlines(services)
  expect((await read(member, order._id)).status).toBe('pending')
})

test('a recorded amount of zero is no payment', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  await change(order._id, { paidAmount: '0' })
  const { reported_at: since } = await services.db
    .selectFrom('token_order')
    .select('reported_at')
    .where('id', '=', order._id)
    .executeTakeFirstOrThrow()
  expect(since).toBeNull()
  expect((await withdraw(member, order._id)).body.status).toBe('cancelled')
})

test('a transaction reported after the deadline of a recorded payment cancels nothing', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  await change(order._id, { paidAmount: '0.5' })
  await moveDeadline(started, order._id, -60)
  const named = await call(
    api.reportPayment,
    { params: { id: order._id }, body: { txId: randomBytes(32).toString('hex') } },
    { token: member.token },
  )
  expect(named.body).toMatchObject({ status: 'pending', reportedLate: true })
})

test('flags a recorded payment that no one resolves', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  await change(order._id, { paidAmount: '0.5' })
  await services.db
    .updateTable('token_order')
    .set({ reported_at: new Date(Date.now() - 8 * 24 * HOUR) })
    .where('id', '=', order._id)
    .where('reported_at', 'is not', null)
    .execute()
  expect((await console(order._id)).flags).toContain('waits_long')
})

test('keeps the reason for a recorded payment hidden from the member', async () => {
  const member = await aBuyer(started)
  const [order, named] = [await anOrderOf(started, member), await anOrderOf(started, member)]
  const txId = randomBytes(32).toString('hex')
  await change(order._id, { paidAmount: '0.5', reason: 'Seen on the statement.' })
  await change(named._id, { txId, reason: 'Seen on the chain.' })
  expect((await console(order._id)).steps.at(-1)).toMatchObject({
    kind: 'payment_recorded',
    reason: 'Seen on the statement.',
  })
  expect((await console(named._id)).steps).toContainEqual(
    expect.objectContaining({ kind: 'payment_recorded', reason: 'Seen on the chain.' }),
  )
  expect(await stepsOf(started, member, order._id)).toEqual(['placed', 'payment_recorded'])
  expect(await stepsOf(started, member, named._id)).toEqual(['placed', 'payment_reported'])
  expect(JSON.stringify(await payment(member, order._id))).not.toMatch(/Seen on/)
  const archive = await call(api.exportMember, { query: {} }, { token: member.token })
  expect(JSON.stringify(archive.body)).not.toMatch(/Seen on/)
  expect(JSON.stringify(await mailsTo(member.email))).not.toMatch(/Seen on/)
})

test('the member sees the recorded payment, cannot cancel, and sees where to pay the rest', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  const before = await payment(member, order._id)
  expect(before).toMatchObject({ canWithdraw: true, hasRecordedPayment: false })
  await change(order._id, { paidAmount: '0.2' })
  await change(order._id, { paidAmount: '0.3' })
  await moveDeadline(started, order._id, -60)
  await enforceDeadlines(services)
  const part = await payment(member, order._id)
  expect(part).toMatchObject({
    status: 'pending',
    canWithdraw: false,
    hasRecordedPayment: true,
    receivingAddress: before.receivingAddress,
    qrSvg: expect.stringContaining('<svg'),
  })
  // A wallet must not offer to pay the whole amount again.
  expect([before.uri, part.uri]).toEqual([
    expect.stringContaining('amount='),
    expect.not.stringContaining('amount='),
  ])
  expect(JSON.stringify(part)).not.toContain('0.3')
  expect(await stepsOf(started, member, order._id)).toEqual(['placed', 'payment_recorded'])
  const other = await aBuyer(started)
  expect((await withdraw(member, order._id)).problem.code).toBe('conflict')
  expect((await withdraw(other, order._id)).problem.code).toBe('not_found')

  await change(order._id, { paidAmount: null, reason: 'Returned.' })
  expect(await payment(member, order._id)).toMatchObject({ canWithdraw: true, hasRecordedPayment: false })
  expect(await stepsOf(started, member, order._id)).toEqual(['placed', 'corrected', 'deadline_extended'])
})

test('the member sees when the payment was recorded, not when a later note was added', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  await change(order._id, { paidAmount: '0.5' })
  const recordedAt = (await payment(member, order._id)).steps.at(-1)!.at
  const txId = randomBytes(32).toString('hex')
  await change(order._id, { txId, reason: 'Seen on the chain.' })
  const { steps } = await payment(member, order._id)
  expect(steps.map(({ kind, at }) => [kind, at]).slice(0, 2)).toEqual([
    ['placed', expect.anything()],
    ['payment_recorded', recordedAt],
  ])
  expect((await console(order._id)).steps.at(-1)).toMatchObject({
    kind: 'payment_recorded',
    reason: 'Seen on the chain.',
  })
})

test('a disputed order with a recorded payment shows where to pay the rest after the deadline', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  await change(order._id, { paidAmount: '0.2' })
  await services.db
    .updateTable('token_order')
    .set({ is_disputed: true })
    .where('id', '=', order._id)
    .execute()
  await moveDeadline(started, order._id, -60)
  expect((await payment(member, order._id)).receivingAddress).not.toBe('')
})

test('staff see of their own order only what every member sees', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  await change(order._id, { paidAmount: '0.2', reason: 'Seen on the statement.' })
  await services.db
    .updateTable('token_order')
    .set({ member_id: second.id })
    .where('id', '=', order._id)
    .execute()
  const { steps } = await console(order._id)
  expect(steps.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['placed', ''],
    ['payment_recorded', ''],
  ])
})
