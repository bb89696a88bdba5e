import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, proveIdentity, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, moveDeadline, orderMailsTo, stepsOf, updatePaid } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { enforceDeadlines } from './deadline-worker.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })

const aTxId = () => randomBytes(32).toString('hex')
const read = async (id: string) =>
  (await call(api.getOrder, { params: { id } }, { token: finance.token })).body
const report = (by: TestMember, id: string, txId: string) =>
  call(api.reportPayment, { params: { id }, body: { txId } }, { token: by.token })
const update = (body: Parameters<typeof call<typeof api.updateOrder>>[1]['body']) =>
  updatePaid(started, body, finance)
const disputed = async (by: TestMember) =>
  (
    await call(api.findOrders, { body: { disputed: true, memberId: by.id } }, { token: finance.token })
  ).body.map(({ _id }) => _id)
const auditOf = (id: string) =>
  services.db
    .selectFrom('audit_entry')
    .select(['actor_id', 'action', 'detail'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()

async function aPlacedOrder() {
  const member = await aBuyer(started)
  return { member, order: await anOrderOf(started, member) }
}

/** Two members claim the same transaction; the second claim is rejected. */
async function aDispute() {
  const [first, second] = [await aPlacedOrder(), await aPlacedOrder()]
  const txId = aTxId()
  await report(first.member, first.order._id, txId)
  const refused = await report(second.member, second.order._id, txId)
  return { first, second, txId, refused }
}

test('a rejected claim is recorded, stops the deadline, and finance finds both orders', async () => {
  const { first, second, txId, refused } = await aDispute()
  expect(refused).toMatchObject({ status: 409, problem: { errors: [{ path: 'txId', code: 'tx_used' }] } })
  expect(await disputed(second.member)).toEqual([second.order._id])
  expect(await disputed(first.member)).toEqual([first.order._id])
  await moveDeadline(started, second.order._id, -1)
  await enforceDeadlines(services)
  expect(await read(second.order._id)).toMatchObject({ status: 'pending', txId: '', disputed: true })
  const payment = await call(
    api.getOrderPayment,
    { params: { id: second.order._id } },
    { token: second.member.token },
  )
  expect(payment.body).toMatchObject({ receivingAddress: '', steps: [{}, { kind: 'disputed', txId }] })
  expect(await stepsOf(started, first.member, first.order._id)).toEqual([
    'placed',
    'payment_reported',
    'disputed',
  ])
  expect(await orderMailsTo(started, second.member)).toEqual(['order-placed', 'order-disputed'])
  const entries = (await auditOf(second.order._id)).filter(
    ({ action }) => action === 'order-transaction-refused',
  )
  expect(entries).toEqual([
    {
      actor_id: second.member.id,
      action: 'order-transaction-refused',
      detail: { orders: [first.order._id] },
    },
  ])
  expect(JSON.stringify(await auditOf(second.order._id))).not.toContain(txId)
})

test('a repeated claim is rejected and logged, but raises nothing more', async () => {
  const { second, txId } = await aDispute()
  expect((await report(second.member, second.order._id, txId)).problem.code).toBe('conflict')
  expect(
    (await stepsOf(started, second.member, second.order._id)).filter((kind) => kind === 'disputed'),
  ).toEqual(['disputed'])
  await update({ _id: second.order._id, disputed: false, reason: 'The chain says otherwise.' })
  expect((await report(second.member, second.order._id, txId)).problem.code).toBe('conflict')
  expect(await disputed(second.member)).toEqual([])
  // Once finance has decided, the deadline runs again.
  await moveDeadline(started, second.order._id, -1)
  await enforceDeadlines(services)
  expect((await read(second.order._id)).status).toBe('cancelled')
})

test('a member cannot cancel an order under review by finance', async () => {
  const { second } = await aDispute()
  expect(
    (
      await call(
        api.cancelOrder,
        { params: { id: second.order._id }, body: null },
        { token: second.member.token },
      )
    ).problem.code,
  ).toBe('conflict')
})

test('neither order can be completed before finance resolves the dispute with a reason', async () => {
  const { first, second } = await aDispute()
  for (const { order } of [first, second]) {
    expect((await update({ _id: order._id, status: 'completed' })).problem).toMatchObject({
      code: 'conflict',
      errors: [{ path: 'disputed', code: 'unsettled' }],
    })
    expect((await update({ _id: order._id, disputed: false })).problem.errors).toMatchObject([
      { path: 'reason', code: 'required' },
    ])
  }
  const settled = await update({
    _id: first.order._id,
    disputed: false,
    status: 'completed',
    reason: 'Sent from the wallet of this member.',
  })
  expect(settled.body).toMatchObject({ status: 'completed', disputed: false })
  const kinds = (await mailsTo(first.member.email)).map(({ kind }) => kind)
  expect(kinds.at(-1)).toBe('order-delivery-address-needed')
  expect(kinds).not.toContain('order-completed')
})

test('finance moves a transaction from one order to the one that it paid', async () => {
  const { first, second, txId } = await aDispute()
  expect((await update({ _id: first.order._id, txId: null })).problem.errors).toMatchObject([
    { path: 'reason', code: 'required' },
  ])
  const taken = await update({
    _id: first.order._id,
    txId: null,
    disputed: false,
    reason: 'Another member sent it.',
  })
  expect(taken.body).toMatchObject({ txId: '', disputed: false, status: 'pending' })
  expect((await mailsTo(first.member.email)).at(-1)!.text).toContain('Another member sent it.')
  // The second member's new claim is still rejected: finance decides who paid.
  expect((await report(second.member, second.order._id, txId)).problem.code).toBe('conflict')
  const given = await update({
    _id: second.order._id,
    txId,
    sharesTransaction: true,
    disputed: false,
    reason: 'It is theirs.',
  })
  expect(given.body).toMatchObject({ txId, status: 'pending', reportedLate: false, disputed: false })
  expect((await update({ _id: second.order._id, status: 'completed' })).body).toMatchObject({
    status: 'completed',
    txId,
  })
  // An order that lost its transaction counts as unpaid, as if it never had one.
  await moveDeadline(started, first.order._id, -1)
  await enforceDeadlines(services)
  expect((await read(first.order._id)).status).toBe('cancelled')
})

test('records a claim on a canceled order, and one after the deadline', async () => {
  const [holder, cancelled, overdue] = [await aPlacedOrder(), await aPlacedOrder(), await aPlacedOrder()]
  const txId = aTxId()
  await report(holder.member, holder.order._id, txId)
  await call(
    api.cancelOrder,
    { params: { id: cancelled.order._id }, body: null },
    { token: cancelled.member.token },
  )
  await moveDeadline(started, overdue.order._id, -1)
  for (const { member, order } of [cancelled, overdue]) {
    expect((await report(member, order._id, txId)).problem.code).toBe('conflict')
    expect(await read(order._id)).toMatchObject({ status: 'cancelled', disputed: true })
  }
})

test('of ten concurrent claims of one transaction, one has it and nine are disputed', async () => {
  const crowd = []
  for (let n = 0; n < 10; n += 1) crowd.push(await aPlacedOrder())
  const txId = aTxId()
  await Promise.all(crowd.map(({ member, order }) => report(member, order._id, txId)))
  const orders = await Promise.all(crowd.map(({ order }) => read(order._id)))
  expect(orders.filter((order) => order.txId === txId)).toHaveLength(1)
  expect(orders.filter((order) => order.disputed)).toHaveLength(10)
  for (const { order } of crowd) await moveDeadline(started, order._id, -1)
  await enforceDeadlines(services)
  expect(
    new Set((await Promise.all(crowd.map(({ order }) => read(order._id)))).map(({ status }) => status)),
  ).toEqual(new Set(['pending']))
})

test('the reason for a shared payment is emailed to neither member', async () => {
  const { second, txId } = await aDispute()
  const shared = await update({
    _id: second.order._id,
    txId,
    sharesTransaction: true,
    disputed: false,
    reason: 'The other order is of a relative.',
  })
  expect(shared.body).toMatchObject({ txId, sharesTransaction: true, disputed: false })
  expect(JSON.stringify(await mailsTo(second.member.email))).not.toContain('relative')
  const { body } = await call(
    api.getOrderPayment,
    { params: { id: second.order._id } },
    { token: second.member.token },
  )
  expect(JSON.stringify(body.steps)).not.toContain('relative')
})

test('limits an order to ten transactions', async () => {
  const { member, order } = await aPlacedOrder()
  for (let n = 0; n < 10; n += 1) expect((await report(member, order._id, aTxId())).status).toBe(200)
  expect((await report(member, order._id, aTxId())).problem.errors).toMatchObject([
    { path: 'txId', code: 'too_many' },
  ])
})

test('officers cannot resolve a dispute about a transaction of their own order', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  await proveIdentity(started, officer)
  const [own, payer] = [await anOrderOf(started, officer), await aPlacedOrder()]
  const txId = aTxId()
  await report(officer, own._id, txId)
  await report(payer.member, payer.order._id, txId)
  const reason = 'It is mine.'
  for (const fields of [
    { disputed: false, reason },
    { status: 'cancelled', disputed: false, reason },
    { txId, sharesTransaction: true, reason },
    { status: 'cancelled', reason },
  ] as const) {
    const body = { _id: payer.order._id, ...fields }
    expect((await call(api.updateOrder, { body }, { token: officer.token })).problem.code).toBe('forbidden')
  }
  // It can't be assigned to an unrelated order either.
  const third = await aPlacedOrder()
  const given = { _id: third.order._id, txId, sharesTransaction: true, reason }
  expect((await call(api.updateOrder, { body: given }, { token: officer.token })).problem.code).toBe(
    'forbidden',
  )
  const entered = { memberId: third.member.id, txId, sharesTransaction: true, reason }
  expect((await call(api.createOrder, { body: entered }, { token: officer.token })).problem.code).toBe(
    'forbidden',
  )
  expect((await update({ _id: payer.order._id, disputed: false, reason })).status).toBe(200)
})

test('claims by others change no completed order: finance finds it, and its history stays', async () => {
  const [done, other] = [await aPlacedOrder(), await aPlacedOrder()]
  const txId = aTxId()
  await report(done.member, done.order._id, txId)
  await update({ _id: done.order._id, status: 'completed' })
  expect((await report(other.member, other.order._id, txId)).problem.code).toBe('conflict')
  expect(await disputed(done.member)).toEqual([done.order._id])
  expect(await stepsOf(started, done.member, done.order._id)).toEqual([
    'placed',
    'payment_reported',
    'completed',
  ])
  const settled = await update({ _id: done.order._id, disputed: false, reason: 'It paid this one.' })
  expect(settled.body).toMatchObject({ status: 'completed', disputed: false })
  expect(await disputed(done.member)).toEqual([])
})
