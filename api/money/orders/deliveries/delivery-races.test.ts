import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { sampleTokenAddress } from '#demo/addresses.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { aCompletedOrder, deliveriesOf, listInexact } from '#tests/deliveries.ts'
import { updatePaid } from '#tests/orders.ts'
import { freeze } from '#tests/payouts.ts'
import { as } from '#tests/step-up.ts'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'

/* What happens to an order at the moment in which its delivery is frozen: one of both comes first, and wins completely. */

const first = await startApi({ WITHDRAWAL_DAYS: '0' }, afterAll)
const officer = await aSignedInMember(first, { manage_finance: 2 })
const colleague = await aSignedInMember(first, { manage_finance: 2 })
const rounds = 6

type Order = Awaited<ReturnType<typeof aCompletedOrder>>

/** Waits until so many statements wait for a lock in the database. */
async function untilWaiting(count: number): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(first.services.db)
      return rows[0]!.waiting
    })
    .toBe(count)
}

/**
 * Freezes a delivery on the second instance while something happens on the first. Both wait for the locked order, in turn
 * one and the other first, and then go on at once.
 */
async function race(
  act: (order: Order, on: TestApi) => Promise<{ status: number }>,
  check: (order: Order, outcome: { frozen: boolean; acted: boolean }) => Promise<void>,
  prepare: (order: Order) => Promise<unknown> = async () => {},
) {
  const second = await startAnotherInstance(first)
  for (let n = 0; n < rounds; n += 1) {
    const order = await aCompletedOrder(first, officer)
    await prepare(order)
    const start = [
      () => freeze(second, colleague, [order.deliveryId], '100'),
      () => act(order, first),
    ] as const
    const running: Promise<{ status: number }>[] = []
    await first.services.db.transaction().execute(async (db) => {
      await db.selectFrom('token_order').select('id').where('id', '=', order.id).forUpdate().execute()
      for (const index of n % 2 === 0 ? [0, 1] : [1, 0]) {
        running[index] = start[index]!()
        await untilWaiting(running.filter(Boolean).length)
      }
    })
    const [frozen, acted] = await Promise.all(running)
    // 400: the total is no longer that of the delivery, or the quantity is less than what is in the run.
    expect([201, 400, 409]).toContain(frozen!.status)
    expect([200, 201, 400, 409]).toContain(acted!.status)
    const isFrozenFirst = n % 2 === 0
    expect(isFrozenFirst ? frozen!.status : acted!.status).toBeLessThan(300)
    await check(order, { frozen: frozen!.status === 201, acted: acted!.status < 300 })
    expect(await listInexact(first)).toEqual([])
  }
}

const stateOf = async (id: string) => (await deliveriesOf(first, officer, id))[0]!

test('a hold and a freeze', () =>
  race(
    ({ deliveryId: id }, on) =>
      on.call(api.holdDelivery, { params: { id }, body: { reason: 'Wait.' } }, as(officer)),
    async ({ id }, { frozen, acted }) => {
      expect(acted).toBe(!frozen)
      expect((await stateOf(id)).state).toBe(frozen ? 'in_run' : 'on_hold')
    },
  ))

test('a change of the address and a freeze: the run has the address that was the order’s, or there is no run', () =>
  race(
    ({ id, member }, on) => {
      const body = { fabAddress: sampleTokenAddress(crypto.randomUUID()) }
      return on.call(api.setTokenAddress, { params: { id }, body }, as(member))
    },
    async ({ id, address }, { frozen, acted }) => {
      expect(acted).toBe(!frozen)
      const delivery = await stateOf(id)
      expect(delivery.state).toBe(frozen ? 'in_run' : 'on_hold')
      expect(delivery.address === address).toBe(frozen)
    },
  ))

test('a correction of the quantity and a freeze', () => {
  const correct = (id: string, on: TestApi, by: typeof officer) => {
    const body = { _id: id, fabQty: '60', confirmsQuantity: true as const, reason: 'As agreed.' }
    return on.call(api.updateOrder, { body }, as(by))
  }
  return race(
    ({ id }, on) => correct(id, on, colleague),
    async ({ id }, { frozen, acted }) => {
      expect(acted).toBe(!frozen)
      expect(await deliveriesOf(first, officer, id)).toMatchObject([
        frozen ? { amount: '100', state: 'in_run' } : { amount: '60', state: 'due' },
      ])
    },
    ({ id }) => correct(id, first, officer),
  )
})

test('a withdrawal and a freeze: a withdrawn order is not frozen, and one that was frozen is not exported', () =>
  race(
    async ({ id, member }, on) => {
      await on.services.db
        .insertInto('withdrawal_period')
        .values({
          order_id: id,
          until_at: new Date(Date.now() + HOUR),
          last_day: null,
          days: 14,
          time_zone: 'UTC',
        })
        .execute()
      const body = { refundAddress: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb' }
      return on.call(api.requestWithdrawal, { params: { id }, body }, as(member))
    },
    async ({ id, deliveryId }, { frozen, acted }) => {
      expect(acted).toBe(true)
      if (!frozen) return
      const { body } = await first.call(api.listDeliveries, { query: { ids: deliveryId } }, as(officer))
      const params = { id: body[0]!.run!.id, format: 'csv' as const }
      expect((await first.call(api.exportPayoutFile, { params }, as(officer))).problem.code).toBe('conflict')
      await first.call(
        api.cancelPayout,
        { params: { id: params.id }, body: { reason: 'Withdrawn.' } },
        as(colleague),
      )
      expect((await stateOf(id)).state).not.toBe('due')
    },
  ))

test('two freezes of one delivery on two instances', () =>
  race(
    ({ deliveryId }, on) => freeze(on, officer, [deliveryId], '100'),
    async ({ id }, { frozen, acted }) => {
      expect(acted).toBe(!frozen)
      expect((await stateOf(id)).state).toBe('in_run')
    },
  ))

test('an order that two officers complete at once has one delivery', async () => {
  const second = await startAnotherInstance(first)
  for (let n = 0; n < rounds; n += 1) {
    const { id: memberId } = await aSignedInMember(first)
    const { id } = await anOrder(first, memberId, { fabQty: '7', paidAmount: '1.5' })
    const complete = (on: TestApi, by: typeof officer) =>
      updatePaid(on, { _id: id, status: 'completed', reason: 'Paid.' }, by)
    await Promise.all([complete(first, officer), complete(second, colleague), complete(second, officer)])
    expect(await deliveriesOf(first, officer, id)).toMatchObject([{ tranche: 1, amount: '7' }])
  }
  expect(await listInexact(first)).toEqual([])
})
