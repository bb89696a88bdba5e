import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, moveDeadline, updatePaid } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { enforceDeadlines } from './deadline-worker.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const today = new Date().toISOString().slice(0, 10)
const [finance, colleague] = [
  await aSignedInMember(started, { manage_finance: 2 }),
  await aSignedInMember(started, { manage_finance: 2 }),
]

const aTxId = () => randomBytes(32).toString('hex')
const report = async (by: TestMember, id: string, txId: string) => {
  const answer = await call(api.reportPayment, { params: { id }, body: { txId } }, { token: by.token })
  return answer
}
const update = (body: Parameters<typeof call<typeof api.updateOrder>>[1]['body'], by = finance) =>
  updatePaid(started, body, by)
const used = { status: 409, problem: { code: 'conflict', errors: [{ path: 'txId', code: 'tx_used' }] } }
const explained = { sharesTransaction: true, reason: 'Two payments arrived, both compared.' }

/** Reports one payment for an order, removes it there, and reports it for the next. */
async function aSwap() {
  const member = await aBuyer(started)
  const [first, second] = [await anOrderOf(started, member), await anOrderOf(started, member)]
  const [txId, madeUp] = [aTxId(), aTxId()]
  await report(member, first._id, txId)
  await report(member, first._id, madeUp)
  expect((await report(member, second._id, txId)).status).toBe(200)
  return { member, first, second, txId, madeUp }
}

test.each(['first', 'second'] as const)(
  'one payment completes one order: the %s one before the other',
  async (which) => {
    const { first, second, txId, madeUp } = await aSwap()
    const completeFirst = (more = {}) =>
      update({ _id: first._id, status: 'completed', txId: madeUp, ...more })
    const completeSecond = () => update({ _id: second._id, status: 'completed', txId })
    if (which === 'second') expect((await completeSecond()).body.status).toBe('completed')
    expect(await completeFirst()).toMatchObject(used)
    expect((await completeFirst({ sharesTransaction: true })).problem.errors).toMatchObject([
      { path: 'reason', code: 'required' },
    ])
    expect((await completeFirst(explained)).body).toMatchObject({
      status: 'completed',
      sharesTransaction: true,
    })
    if (which === 'first') expect(await completeSecond()).toMatchObject(used)
  },
)

test('a transaction that a completed order ever had is not free for another', async () => {
  const member = await aBuyer(started)
  const [first, second] = [await anOrderOf(started, member), await anOrderOf(started, member)]
  const [txId, later] = [aTxId(), aTxId()]
  await report(member, first._id, txId)
  await report(member, first._id, later)
  await update({ _id: first._id, status: 'completed', txId: later })
  expect(await report(member, second._id, txId)).toMatchObject(used)
  expect(await update({ _id: second._id, txId })).toMatchObject(used)
  const entered = { memberId: member.id, txId, payMethod: 'BTC', amount: '0.5' }
  expect(await call(api.createOrder, { body: entered }, { token: finance.token })).toMatchObject(used)
})

/** Reports a payment for a canceled order, refunds it, and replaces it with a made-up one. */
async function aRefund() {
  const member = await aBuyer(started)
  const [cancelled, next] = [await anOrderOf(started, member), await anOrderOf(started, member)]
  const [txId, madeUp] = [aTxId(), aTxId()]
  await update({ _id: cancelled._id, status: 'cancelled' })
  await report(member, cancelled._id, txId)
  await update({ _id: cancelled._id, reportedLate: false, reason: 'Sent back.' })
  return { member, cancelled, next, txId, madeUp }
}

test.each(['its member', 'finance'] as const)(
  'a refunded payment is not free for another order after %s replaced it',
  async (who) => {
    const { member, cancelled, next, txId, madeUp } = await aRefund()
    if (who === 'its member') await report(member, cancelled._id, madeUp)
    else await update({ _id: cancelled._id, txId: null, reason: 'Sent back.' })
    const csv = `reference,txId,amount,date,complete\n${next.reference},${txId},0.5,${today},yes`
    const file = { file: Buffer.from(csv).toString('base64') }
    const planned = await call(api.importOrderPayments, { body: file }, { token: finance.token })
    expect(planned.body).toMatchObject({ lines: [], open: 1, problems: [{ problem: 'tx_used' }] })
    expect(await report(member, next._id, txId)).toMatchObject(used)
    expect(await update({ _id: next._id, txId, disputed: false, reason: 'Seen.' })).toMatchObject(used)
    const shared = { txId, disputed: false, ...explained }
    expect((await update({ _id: next._id, ...shared })).body.txId).toBe(txId)
    expect((await update({ _id: next._id, status: 'completed' })).body.status).toBe('completed')
  },
)

test('a transaction reported for another order before the first was canceled is not free', async () => {
  const member = await aBuyer(started)
  const [first, second] = [await anOrderOf(started, member), await anOrderOf(started, member)]
  const [txId, madeUp] = [aTxId(), aTxId()]
  await report(member, first._id, txId)
  await report(member, first._id, madeUp)
  expect((await report(member, second._id, txId)).status).toBe(200)
  await update({ _id: first._id, status: 'cancelled', reason: 'Made up.' })
  expect(await update({ _id: second._id, status: 'completed' })).toMatchObject(used)
  expect((await update({ _id: second._id, status: 'completed', ...explained })).body.status).toBe('completed')
})

test('a transaction only rejected for a canceled order is free', async () => {
  const [payer, other] = [await aBuyer(started), await aBuyer(started)]
  const [paid, claimed] = [await anOrderOf(started, payer), await anOrderOf(started, other)]
  const txId = aTxId()
  await report(payer, paid._id, txId)
  expect(await report(other, claimed._id, txId)).toMatchObject(used)
  await update({ _id: claimed._id, status: 'cancelled' })
  await update({ _id: paid._id, disputed: false, reason: 'It is theirs.' })
  expect((await update({ _id: paid._id, status: 'completed' })).body.status).toBe('completed')
})

test('a transaction that finance replaced or entered in a completed order is not free', async () => {
  const member = await aBuyer(started)
  const [txId, right] = [aTxId(), aTxId()]
  const entered = await call(
    api.createOrder,
    {
      body: {
        memberId: member.id,
        txId,
        payMethod: 'BTC',
        amount: '0.5',
        fabQty: '1',
        status: 'completed',
        reason: 'Paid before.',
      },
    },
    { token: finance.token },
  )
  expect(entered.status).toBe(201)
  await update({ _id: entered.body._id, txId: right, reason: 'A typing error.' })
  const second = await anOrderOf(started, member)
  expect(await report(member, second._id, txId)).toMatchObject(used)
})

test('two officers who complete two orders with one past payment at once complete one', async () => {
  for (let n = 0; n < 5; n += 1) {
    const member = await aBuyer(started)
    const [first, second] = [await anOrderOf(started, member), await anOrderOf(started, member)]
    const [txId, ofFirst, ofSecond] = [aTxId(), aTxId(), aTxId()]
    await report(member, first._id, txId)
    await report(member, first._id, ofFirst)
    await report(member, second._id, txId)
    await report(member, second._id, ofSecond)
    const answers = await Promise.all([
      update({ _id: first._id, status: 'completed', txId: ofFirst }),
      update({ _id: second._id, status: 'completed', txId: ofSecond }, colleague),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  }
})

test('a transaction swapped during finance’s review does not complete the order, and frees no payment', async () => {
  const member = await aBuyer(started)
  const [order, next] = [await anOrderOf(started, member), await anOrderOf(started, member)]
  const [seen, swapped] = [aTxId(), aTxId()]
  const opened = (await report(member, order._id, seen)).body
  const csv = `reference,txId,amount,date,complete\n${order.reference},${seen},0.5,${today},yes`
  const file = { file: Buffer.from(csv).toString('base64') }
  const send = async (body: Parameters<typeof call<typeof api.importOrderPayments>>[1]['body']) =>
    (await call(api.importOrderPayments, { body }, { token: finance.token })).body
  const { lines } = await send(file)
  await report(member, order._id, swapped)
  const complete = (more: object) => update({ _id: order._id, status: 'completed', ...more })
  expect((await complete({ updatedAt: opened.updatedAt })).problem.code).toBe('conflict')
  const seenAs = (shown: typeof lines) => shown.map(({ id, updatedAt }) => ({ id, updatedAt }))
  const stopped = await send({ ...file, seen: seenAs(lines) })
  expect(stopped).toMatchObject({
    state: 'changed',
    lines: [{ id: order._id, effect: 'nothing', isChanged: true }],
    open: 1,
    problems: [{ column: 'txId', problem: 'other_tx' }],
  })
  expect(await send({ ...file, seen: seenAs(stopped.lines) })).toMatchObject({
    state: 'applied',
    lines: [],
    open: 1,
  })
  // The transaction of a recorded payment stays.
  for (const more of [{}, { reason: 'Seen.' }])
    expect((await complete({ txId: seen, ...more })).problem.errors).toMatchObject([
      { path: 'txId', code: 'payment_received' },
    ])
  expect((await complete({})).body.status).toBe('completed')
  for (const txId of [seen, swapped]) expect(await report(member, next._id, txId)).toMatchObject(used)
})

test('the payment file does not complete anything twice either, and the preview says so', async () => {
  const { first, madeUp } = await aSwap()
  const csv = `reference,txId,amount,date,complete\n${first.reference},${madeUp},0.5,${today},yes`
  const { body } = await call(
    api.importOrderPayments,
    { body: { file: Buffer.from(csv).toString('base64') } },
    { token: finance.token },
  )
  expect(body).toMatchObject({ lines: [], open: 1, problems: [{ column: 'txId', problem: 'tx_used' }] })
})

test('completes both orders if both are confirmed to share a payment', async () => {
  const member = await aBuyer(started)
  const [first, second] = [await anOrderOf(started, member), await anOrderOf(started, member)]
  const txId = aTxId()
  await report(member, first._id, txId)
  expect((await update({ _id: second._id, txId, ...explained })).body.sharesTransaction).toBe(true)
  for (const { _id } of [first, second])
    expect((await update({ _id, status: 'completed' })).body.status).toBe('completed')
})

test('an order that loses its transaction after the deadline gets a new payment period', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  await report(member, order._id, aTxId())
  await moveDeadline(started, order._id, -3600)
  const before = Date.now()
  const taken = await update({ _id: order._id, txId: null, reason: 'Not on the chain.' })
  expect(Date.parse(taken.body.payBefore!) - before).toBeGreaterThan(23.9 * 3600_000)
  await enforceDeadlines(services)
  const { body } = await call(api.getOrder, { params: { id: order._id } }, { token: member.token })
  expect(body).toMatchObject({ status: 'pending', payBefore: taken.body.payBefore })
})

test('resolving a dispute after the deadline gives a new payment period, and never shortens one', async () => {
  const [holder, payer] = [await aBuyer(started), await aBuyer(started)]
  const held = await anOrderOf(started, holder)
  const txId = aTxId()
  await report(holder, held._id, txId)
  const [late, long] = [await anOrderOf(started, payer), await anOrderOf(started, payer)]
  for (const { _id } of [late, long]) await report(payer, _id, txId)
  await moveDeadline(started, late._id, -3600)
  await moveDeadline(started, long._id, 90 * 3600)
  const settle = (_id: string) => update({ _id, disputed: false, reason: 'It is not theirs.' })
  const before = Date.now()
  expect(Date.parse((await settle(late._id)).body.payBefore!) - before).toBeGreaterThan(23.9 * 3600_000)
  expect(Date.parse((await settle(long._id)).body.payBefore!) - before).toBeGreaterThan(89 * 3600_000)
  await enforceDeadlines(services)
  const { body } = await call(api.getOrder, { params: { id: late._id } }, { token: payer.token })
  expect(body.status).toBe('pending')
})
