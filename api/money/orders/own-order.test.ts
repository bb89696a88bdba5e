import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { sampleTokenAddress } from '#demo/addresses.ts'
import { ticker } from '#content/brand.json'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, orderMailsTo, stepsOf, updatePaid } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import { updateMemberRow } from '../../people/members/member.queries.ts'
import { ownAddress } from '#tests/own-chain.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
const colleague = await aSignedInMember(started, { manage_finance: 2 })

const aTxId = () => randomBytes(32).toString('hex')
const cancel = (by: TestMember, id: string) =>
  call(api.cancelOrder, { params: { id }, body: null }, { token: by.token })
const report = (by: TestMember, id: string) =>
  call(api.reportPayment, { params: { id }, body: { txId: aTxId() } }, { token: by.token })
const complete = (id: string) => updatePaid(started, { _id: id, status: 'completed' }, finance)
const assignReceivingAddress = (by: TestMember, id: string, fabAddress: string) =>
  call(api.setTokenAddress, { params: { id }, body: { fabAddress } }, { token: by.token })
const payment = async (by: TestMember, id: string) =>
  (await call(api.getOrderPayment, { params: { id } }, { token: by.token })).body

async function aPlacedOrder() {
  const member = await aBuyer(started)
  return { member, order: await anOrderOf(started, member) }
}

test('a member cancels an unpaid order, once, and is emailed', async () => {
  const { member, order } = await aPlacedOrder()
  expect((await cancel(member, order._id)).body).toMatchObject({ status: 'cancelled' })
  expect((await cancel(member, order._id)).status).toBe(200)
  expect(await stepsOf(started, member, order._id)).toEqual(['placed', 'withdrawn'])
  expect(await orderMailsTo(started, member)).toEqual(['order-placed', 'order-withdrawn'])
  expect((await complete(order._id)).problem.code).toBe('conflict')
})

test('a member can cancel neither a reported or completed order nor someone else’s', async () => {
  const [reported, completed, foreign] = [await aPlacedOrder(), await aPlacedOrder(), await aPlacedOrder()]
  await report(reported.member, reported.order._id)
  await complete(completed.order._id)
  expect((await cancel(reported.member, reported.order._id)).problem.code).toBe('conflict')
  expect((await cancel(completed.member, completed.order._id)).problem.code).toBe('conflict')
  for (const by of [reported.member, finance])
    expect((await cancel(by, foreign.order._id)).problem.code).toBe('not_found')
})

test('of concurrent canceling, reporting, and completing, the first wins completely', async () => {
  for (let n = 0; n < 6; n += 1) {
    const { member, order } = await aPlacedOrder()
    await Promise.all(
      [() => cancel(member, order._id), () => report(member, order._id), () => complete(order._id)]
        .slice(n % 2, (n % 2) + 2)
        .map((act) => act()),
    )
    const { status, reportedLate, steps } = {
      ...(await payment(member, order._id)),
      ...(await read(member, order._id)),
    }
    const ends = steps.filter(({ kind }) => ['withdrawn', 'completed'].includes(kind))
    expect(ends.length).toBe(status === 'pending' ? 0 : 1)
    if (status === 'cancelled') expect(reportedLate).toBe(true)
    else expect(reportedLate).toBe(false)
  }
})

const read = async (by: TestMember, id: string) =>
  (await call(api.getOrder, { params: { id } }, { token: by.token })).body

const fabAddress = ownAddress

test('a missing address is set with step-up, and the member is emailed', async () => {
  const { member, order } = await aPlacedOrder()
  await letProofAge(started, member)
  expect((await assignReceivingAddress(member, order._id, fabAddress)).problem.code).toBe('step_up_required')
  await call(api.stepUp, { body: { password: member.password } }, { token: member.token })
  expect((await assignReceivingAddress(member, order._id, 'F1')).problem.errors).toMatchObject([
    { path: 'fabAddress', code: 'address_length' },
  ])
  expect((await assignReceivingAddress(member, order._id, fabAddress)).body).toMatchObject({ fabAddress })
  expect((await assignReceivingAddress(member, order._id, fabAddress)).status).toBe(200)
  expect(await stepsOf(started, member, order._id)).toEqual(['placed', 'address_given'])
  expect((await mailsTo(member.email)).at(-1)).toMatchObject({
    kind: 'order-address-given',
    text: expect.stringContaining(fabAddress),
  })
})

const other = sampleTokenAddress('another')
const deliveries = async (by: TestMember, id: string) =>
  (await call(api.getOrderDeliveries, { params: { id } }, { token: by.token })).body

/** A completed order with an address, whose delivery is due. */
async function aDeliveredOrder() {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { fabQty: '60', fabAddress })
  await complete(id)
  return { member, id }
}

test('an address is changed with step-up, the member is emailed, and nothing is sent to it for 48 hours', async () => {
  const { member, id } = await aDeliveredOrder()
  await letProofAge(started, member)
  expect((await assignReceivingAddress(member, id, other)).problem.code).toBe('step_up_required')
  await call(api.stepUp, { body: { password: member.password } }, { token: member.token })
  expect((await assignReceivingAddress(member, id, other)).body).toMatchObject({ fabAddress: other })
  const mail = (await mailsTo(member.email)).at(-1)!
  expect(mail.kind).toBe('order-delivery-address-changed')
  expect(mail.text).toContain(other)
  expect(await stepsOf(started, member, id)).toContain('address_changed')
  const held = await deliveries(member, id)
  expect(held.deliveries).toMatchObject([{ state: 'on_hold', hold: 'address_new', address: other }])
  expect(Date.parse(held.addressUsableFrom!) - Date.now()).toBeGreaterThan(47.9 * HOUR)
  expect(Date.parse(held.addressUsableFrom!) - Date.now()).toBeLessThanOrEqual(48 * HOUR)
  const body = { deliveryIds: [held.deliveries[0]!.id], total: '60' }
  expect((await call(api.freezePayout, { body }, { token: finance.token })).problem.code).toBe('conflict')
  await services.db
    .updateTable('token_order')
    .set({ address_usable_from: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
  expect(await deliveries(member, id)).toMatchObject({
    addressUsableFrom: null,
    deliveries: [{ state: 'due', hold: null }],
  })
  expect((await call(api.freezePayout, { body }, { token: finance.token })).status).toBe(201)
  expect((await assignReceivingAddress(member, id, fabAddress)).problem.code).toBe('conflict')
  expect((await deliveries(member, id)).canChangeAddress).toBe(false)
})

test('finance’s correction of an address also waits 48 hours', async () => {
  const { member, id } = await aDeliveredOrder()
  const body = { _id: id, fabAddress: other, reason: 'As the member wrote.' }
  for (const { token } of [finance, colleague])
    expect((await call(api.updateOrder, { body }, { token })).status).toBe(200)
  expect((await deliveries(member, id)).deliveries).toMatchObject([{ state: 'on_hold', hold: 'address_new' }])
})

test('an address is changed up to five times a day', async () => {
  const { member, id } = await aDeliveredOrder()
  for (let n = 0; n < 5; n += 1)
    expect((await assignReceivingAddress(member, id, sampleTokenAddress(`change ${n}`))).status).toBe(200)
  expect((await assignReceivingAddress(member, id, other)).problem.code).toBe('rate_limited')
})

test('rejects an address for a canceled order or another member’s', async () => {
  const { member, order } = await aPlacedOrder()
  const stranger = await aSignedInMember(started)
  expect((await assignReceivingAddress(stranger, order._id, fabAddress)).problem.code).toBe('not_found')
  await cancel(member, order._id)
  expect((await assignReceivingAddress(member, order._id, fabAddress)).problem.code).toBe('conflict')
})

test('the receipt names its buyer: the verified name, or else the profile name', async () => {
  const { member, order } = await aPlacedOrder()
  expect((await payment(member, order._id)).name).toBe('Sample Person')
  expect((await payment(finance, order._id)).name).toBe('')
  const unverified = await aSignedInMember(started)
  const { id } = await anOrder(started, unverified.id)
  expect((await payment(unverified, id)).name).toBe('')
  await updateMemberRow(services.db, unverified.id, { first_name: 'Wei', last_name: 'Chen' })
  expect((await payment(unverified, id)).name).toBe('Wei Chen')
})

test('an amount without a coin is in the default currency, in the API and in emails', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { payMethod: '', amount: '12.5' })
  expect((await read(member, id)).currency).toBe('USD')
  expect((await payment(member, id)).currency).toBe('USD')
  await call(
    api.createOrder,
    { body: { memberId: member.id, amount: '12.5', fabQty: '6000' } },
    { token: finance.token },
  )
  const [mail] = await mailsTo(member.email)
  expect(mail!.text).toContain('12.5 USD')
  expect(mail!.text).toContain(`6000 ${ticker}`)
  expect(mail!.text).not.toContain('quantity')
})

test('adding a missing token address to a completed order tells the system that delivers the tokens', async () => {
  const { member, order } = await aPlacedOrder()
  await services.db
    .updateTable('token_order')
    .set({ fab_address: '', status: 'completed', fab_qty: '60' })
    .where('id', '=', order._id)
    .execute()
  const eventsOf = async () =>
    (await services.db.selectFrom('webhook_event').selectAll().execute()).filter(({ data }) =>
      JSON.stringify(data).includes(order._id),
    )
  const subscribed = sql<string[]>`array['order.corrected']`
  await services.db
    .insertInto('webhook_endpoint')
    .values({ url: 'https://example.org/hook', event_types: subscribed })
    .execute()
  expect(await eventsOf()).toEqual([])
  expect((await assignReceivingAddress(member, order._id, ownAddress)).status).toBe(200)
  expect(await eventsOf()).toMatchObject([
    { type: 'order.corrected', data: { orderId: order._id, fields: ['fabAddress'], fabQty: '60' } },
  ])
})
