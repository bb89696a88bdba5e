import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, moveDeadline, updatePaid } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { enforceDeadlines } from './deadline-worker.ts'

const started = await startApi({}, afterAll)
const { call } = started
const today = new Date().toISOString().slice(0, 10)
const [finance, second] = [
  await aSignedInMember(started, { manage_finance: 2 }),
  await aSignedInMember(started, { manage_finance: 2 }),
]

type Change = Omit<Parameters<typeof call<typeof api.updateOrder>>[1]['body'], '_id'>
const aTxId = () => randomBytes(32).toString('hex')
const report = (by: TestMember, id: string, txId: string) =>
  call(api.reportPayment, { params: { id }, body: { txId } }, { token: by.token })
const update = (id: string, body: Change, by = finance) => updatePaid(started, { ...body, _id: id }, by)
const read = async (id: string) =>
  (await call(api.getOrder, { params: { id } }, { token: finance.token })).body
const console = async (id: string, by = finance) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: by.token })).body
const importing = async (order: { reference: string }, txId: string) => {
  const csv = `reference,txId,amount,date,complete\n${order.reference},${txId},0.5,${today},yes`
  const { body } = await call(
    api.importOrderPayments,
    { body: { file: Buffer.from(csv).toString('base64') } },
    { token: second.token },
  )
  return body
}
const used = { status: 409, problem: { code: 'conflict', errors: [{ path: 'txId', code: 'tx_used' }] } }
const confirmed = { sharesTransaction: true, reason: 'Compared with the chain: it is theirs.' }

const takings: [string, () => Change][] = [
  ['takes away', () => ({ txId: null, reason: 'Sent back.' })],
  ['replaces', () => ({ txId: aTxId(), reason: 'Sent back, another one came.' })],
]

/** Reports a payment for an order that stays open, and lets finance remove it there. */
async function aTaking(take = takings[0]![1]) {
  const member = await aBuyer(started)
  const [from, next] = [await anOrderOf(started, member), await anOrderOf(started, member)]
  const txId = aTxId()
  expect((await report(member, from._id, txId)).status).toBe(200)
  expect((await update(from._id, take())).body).toMatchObject({ status: 'pending' })
  return { member, from, next, txId }
}

test.each(takings)(
  'a transaction that finance %s in a pending order is not free for another',
  async (_, take) => {
    const { member, from, next, txId } = await aTaking(take)
    expect(await importing(next, txId)).toMatchObject({
      lines: [],
      open: 1,
      problems: [{ problem: 'tx_used' }],
    })
    expect(await report(member, next._id, txId)).toMatchObject(used)
    expect((await read(next._id)).disputed).toBe(true)
    // What finance has decided is not flagged again, and the deadline is not renewed.
    expect((await read(from._id)).disputed).toBe(false)
    const settled = { disputed: false, reason: 'Seen.' }
    expect(await update(next._id, { txId, ...settled }, second)).toMatchObject(used)
    const entered = { memberId: member.id, txId, payMethod: 'BTC', amount: '0.5' }
    expect(await call(api.createOrder, { body: entered }, { token: second.token })).toMatchObject(used)
    expect((await update(next._id, { txId, disputed: false, ...confirmed }, second)).body).toMatchObject({
      txId,
      sharesTransaction: true,
    })
    expect((await update(next._id, { status: 'completed' }, second)).body.status).toBe('completed')
  },
)

test.each(takings)('a transaction that finance %s is not free for the same order again', async (_, take) => {
  const { member, from, txId } = await aTaking(take)
  const { txId: now } = await read(from._id)
  expect(await importing(from, txId)).toMatchObject({ lines: [], open: 1, problems: [{ column: 'txId' }] })
  expect(await report(member, from._id, txId)).toMatchObject(used)
  expect(await read(from._id)).toMatchObject({ txId: now, disputed: true })
  await update(from._id, { disputed: false, reason: 'Sent back.' })
  expect(await update(from._id, { txId, reason: 'Seen.' }, second)).toMatchObject(used)
  expect((await update(from._id, { txId, ...confirmed }, second)).body.sharesTransaction).toBe(true)
  expect((await update(from._id, { status: 'completed' }, second)).body.status).toBe('completed')
})

test('reporting it again blocks neither the price nor the completion of the order that lost it', async () => {
  const { member, from, next, txId } = await aTaking()
  const before = (await read(from._id)).payBefore
  expect(await report(member, next._id, txId)).toMatchObject(used)
  const stranger = await aBuyer(started)
  expect(await report(stranger, (await anOrderOf(started, stranger))._id, txId)).toMatchObject(used)
  expect(await read(from._id)).toMatchObject({ status: 'pending', disputed: false, payBefore: before })
  await moveDeadline(started, from._id, -1)
  await enforceDeadlines(started.services)
  expect((await read(from._id)).status).toBe('cancelled')
})

test('it is not free for the same order once canceled, even as a late report', async () => {
  const { member, from, txId } = await aTaking()
  await update(from._id, { status: 'cancelled' })
  expect(await report(member, from._id, txId)).toMatchObject(used)
  expect(await read(from._id)).toMatchObject({ txId: '', disputed: true })
})

test('an order that named it before it was removed elsewhere is not completed by it or by another', async () => {
  const member = await aBuyer(started)
  const [early, from] = [await anOrderOf(started, member), await anOrderOf(started, member)]
  const [txId, madeUp] = [aTxId(), aTxId()]
  await report(member, early._id, txId)
  await report(member, early._id, madeUp)
  expect((await report(member, from._id, txId)).status).toBe(200)
  await update(from._id, { txId: null, reason: 'Sent back.' })
  expect(await importing(early, madeUp)).toMatchObject({ problems: [{ problem: 'tx_used' }] })
  expect(await update(early._id, { status: 'completed' }, second)).toMatchObject(used)
  expect((await update(early._id, { status: 'completed', ...confirmed }, second)).body.status).toBe(
    'completed',
  )
})

test('finance assigns it to a payer from whom a thief took it', async () => {
  const [thief, payer] = [await aBuyer(started), await aBuyer(started)]
  const [stolen, paid] = [await anOrderOf(started, thief), await anOrderOf(started, payer)]
  const txId = aTxId()
  await report(thief, stolen._id, txId)
  expect(await report(payer, paid._id, txId)).toMatchObject(used)
  await update(stolen._id, { txId: null, disputed: false, reason: 'Another member sent it.' })
  expect((await update(paid._id, { txId, disputed: false, ...confirmed })).body).toMatchObject({ txId })
  expect((await update(paid._id, { status: 'completed' })).body.status).toBe('completed')
  expect(await report(thief, stolen._id, txId)).toMatchObject(used)
})

test('correcting one’s own report is not flagged', async () => {
  const member = await aBuyer(started)
  const [order, next] = [await anOrderOf(started, member), await anOrderOf(started, member)]
  const [txId, other] = [aTxId(), aTxId()]
  for (const named of [txId, other, txId]) expect((await report(member, order._id, named)).status).toBe(200)
  expect(await read(order._id)).toMatchObject({ txId, disputed: false })
  await report(member, order._id, other)
  expect((await report(member, next._id, txId)).status).toBe(200)
})

test('colleagues see who removed what, and the member sees only the correction', async () => {
  const { member, from, txId } = await aTaking()
  expect((await console(from._id)).steps).toContainEqual(
    expect.objectContaining({
      kind: 'transaction_taken',
      txId,
      by: expect.objectContaining({ id: finance.id }),
    }),
  )
  const { body } = await call(api.getOrderPayment, { params: { id: from._id } }, { token: member.token })
  expect(body.steps.map(({ kind }) => kind)).toEqual([
    'placed',
    'payment_reported',
    'corrected',
    'deadline_extended',
  ])
})

test('remembers a transaction named by finance for a canceled order after its member names another', async () => {
  const member = await aBuyer(started)
  const [order, next] = [await anOrderOf(started, member), await anOrderOf(started, member)]
  const txId = aTxId()
  await update(order._id, { status: 'cancelled' })
  expect((await update(order._id, { txId, reason: 'Arrived after all.' })).body.txId).toBe(txId)
  await report(member, order._id, aTxId())
  expect(await report(member, next._id, txId)).toMatchObject(used)
})
