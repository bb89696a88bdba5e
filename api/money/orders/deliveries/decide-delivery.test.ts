import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aCompletedOrder, deliveriesOf, eventsOf, subscribe } from '#tests/deliveries.ts'
import { aDueDelivery, freeze } from '#tests/payouts.ts'
import { as, letProofAge } from '#tests/step-up.ts'
import { startApi } from '#tests/setup/start-api.ts'

const on = await startApi({}, afterAll)
const { call, services } = on
const officer = await aSignedInMember(on, { manage_finance: 2 })
const colleague = await aSignedInMember(on, { manage_finance: 2 })
const reader = await aSignedInMember(on, { manage_finance: 1 })
await subscribe(on)

const reason = 'Ms. Sample asked us to wait.'
const hold = (by: TestMember, id: string) =>
  call(api.holdDelivery, { params: { id }, body: { reason } }, as(by))
const release = (by: TestMember, id: string) =>
  call(api.releaseDelivery, { params: { id }, body: { reason } }, as(by))
const create = (by: TestMember, id: string) =>
  call(api.createOrderDeliveries, { params: { id }, body: { reason } }, as(by))

const auditOf = (orderId: string) =>
  services.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id', 'detail'])
    .where('subject_id', '=', orderId)
    .where('action', 'not in', ['order-viewed', 'order-listed'])
    .orderBy('id')
    .execute()
const stepsOf = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, as(officer))).body.steps

describe('a hold by finance', () => {
  test('keeps a delivery from being frozen until it is released', async () => {
    const { id, deliveryId, member } = await aCompletedOrder(on, officer)
    expect((await hold(officer, deliveryId)).body).toMatchObject({
      id: deliveryId,
      state: 'on_hold',
      hold: 'staff',
      holdNote: reason,
    })
    expect((await freeze(on, colleague, [deliveryId], '100')).problem.code).toBe('conflict')
    expect((await hold(officer, deliveryId)).problem.code).toBe('conflict')
    expect(JSON.stringify(await deliveriesOf(on, member, id))).not.toContain(reason)
    expect((await release(colleague, deliveryId)).body).toMatchObject({
      state: 'due',
      hold: null,
      holdNote: '',
    })
    expect((await release(colleague, deliveryId)).problem.code).toBe('conflict')
    expect((await eventsOf(on, id)).map(({ state }) => state)).toEqual(['created', 'held', 'released'])
  })

  test('is recorded without its reason, which stands in the order’s history for staff', async () => {
    const { id, deliveryId, member } = await aCompletedOrder(on, officer)
    await hold(officer, deliveryId)
    await release(colleague, deliveryId)
    const { reference } = (await deliveriesOf(on, officer, id))[0]!
    expect((await auditOf(id)).slice(-2)).toMatchObject([
      { action: 'delivery-held', actor_id: officer.id, detail: { delivery: reference } },
      { action: 'delivery-released', actor_id: colleague.id, detail: { delivery: reference } },
    ])
    expect(JSON.stringify(await auditOf(id))).not.toContain(reason)
    expect((await stepsOf(id)).slice(-2)).toMatchObject([
      { kind: 'delivery_held', reason },
      { kind: 'delivery_released', reason },
    ])
    const { body } = await call(api.getOrderPayment, { params: { id } }, as(member))
    expect(JSON.stringify(body.steps)).not.toContain(reason)
  })

  test('is for finance alone, with step-up, and not for their own tokens', async () => {
    const { deliveryId } = await aCompletedOrder(on, officer)
    expect((await hold(reader, deliveryId)).problem.code).toBe('forbidden')
    expect((await hold(officer, 'missing')).problem.code).toBe('not_found')
    const own = await aDueDelivery(on, { memberId: officer.id })
    expect((await hold(officer, own.id)).problem.code).toBe('forbidden')
    expect((await auditOf(own.order_id)).map(({ action }) => action)).toContain('order-own-refused')
    await letProofAge(on, officer)
    expect((await hold(officer, deliveryId)).problem.code).toBe('step_up_required')
    await call(api.stepUp, { body: { password: officer.password } }, as(officer))
    expect((await hold(officer, deliveryId)).status).toBe(200)
  })

  test('is refused for a delivery in a run', async () => {
    const { deliveryId } = await aCompletedOrder(on, officer)
    await freeze(on, colleague, [deliveryId], '100')
    expect((await hold(officer, deliveryId)).problem.code).toBe('conflict')
    expect((await release(officer, deliveryId)).problem.code).toBe('conflict')
  })
})

describe('an order completed before deliveries were recorded', () => {
  const anOldOrder = async (fields: Parameters<typeof anOrder>[2] = {}) => {
    const { id } = await aSignedInMember(on)
    return anOrder(on, id, { fabQty: '10', status: 'completed', ...fields })
  }

  test('gets its deliveries from finance, once', async () => {
    const { id } = await anOldOrder()
    expect(await deliveriesOf(on, officer, id)).toEqual([])
    await letProofAge(on, officer)
    expect((await create(officer, id)).problem.code).toBe('step_up_required')
    await call(api.stepUp, { body: { password: officer.password } }, as(officer))
    const answers = await Promise.all([create(officer, id), create(colleague, id), create(officer, id)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await deliveriesOf(on, officer, id)).toMatchObject([{ tranche: 1, amount: '10' }])
    expect((await create(officer, id)).problem.code).toBe('conflict')
    expect((await stepsOf(id)).at(-1)).toMatchObject({ kind: 'deliveries_created', reason })
    expect((await auditOf(id)).at(-1)).toMatchObject({ action: 'deliveries-created', detail: {} })
  })

  test('gets none if it is not completed, is the officer’s own, or the officer may only read', async () => {
    const pending = await anOldOrder({ status: 'pending' })
    expect((await create(officer, pending.id)).problem.code).toBe('conflict')
    const old = await anOldOrder()
    expect((await create(reader, old.id)).problem.code).toBe('forbidden')
    const own = await anOrder(on, officer.id, { fabQty: '10', status: 'completed' })
    expect((await create(officer, own.id)).problem.code).toBe('forbidden')
    expect((await create(officer, 'missing')).problem.code).toBe('not_found')
  })
})
