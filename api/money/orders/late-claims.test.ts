import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, proveIdentity, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, moveDeadline, orderMailsTo, updatePaid } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { enforceDeadlines } from './deadline-worker.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
const reader = await aSignedInMember(started, { manage_finance: 1 })
const waiting = await aSignedInMember(started, { manage_finance: 2, password_length_ok_for_staff: false })

const aTxId = () => randomBytes(32).toString('hex')
const report = (by: TestMember, id: string, txId: string) =>
  call(api.reportPayment, { params: { id }, body: { txId } }, { token: by.token })
const update = (body: Parameters<typeof call<typeof api.updateOrder>>[1]['body']) =>
  updatePaid(started, body, finance)
const reasoned = { reportedLate: false, reason: 'Sent before the deadline, says the chain.' }
const namedIn = async (by: TestMember, id: string) =>
  (await call(api.getOrderPayment, { params: { id } }, { token: by.token })).body.steps.flatMap(
    ({ kind, txId }) => (txId === '' ? [] : [`${kind} ${txId}`]),
  )

async function aPlacedOrder() {
  const member = await aBuyer(started)
  return { member, order: await anOrderOf(started, member) }
}

async function anOverdueClaim() {
  const placed = await aPlacedOrder()
  const madeUp = aTxId()
  await report(placed.member, placed.order._id, madeUp)
  // Simulates elapsed time.
  await services.db
    .updateTable('order_step')
    .set({ at: new Date(Date.now() - 60_000) })
    .where('order_id', '=', placed.order._id)
    .execute()
  await moveDeadline(started, placed.order._id, -1)
  return { ...placed, madeUp }
}

test('a different transaction after the deadline is late; the previous one stays in the history', async () => {
  const { member, order, madeUp } = await anOverdueClaim()
  const paid = aTxId()
  expect((await report(member, order._id, paid)).body).toMatchObject({
    status: 'pending',
    txId: paid,
    reportedLate: true,
  })
  expect(await namedIn(member, order._id)).toEqual([`payment_reported ${madeUp}`, `reported_late ${paid}`])
  expect(await orderMailsTo(started, member)).toEqual([
    'order-placed',
    'order-payment-reported',
    'order-other-transaction',
  ])
  // Finance decides about the price, with a reason.
  expect((await update({ _id: order._id, status: 'completed' })).problem).toMatchObject({
    code: 'conflict',
    errors: [{ path: 'reportedLate', code: 'unsettled' }],
  })
  expect(
    (await update({ _id: order._id, status: 'completed', reportedLate: false })).problem.errors,
  ).toMatchObject([{ path: 'reason', code: 'required' }])
  const completed = await update({ _id: order._id, status: 'completed', ...reasoned })
  expect(completed.body).toMatchObject({ status: 'completed', reportedLate: false })
})

test('a transaction reported before the deadline is not late when reported again', async () => {
  const { member, order, madeUp } = await anOverdueClaim()
  expect((await report(member, order._id, madeUp)).body.reportedLate).toBe(false)
  const other = aTxId()
  await report(member, order._id, other)
  await update({ _id: order._id, ...reasoned })
  expect((await report(member, order._id, madeUp)).body).toMatchObject({ txId: madeUp, reportedLate: false })
  // Finance has resolved this one.
  expect((await report(member, order._id, other)).body).toMatchObject({ txId: other, reportedLate: false })
})

test('flags a late report of a canceled order once per transaction', async () => {
  const { member, order } = await aPlacedOrder()
  await moveDeadline(started, order._id, -1)
  await enforceDeadlines(services)
  const [one, two] = [aTxId(), aTxId()]
  expect((await report(member, order._id, one)).body.reportedLate).toBe(true)
  await update({ _id: order._id, ...reasoned })
  expect((await report(member, order._id, one)).body.reportedLate).toBe(false)
  expect((await report(member, order._id, two)).body).toMatchObject({ reportedLate: true, txId: two })
  await update({ _id: order._id, ...reasoned })
  expect((await report(member, order._id, one)).body).toMatchObject({ reportedLate: false, txId: one })
  expect((await orderMailsTo(started, member)).filter((kind) => kind === 'order-reported-late')).toHaveLength(
    2,
  )
})

test('emails finance about a late report once per order', async () => {
  const { member, order } = await aPlacedOrder()
  await moveDeadline(started, order._id, -1)
  for (let n = 0; n < 3; n += 1) {
    await report(member, order._id, aTxId())
    await update({ _id: order._id, ...reasoned })
  }
  const told = async (by: TestMember) =>
    (await mailsTo(by.email)).filter(
      ({ kind, text }) => kind === 'staff-order-late' && text.includes(order.reference),
    )
  expect(await told(finance)).toHaveLength(1)
  expect((await told(finance))[0]!.text).toContain(`/console/orders/${order._id}`)
  for (const other of [reader, waiting, member]) expect(await told(other)).toEqual([])
})

test('emails no one about their own order, and limits emails about one member', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  await proveIdentity(started, officer)
  for (let n = 0; n < 12; n += 1) {
    const order = await anOrderOf(started, officer)
    await call(api.cancelOrder, { params: { id: order._id }, body: null }, { token: officer.token })
    await report(officer, order._id, aTxId())
  }
  const late = (mails: { kind: string }[]) => mails.filter(({ kind }) => kind === 'staff-order-late')
  expect(late(await mailsTo(officer.email))).toEqual([])
  expect(late(await mailsTo(finance.email)).length).toBeLessThan(10)
})
