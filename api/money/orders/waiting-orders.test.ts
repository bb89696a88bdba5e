import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { aSale, aSignedInMember, proveIdentity, saleSettings, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, orderMailsTo, stepsOf } from '#tests/orders.ts'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'
import { enforceDeadlines } from './deadline-worker.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
const setter = await aSignedInMember(started, { manage_coins: 2 })
const admin = await aSignedInMember(started, { is_write_access_admin: true })

const aTxId = () => randomBytes(32).toString('hex')
const update = (body: Parameters<typeof call<typeof api.updateOrder>>[1]['body']) =>
  call(api.updateOrder, { body }, { token: finance.token })
const report = (by: TestMember, id: string) =>
  call(api.reportPayment, { params: { id }, body: { txId: aTxId() } }, { token: by.token })
const read = async (by: TestMember, id: string) =>
  (await call(api.getOrder, { params: { id } }, { token: by.token })).body
const flagged = async (flag: 'not_payable' | 'waits_long') =>
  (await call(api.listConsoleOrders, { query: { flag } }, { token: finance.token })).body
const toldOf = async (by: TestMember, kind: string) =>
  (await mailsTo(by.email)).filter((mail) => mail.kind === kind)
const aDayPasses = () => sql`delete from throttle`.execute(services.db)

/** Finance enters an order for a payment method that is closed, so there is no address to pay to. */
async function aWaitingOrder(of: TestApi = started, fields: object = {}) {
  await aSale(of, { isOpen: false })
  const member = await aSignedInMember(of)
  const order = await of.call(
    api.createOrder,
    { body: { memberId: member.id, payMethod: 'ETH', amount: '2', ...fields } },
    { token: finance.token },
  )
  expect(order.status).toBe(201)
  return { member, order: order.body }
}

test('an order without a sale, or agreed outside it, has its deadline', async () => {
  const { db } = services
  await db.deleteFrom('pay_method').execute()
  await db.deleteFrom('sale').execute()
  const member = await aSignedInMember(started)
  await proveIdentity(started, member)
  const own = await call(
    api.createOrder,
    { body: { payMethod: 'ETH', amount: '2' } },
    { token: member.token },
  )
  await aSale(started, { isOpen: false })
  const agreed = await call(
    api.createOrder,
    { body: { memberId: member.id, payMethod: 'Bank transfer', amount: '2', fabQty: '10' } },
    { token: finance.token },
  )
  for (const { status, body } of [own, agreed]) {
    expect(status).toBe(201)
    expect(body.payBefore).not.toBeNull()
    expect((await flagged('not_payable')).map(({ id }) => id)).not.toContain(body._id)
    await sql`update token_order set pay_before = now() - interval '1 minute' where id = ${body._id}`.execute(
      db,
    )
  }
  expect(await orderMailsTo(started, member)).toEqual(['order-placed', 'order-placed'])
  await enforceDeadlines(services)
  for (const { body } of [own, agreed])
    expect(await read(member, body._id)).toMatchObject({ status: 'cancelled' })
})

test('an order that cannot be paid yet has no deadline, and its member is told so', async () => {
  const { member, order } = await aWaitingOrder()
  expect(order.payBefore).toBeNull()
  expect(await orderMailsTo(started, member)).toEqual(['order-placed-waiting'])
  await services.db
    .updateTable('token_order')
    .set({ created_at: new Date('2026-01-01') })
    .where('id', '=', order._id)
    .execute()
  await enforceDeadlines(services)
  expect(await read(member, order._id)).toMatchObject({ status: 'pending', payBefore: null })
})

test('emails staff once about orders without an address, each with a link they can use', async () => {
  await enforceDeadlines(services)
  const [before, ofSetterBefore] = [
    (await toldOf(finance, 'staff-orders-not-payable')).length,
    (await toldOf(setter, 'staff-orders-not-payable')).length,
  ]
  await aDayPasses()
  await aWaitingOrder()
  await aWaitingOrder()
  const other = await startAnotherInstance(started)
  await Promise.all([services, other.services, services].map((each) => enforceDeadlines(each)))
  const [ofFinance, ofSetter] = [
    await toldOf(finance, 'staff-orders-not-payable'),
    await toldOf(setter, 'staff-orders-not-payable'),
  ]
  expect([ofFinance.length - before, ofSetter.length - ofSetterBefore]).toEqual([1, 1])
  expect(ofFinance.at(-1)!.text).toContain('/console/orders?flag=not_payable')
  expect(ofSetter.at(-1)!.text).toContain('/console/sale')
  expect((await toldOf(admin, 'staff-orders-not-payable')).at(-1)!.text).toMatch(/\/console$/m)
  // More such orders cause no further email on the same day, and orders already reported are not repeated on the next.
  const { order } = await aWaitingOrder()
  await enforceDeadlines(services)
  expect(await toldOf(finance, 'staff-orders-not-payable')).toHaveLength(before + 1)
  await aDayPasses()
  for (let n = 0; n < 3; n += 1) await enforceDeadlines(services)
  expect(await toldOf(finance, 'staff-orders-not-payable')).toHaveLength(before + 2)
  await aDayPasses()
  await enforceDeadlines(services)
  expect(await toldOf(finance, 'staff-orders-not-payable')).toHaveLength(before + 2)
  const found = (await flagged('not_payable')).find(({ id }) => id === order._id)
  expect(found?.flags).toEqual(['not_payable'])
})

test('assigning the address starts the payment period once, and the member is emailed', async () => {
  const { member, order } = await aWaitingOrder()
  const other = await startAnotherInstance(started)
  await aSale(started, { isOpen: false })
  await enforceDeadlines(services)
  expect((await read(member, order._id)).payBefore).toBeNull()
  await aSale(started)
  const before = Date.now()
  await Promise.all([services, other.services, services].map((each) => enforceDeadlines(each)))
  const now = await read(member, order._id)
  expect(Date.parse(now.payBefore!) - before).toBeGreaterThan(23.9 * HOUR)
  const { body } = await call(api.getOrderPayment, { params: { id: order._id } }, { token: member.token })
  expect(body).toMatchObject({ receivingAddress: saleSettings().payMethods[1]!.receivingAddress })
  expect(await orderMailsTo(started, member)).toEqual(['order-placed-waiting', 'order-payable'])
  expect((await mailsTo(member.email)).at(-1)!.text).not.toContain(body.receivingAddress)
  expect(await stepsOf(started, member, order._id)).toEqual(['placed', 'entered', 'payable'])
})

test('an order without an amount is not due; once finance sets it, the period starts', async () => {
  const { member, order } = await aWaitingOrder(started, { amount: null })
  await aSale(started)
  await enforceDeadlines(services)
  expect((await read(member, order._id)).payBefore).toBeNull()
  await update({ _id: order._id, amount: '3' })
  await enforceDeadlines(services)
  expect((await read(member, order._id)).payBefore).not.toBeNull()
  expect((await orderMailsTo(started, member)).at(-1)).toBe('order-payable')
})

test('another payment method brings its address and the full period, or waits for one', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  await sql`update token_order set pay_before = now() + interval '1 minute' where id = ${order._id}`.execute(
    services.db,
  )
  const before = Date.now()
  const reason = 'The member asked for it.'
  const moved = await update({ _id: order._id, payMethod: 'ETH', confirmsQuantity: true, reason })
  expect(Date.parse(moved.body.payBefore!) - before).toBeGreaterThan(23.9 * HOUR)
  const paid = async () =>
    (await call(api.getOrderPayment, { params: { id: order._id } }, { token: member.token })).body
  expect((await paid()).receivingAddress).toBe(saleSettings().payMethods[1]!.receivingAddress)
  // Outside the sale period nothing is sold; an order agreed by finance waits.
  await aSale(started, { closesAt: new Date(Date.now() - HOUR).toISOString() })
  const bank = await update({ _id: order._id, payMethod: 'Bank', confirmsQuantity: true, reason })
  expect(bank.body).toMatchObject({ payMethod: 'Bank' })
  expect(bank.body.payBefore).not.toBeNull()
  expect((await paid()).receivingAddress).toBe('')
  await enforceDeadlines(services)
  const again = await update({ _id: order._id, payMethod: 'BTC', confirmsQuantity: true, reason })
  expect(again.body.payBefore).not.toBeNull()
  expect((await paid()).receivingAddress).toBe(saleSettings().payMethods[0]!.receivingAddress)
  expect((await orderMailsTo(started, member)).at(-1)).toBe('order-payable')
})

test('a payment reported a week ago is flagged, and finance is emailed once', async () => {
  const member = await aBuyer(started)
  const [long, fresh] = [await anOrderOf(started, member), await anOrderOf(started, member)]
  for (const { _id } of [long, fresh]) await report(member, _id)
  const age = (id: string, days: number) =>
    sql`update token_order set reported_at = now() - ${days} * interval '1 day' where id = ${id}`.execute(
      services.db,
    )
  await age(long._id, 6.9)
  await enforceDeadlines(services)
  expect(await toldOf(finance, 'staff-orders-waiting')).toEqual([])
  await age(long._id, 7.1)
  // Another transaction does not restart the week.
  await report(member, long._id)
  const other = await startAnotherInstance(started)
  await Promise.all([services, other.services, services].map((each) => enforceDeadlines(each)))
  const [mail, ...more] = await toldOf(finance, 'staff-orders-waiting')
  expect(more).toEqual([])
  expect(mail!.text).toContain('/console/orders?flag=waits_long')
  expect((await flagged('waits_long')).map(({ id, flags }) => [id, flags])).toEqual([
    [long._id, ['payment_reported', 'waits_long']],
  ])
  const detail = await call(api.getConsoleOrder, { params: { id: long._id } }, { token: finance.token })
  expect(detail.body.flags).toEqual(['payment_reported', 'waits_long'])
  await aDayPasses()
  await enforceDeadlines(services)
  expect(await toldOf(finance, 'staff-orders-waiting')).toHaveLength(1)
  // If finance removed a transaction and it is reported again, the wait starts over and staff are notified again.
  await update({ _id: long._id, txId: null, reason: 'Not on the chain.' })
  await report(member, long._id)
  expect(await flagged('waits_long')).toEqual([])
  await age(long._id, 8)
  await enforceDeadlines(services)
  expect(await toldOf(finance, 'staff-orders-waiting')).toHaveLength(2)
})

test('a late report of a canceled order is flagged after a week, from each new report', async () => {
  const member = await aBuyer(started)
  const { _id: id } = await anOrderOf(started, member)
  const [mails, early] = [(await toldOf(finance, 'staff-orders-waiting')).length, aTxId()]
  const aWeekPasses = async () => {
    await sql`update token_order set reported_at = reported_at - interval '8 days' where id = ${id}`.execute(
      services.db,
    )
    await aDayPasses()
    await enforceDeadlines(services)
  }
  const told = async () => (await toldOf(finance, 'staff-orders-waiting')).length - mails
  const flagsOf = async () =>
    (await call(api.getConsoleOrder, { params: { id } }, { token: finance.token })).body.flags
  await call(api.reportPayment, { params: { id }, body: { txId: early } }, { token: member.token })
  await update({ _id: id, status: 'cancelled', reason: 'Not on the chain.' })
  await aWeekPasses()
  // Finance decided about this report by canceling the order.
  expect([await flagsOf(), await told()]).toEqual([[], 0])
  await report(member, id)
  await enforceDeadlines(services)
  expect([await flagsOf(), await told()]).toEqual([['reported_late'], 0])
  await aWeekPasses()
  expect([await flagsOf(), await told()]).toEqual([['reported_late', 'waits_long'], 1])
  expect((await flagged('waits_long')).map((order) => order.id)).toContain(id)
  // Another transaction in place of the reported one changes nothing while finance hasn't decided.
  await report(member, id)
  await aWeekPasses()
  expect([await flagsOf(), await told()]).toEqual([['reported_late', 'waits_long'], 1])
  await update({ _id: id, reportedLate: false, reason: 'Not on the chain.' })
  expect(await flagsOf()).toEqual([])
  await report(member, id)
  expect(await flagsOf()).toEqual(['reported_late'])
  await aWeekPasses()
  expect([await flagsOf(), await told()]).toEqual([['reported_late', 'waits_long'], 2])
})

test('a disputed report of a canceled order is flagged after a week', async () => {
  const [payer, other] = [await aBuyer(started), await aBuyer(started)]
  const [paid, closed] = [await anOrderOf(started, payer), await anOrderOf(started, other)]
  const txId = aTxId()
  await call(api.reportPayment, { params: { id: paid._id }, body: { txId } }, { token: payer.token })
  await call(api.cancelOrder, { params: { id: closed._id }, body: {} }, { token: other.token })
  await call(api.reportPayment, { params: { id: closed._id }, body: { txId } }, { token: other.token })
  const flagsOfClosed = async () =>
    (await call(api.getConsoleOrder, { params: { id: closed._id } }, { token: finance.token })).body.flags
  expect(await flagsOfClosed()).toEqual(['disputed'])
  await sql`update token_order set reported_at = reported_at - interval '8 days' where id = ${closed._id}`.execute(
    services.db,
  )
  expect(await flagsOfClosed()).toEqual(['disputed', 'waits_long'])
  expect((await flagged('waits_long')).map(({ id }) => id)).toContain(closed._id)
})

test('a made-up dispute is flagged after a week too, so that it cannot hold the price unnoticed', async () => {
  const [payer, other] = [await aBuyer(started), await aBuyer(started)]
  const [paid, held] = [await anOrderOf(started, payer), await anOrderOf(started, other)]
  const txId = aTxId()
  await call(api.reportPayment, { params: { id: paid._id }, body: { txId } }, { token: payer.token })
  await call(api.reportPayment, { params: { id: held._id }, body: { txId } }, { token: other.token })
  await update({ _id: paid._id, disputed: false, status: 'completed', reason: 'It is theirs.' })
  await sql`update token_order set reported_at = reported_at - interval '8 days'`.execute(services.db)
  const isFlagged = async () => (await flagged('waits_long')).find(({ id }) => id === held._id)?.flags
  expect(await isFlagged()).toEqual(['disputed', 'waits_long'])
  await update({ _id: held._id, disputed: false, reason: 'It is not theirs.' })
  expect(await isFlagged()).toBeUndefined()
})
