import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { sampleTokenAddress } from '#demo/addresses.ts'
import { anOrder, aSignedInMember, proveIdentity } from '#tests/builders.ts'
import {
  aCompletedOrder,
  deliveriesOf,
  eventsOf,
  listInexact,
  orderDeliveries,
  subscribe,
} from '#tests/deliveries.ts'
import { updatePaid } from '#tests/orders.ts'
import { freeze } from '#tests/payouts.ts'
import { as } from '#tests/step-up.ts'
import { startApi } from '#tests/setup/start-api.ts'

/* Deliveries follow what happens to their order. */

const on = await startApi({}, afterAll)
const { call, services } = on
const officer = await aSignedInMember(on, { manage_finance: 2 })
const colleague = await aSignedInMember(on, { manage_finance: 2 })
await subscribe(on)

const refundAddress = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const paidOn = new Date().toISOString().slice(0, 10)

const change = (_id: string, fields: object, by = officer) =>
  call(api.updateOrder, { body: { _id, reason: 'As agreed.', ...fields } }, as(by))
/** Corrects the quantity of a completed order, which takes two officers. */
async function correct(id: string, fabQty: string) {
  const fields = { fabQty, confirmsQuantity: true }
  const proposed = await change(id, fields)
  return proposed.status === 200 ? change(id, fields, colleague) : proposed
}
const cancelRun = (id: string) =>
  call(api.cancelPayout, { params: { id }, body: { reason: 'Nothing was sent.' } }, as(officer))
const states = async (id: string) =>
  (await deliveriesOf(on, officer, id)).map(({ tranche, amount, state, hold }) => [
    tranche,
    amount,
    state,
    ...(hold === null ? [] : [hold]),
  ])

describe('a completed order', () => {
  test('has one delivery of all its tokens, due at once', async () => {
    const { id, address } = await aCompletedOrder(on, officer, { quantity: '0.12345678' })
    expect(await orderDeliveries(on, officer, id)).toMatchObject({
      bought: '0.12345678',
      delivered: '0',
      locked: '0',
      canChangeAddress: true,
      deliveries: [{ tranche: 1, amount: '0.12345678', state: 'due', hold: null, address, txId: '' }],
    })
    expect(await eventsOf(on, id)).toMatchObject([
      { state: 'created', amount: '0.12345678', runId: null, txId: '' },
    ])
  })

  test('has no delivery before it is completed, nor if it was canceled', async () => {
    const { id: memberId } = await aSignedInMember(on)
    const { id } = await anOrder(on, memberId, { fabQty: '5' })
    expect(await states(id)).toEqual([])
    expect((await change(id, { status: 'cancelled' })).body.status).toBe('cancelled')
    expect(await orderDeliveries(on, officer, id)).toMatchObject({ deliveries: [], canChangeAddress: false })
  })

  test('without an address holds its delivery, and asks the member for one', async () => {
    const { id, member } = await aCompletedOrder(on, officer, { address: '' })
    expect(await states(id)).toEqual([[1, '100', 'on_hold', 'address_missing']])
    const kinds = (await on.mailsTo(member.email)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind.startsWith('order-'))).toEqual(['order-delivery-address-needed'])
    expect((await orderDeliveries(on, member, id)).canChangeAddress).toBe(true)
  })

  test('whose member can still withdraw is delivered after that', async () => {
    const { id: memberId } = await aSignedInMember(on)
    const { id } = await anOrder(on, memberId, { fabQty: '5', fabAddress: sampleTokenAddress('w') })
    const until = new Date(Date.now() + DAY)
    await services.db
      .insertInto('withdrawal_period')
      .values({ order_id: id, until_at: until, last_day: null, days: 14, time_zone: 'UTC' })
      .execute()
    await updatePaid(on, { _id: id, status: 'completed', reason: 'Paid.' }, officer)
    expect(await states(id)).toEqual([[1, '5', 'scheduled', 'withdrawal_period']])
    expect((await deliveriesOf(on, officer, id))[0]!.dueAt).toBe(until.toISOString())
    expect((await orderDeliveries(on, officer, id)).locked).toBe('5')
  })

  test('holds its delivery while the member’s identity is not approved', async () => {
    const { id, member } = await aCompletedOrder(on, officer)
    await proveIdentity(on, member)
    expect(await states(id)).toEqual([[1, '100', 'due']])
    await services.db
      .updateTable('kyc_application')
      .set({ status: 'rejected' })
      .where('member_id', '=', member.id)
      .execute()
    expect(await states(id)).toEqual([[1, '100', 'on_hold', 'identity_expired']])
  })
})

describe('a corrected quantity', () => {
  test('changes the open delivery, which stays held', async () => {
    const { id, deliveryId } = await aCompletedOrder(on, officer)
    const body = { reason: 'Wait.' }
    await call(api.holdDelivery, { params: { id: deliveryId }, body }, as(officer))
    expect((await correct(id, '60.5')).status).toBe(200)
    expect(await states(id)).toEqual([[1, '60.5', 'on_hold', 'staff']])
    expect((await eventsOf(on, id)).map(({ state, amount }) => [state, amount])).toEqual([
      ['created', '100'],
      ['held', '100'],
      ['corrected', '60.5'],
    ])
  })

  test('adds a second delivery if the first is in a run, and never goes below what is in runs', async () => {
    const { id, deliveryId } = await aCompletedOrder(on, officer)
    const { body: run } = await freeze(on, colleague, [deliveryId], '100')
    expect((await correct(id, '99')).problem.errors).toMatchObject([
      { path: 'fabQty', code: 'too_little', message: expect.stringContaining('100') },
    ])
    expect((await correct(id, '130')).status).toBe(200)
    expect(await states(id)).toEqual([
      [1, '100', 'in_run'],
      [2, '30', 'due'],
    ])
    expect((await correct(id, '100')).status).toBe(200)
    expect(await states(id)).toEqual([
      [1, '100', 'in_run'],
      [2, '30', 'cancelled'],
    ])
    expect((await correct(id, '120')).status).toBe(200)
    expect((await cancelRun(run.id)).status).toBe(200)
    expect((await correct(id, '50')).status).toBe(200)
    expect((await states(id)).filter(([, , state]) => state !== 'cancelled')).toEqual([[1, '50', 'due']])
    expect(await listInexact(on)).toEqual([])
  })

  test('of an order without deliveries creates none', async () => {
    const { id: memberId } = await aSignedInMember(on)
    const { id } = await anOrder(on, memberId, { fabQty: '5', status: 'completed', paidAmount: '1.5' })
    expect((await correct(id, '6')).status).toBe(200)
    expect(await states(id)).toEqual([])
  })
})

describe('a withdrawn order', () => {
  const withdraw = async (paidAmount: string) => {
    const order = await aCompletedOrder(on, officer, { paidAmount })
    await services.db
      .insertInto('order_withdrawal')
      .values({
        order_id: order.id,
        state: 'requested',
        until_at: new Date(),
        refund_before: new Date(),
        refund_address: refundAddress,
      })
      .execute()
    const { id } = await services.db
      .selectFrom('order_withdrawal')
      .select('id')
      .where('order_id', '=', order.id)
      .executeTakeFirstOrThrow()
    return { ...order, withdrawalId: id }
  }
  const accept = (id: string) => call(api.acceptWithdrawal, { params: { id }, body: {} }, as(officer))
  const refund = async (id: string, amount: string, updatedAt?: string) => {
    const txId = `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`
    const body = { amount, txId, paidOn, reason: 'Sent back.', ...(updatedAt && { updatedAt }) }
    const answer = await call(api.recordRefund, { params: { id }, body }, as(officer))
    expect([answer.status, answer.problem.errors]).toEqual([200, undefined])
  }

  test('holds its delivery until finance declines', async () => {
    const { id, withdrawalId } = await withdraw('1.5')
    expect(await states(id)).toEqual([[1, '100', 'on_hold', 'withdrawal_open']])
    const body = { reason: 'The period is over.' }
    await call(api.refuseWithdrawal, { params: { id: withdrawalId }, body }, as(officer))
    expect(await states(id)).toEqual([[1, '100', 'due']])
  })

  test('cancels its delivery once it is refunded', async () => {
    const { id, withdrawalId } = await withdraw('1.5')
    await accept(withdrawalId)
    await refund(withdrawalId, '1.5')
    expect(await states(id)).toEqual([[1, '100', 'cancelled']])
    expect((await eventsOf(on, id)).at(-1)).toMatchObject({ state: 'cancelled' })
    const body = { reason: 'By mistake.' }
    const again = await call(api.createOrderDeliveries, { params: { id }, body }, as(officer))
    expect(again.problem.code).toBe('conflict')
  })

  test('keeps its delivery if only the surplus was refunded, until more is', async () => {
    const { id, withdrawalId } = await withdraw('2')
    await accept(withdrawalId)
    await refund(withdrawalId, '0.5')
    expect(await states(id)).toEqual([[1, '100', 'due']])
    const { body } = await call(api.getConsoleWithdrawal, { params: { id } }, as(officer))
    await refund(withdrawalId, '2', body.withdrawal!.updatedAt)
    expect(await states(id)).toEqual([[1, '100', 'cancelled']])
  })

  test('never has a due delivery again, even if it was in a run that is canceled', async () => {
    const { id, deliveryId, withdrawalId } = await withdraw('1.5')
    await sql`update order_withdrawal set state = 'refused' where id = ${withdrawalId}`.execute(services.db)
    const { body: run } = await freeze(on, colleague, [deliveryId], '100')
    await sql`update order_withdrawal set state = 'accepted' where id = ${withdrawalId}`.execute(services.db)
    await refund(withdrawalId, '1.5')
    expect(await states(id)).toEqual([[1, '100', 'in_run', 'refunded']])
    const query = { hold: 'refunded', run: run.id } as const
    const { body: held } = await call(api.listDeliveries, { query }, as(officer))
    expect(held.map((row) => row.id)).toEqual([deliveryId])
    expect((await cancelRun(run.id)).status).toBe(200)
    expect(await states(id)).toEqual([[1, '100', 'cancelled']])
    expect((await eventsOf(on, id)).slice(-2).map(({ state }) => state)).toEqual(['released', 'cancelled'])
  })

  test('is held by its refund alone', async () => {
    const { id, deliveryId, withdrawalId } = await withdraw('1.5')
    await sql`update order_withdrawal set state = 'refunded', refund_amount = 1.5 where id = ${withdrawalId}`.execute(
      services.db,
    )
    expect(await states(id)).toEqual([[1, '100', 'on_hold', 'refunded']])
    expect((await freeze(on, colleague, [deliveryId], '100')).problem.code).toBe('conflict')
  })
})

describe('the owner’s data', () => {
  test('contains the deliveries, which stay with the order after the account was erased, on hold', async () => {
    const { id, member, deliveryId } = await aCompletedOrder(on, officer)
    const file = await call(api.exportMember, {}, as(member))
    expect(JSON.stringify(file.body)).toContain(deliveryId)
    const erased = await call(api.eraseMember, { body: { current: member.password } }, as(member))
    expect(erased.status).toBe(200)
    expect(await states(id)).toEqual([[1, '100', 'on_hold', 'account_erased']])
    const body = { reason: 'The address is known.' }
    await call(api.releaseDelivery, { params: { id: deliveryId }, body }, as(officer))
    expect(await states(id)).toEqual([[1, '100', 'due']])
  })
})
