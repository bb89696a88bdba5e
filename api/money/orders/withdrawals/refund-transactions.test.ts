import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startAnotherInstance, startApi } from '#tests/setup/start-api.ts'
import { lockTransactionKeys } from '../order-transaction.queries.ts'

/* A transaction either pays an order or refunds one. */

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call, services } = started
const refundAddress = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const today = new Date().toISOString().slice(0, 10)
let accepting: TestMember
let refunding: TestMember
let counter = 0
const aTx = () => `0x${(++counter).toString(16).padStart(64, 'c')}`

beforeEach(async () => {
  accepting = await aSignedInMember(started, { manage_finance: 2 })
  refunding = await aSignedInMember(started, { manage_finance: 2 })
})

async function anEthOrder(fields: object = {}) {
  const member = await aSignedInMember(started)
  const due = { payMethod: 'ETH', payChain: 'ethereum', fabQty: '10', amount: '1.5' } as const
  return { member, order: await anOrder(started, member.id, { ...due, ...fields }) }
}
async function anAccepted() {
  const { member, order } = await anEthOrder({ txId: aTx(), paidAmount: '1.5' })
  const of = { token: member.token }
  const made = await call(api.requestWithdrawal, { params: { id: order.id }, body: { refundAddress } }, of)
  const { id } = made.body
  await call(api.acceptWithdrawal, { params: { id }, body: {} }, { token: accepting.token })
  return { id, member, orderId: order.id }
}
const refund = (id: string, txId: string, more: object = {}) =>
  call(
    api.recordRefund,
    { params: { id }, body: { amount: '1.5', txId, paidOn: today, ...more } },
    { token: refunding.token },
  )
const report = (by: TestMember, id: string, txId: string) =>
  call(api.reportPayment, { params: { id }, body: { txId } }, { token: by.token })
const update = (id: string, body: object) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, { token: refunding.token })
const flagsOf = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: accepting.token })).body.flags
const isIncoming = [{ path: 'txId', code: 'incoming_payment' }]

async function aWatchedTransfer(txId: string) {
  const { order } = await anEthOrder()
  const account = `account ${order.id}`
  await services.db
    .insertInto('chain_account')
    .values({ id: account, coin: 'ETH', next_position: 1 })
    .execute()
  const address = await services.db
    .insertInto('chain_address')
    .values({
      coin: 'ETH',
      target: order.id,
      address: order.id,
      order_id: order.id,
      account_id: account,
      position: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await services.db
    .insertInto('chain_transfer')
    .values({ coin: 'ETH', address_id: address.id, tx_id: txId, output: 0, amount: '1.5' })
    .execute()
}

test('a refund does not name a transaction that was reported for another order, however it is written', async () => {
  const txId = aTx()
  await anEthOrder({ txId, paidAmount: '1.5' })
  const { id } = await anAccepted()
  const reason = 'Sent.'
  for (const written of [txId, txId.toUpperCase().replace('0X', '0x')])
    expect((await refund(id, written, { reason })).problem.errors).toMatchObject(isIncoming)
  // In another coin, IDs are free text.
  const lookalike = { currency: 'USD', reason }
  for (const written of [` ${txId.slice(2)}.`, txId.replace('c', 'с')])
    expect((await refund(id, written, lookalike)).problem.errors).toMatchObject(isIncoming)
})

test('a member’s report of the refund as a payment doesn’t stop the refund, and is disputed once it is recorded', async () => {
  const txId = aTx()
  const { id, member } = await anAccepted()
  const { order } = await anEthOrder()
  await services.db
    .updateTable('token_order')
    .set({ member_id: member.id })
    .where('id', '=', order.id)
    .execute()
  expect((await report(member, order.id, txId)).status).toBe(200)
  expect((await refund(id, txId)).body.state).toBe('refunded')
  expect(await flagsOf(order.id)).toContain('disputed')
  const mails = (await started.mailsTo(member.email)).map(({ kind }) => kind)
  expect(mails.slice(-2).toSorted()).toEqual(['order-disputed', 'order-refunded'])
  const complete = await update(order.id, { status: 'completed', paidAmount: '1.5', reason: 'Paid.' })
  expect(complete.problem.errors).toMatchObject([{ path: 'txId', code: 'tx_used' }])
})

test('finance learns that a refund disputes what a member reported before, as if it was reported after', async () => {
  const toFinance = async (officer: TestMember) =>
    (await started.mailsTo(officer.email)).flatMap(({ kind }) =>
      kind.startsWith('staff-order') ? [kind] : [],
    )
  for (const isReportedFirst of [false, true]) {
    const [{ id }, { order, member }, txId] = [await anAccepted(), await anEthOrder(), aTx()]
    const before = await toFinance(accepting)
    if (isReportedFirst) await report(member, order.id, txId)
    expect((await refund(id, txId)).body.state).toBe('refunded')
    if (!isReportedFirst) await report(member, order.id, txId)
    for (const officer of [accepting, refunding])
      expect(await toFinance(officer)).toEqual([...before, 'staff-order-disputed'])
  }
})

test.each(['recorded', 'named by finance'])(
  'a reported payment that was %s can’t be recorded as a refund',
  async (how) => {
    const txId = aTx()
    const { order, member } = await anEthOrder()
    expect((await report(member, order.id, txId)).status).toBe(200)
    if (how === 'recorded') await update(order.id, { paidAmount: '1.5' })
    else {
      await update(order.id, { txId: null, reason: 'A mistake.' })
      await update(order.id, { txId, reason: 'It was right.', sharesTransaction: true })
    }
    const { id } = await anAccepted()
    expect((await refund(id, txId, { reason: 'Sent.' })).problem.errors).toMatchObject(isIncoming)
  },
)

test('a refund names no payment that a statement shows, even before it is assigned to an order', async () => {
  const [txId, sent] = [aTx(), aTx()]
  const csv = `date;amount;note;txId\n${today};1.5;From a friend;${txId}\n${today};-1.5;Refund;${sent}\n`
  const columns = { date: 0, amount: 1, reference: 2, txId: 3 }
  const mapping = { columns, currency: 'ETH', numbers: 'plain', dates: 'iso' } as const
  const body = { file: Buffer.from(csv).toString('base64'), mapping, seen: [] }
  const by = { token: accepting.token }
  expect((await call(api.importOrderPayments, { body }, by)).body).toMatchObject({ open: 1, ignored: 1 })
  const { id } = await anAccepted()
  expect((await refund(id, txId, { reason: 'Sent.' })).problem.errors).toMatchObject(isIncoming)
  expect((await refund(id, sent)).body.state).toBe('refunded')
})

test('a refund names no payment that the chain shows for another order, but one that finance removed', async () => {
  const [watched, removed] = [aTx(), aTx()]
  await aWatchedTransfer(watched)
  const taken = await anEthOrder()
  await report(taken.member, taken.order.id, removed)
  await update(taken.order.id, { txId: null, reason: 'A mistake.' })
  const { id } = await anAccepted()
  expect((await refund(id, watched, { reason: 'Sent.' })).problem.errors).toMatchObject(isIncoming)
  // Finance decided that this is no payment of the order.
  expect((await refund(id, removed)).body.state).toBe('refunded')
})

test('a member who reports a refund as a payment disputes it, and the order waits', async () => {
  const txId = aTx()
  const { id, member, orderId } = await anAccepted()
  expect((await refund(id, txId)).body.state).toBe('refunded')
  const { order, member: other } = await anEthOrder()
  const reported = await report(other, order.id, txId.toUpperCase().replace('0X', '0x'))
  expect(reported.problem.errors).toMatchObject([{ path: 'txId', code: 'tx_used' }])
  expect(await flagsOf(order.id)).toContain('disputed')
  // The refunded order itself was not paid by it either.
  expect((await report(member, orderId, txId)).problem.errors).toMatchObject([{ code: 'tx_used' }])
})

test('finance confirms with a reason that a refund pays an order, and completing asks too', async () => {
  const txId = aTx()
  const { id } = await anAccepted()
  await refund(id, txId)
  const { order } = await anEthOrder()
  const body = { txId, paidAmount: '1.5' }
  const used = [{ path: 'txId', code: 'tx_used' }]
  expect((await update(order.id, body)).problem.errors).toMatchObject(used)
  // Simulates that it was named while the refund was being recorded.
  const { order: named } = await anEthOrder({ txId, paidAmount: '1.5' })
  expect((await update(named.id, { status: 'completed' })).problem.errors).toMatchObject(used)
  const confirmed = { sharesTransaction: true, reason: 'The member asked to pay with the refund.' }
  expect((await update(named.id, { status: 'completed', ...confirmed })).body.status).toBe('completed')
})

test('an import does not record a refund as a payment', async () => {
  const txId = aTx()
  const { id } = await anAccepted()
  await refund(id, txId)
  const { order } = await anEthOrder()
  const csv = `reference,txId,amount,date,complete\n${order.reference},${txId},1.5,${today},yes\n`
  const body = { file: Buffer.from(csv).toString('base64') }
  const { body: plan } = await call(api.importOrderPayments, { body }, { token: refunding.token })
  expect(plan.problems).toMatchObject([{ column: 'txId', problem: 'tx_used' }])
})

test('a report waits for a request that is recording its transaction as a refund', async () => {
  const txId = aTx()
  const [{ id }, { order, member }] = [await anAccepted(), await anEthOrder()]
  const reported = await services.db.transaction().execute(async (db) => {
    await lockTransactionKeys(db, [txId.slice(2)])
    const pending = report(member, order.id, txId)
    const isFirst = await Promise.race([
      pending.then(() => true),
      new Promise((resolve) => setTimeout(() => resolve(false), 500)),
    ])
    expect(isFirst).toBe(false)
    return { pending }
  })
  expect((await reported.pending).status).toBe(200)
  // A report alone makes it no payment, so the refund is recorded, and the report is disputed.
  expect((await refund(id, txId)).body.state).toBe('refunded')
  expect(await flagsOf(order.id)).toContain('disputed')
})

test.each(['update', 'import'])('one transaction does not refund and pay at once: %s', async (way) => {
  const other = await startAnotherInstance(started)
  for (let n = 0; n < 4; n += 1) {
    const txId = aTx()
    const [{ id }, { order }] = [await anAccepted(), await anEthOrder()]
    const csv = `reference,txId,amount,date,complete\n${order.reference},${txId},1.5,${today},yes\n`
    const seen = [{ id: order.id, updatedAt: order.updated_at.toISOString() }]
    const pay = { _id: order.id, txId, paidAmount: '1.5', status: 'completed' as const, reason: 'Counted.' }
    const by = { token: accepting.token }
    const [refunded] = await Promise.all([
      refund(id, txId),
      way === 'update'
        ? other.call(api.updateOrder, { body: pay }, by)
        : other.call(
            api.importOrderPayments,
            { body: { file: Buffer.from(csv).toString('base64'), seen } },
            by,
          ),
    ])
    const { body } = await call(api.getConsoleOrder, { params: { id: order.id } }, by)
    expect([refunded.status === 200, body.order.status === 'completed'].toSorted()).toEqual([false, true])
  }
})
