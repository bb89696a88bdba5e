import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { DAY } from '#contract/platform/durations.ts'
import { dueAfter, splitByPlan, type VestingPlan } from '#contract/money/vesting.ts'
import { sampleTokenAddress } from '#demo/addresses.ts'
import { transaction } from '../../../platform/db/database.ts'
import { replaceSale } from '../../sale/sale.queries.ts'
import { anOrder, aSignedInMember, proveIdentity, saleSettings } from '#tests/builders.ts'
import {
  aCompletedOrder,
  deliveriesOf,
  eventsOf,
  listInexact,
  orderDeliveries,
  subscribe,
} from '#tests/deliveries.ts'
import { updatePaid } from '#tests/orders.ts'
import { confirm, exportFile, freeze, record } from '#tests/payouts.ts'
import { as } from '#tests/step-up.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { notifyOwnersOfDeliveries } from '../../payouts/notify-about-payouts.ts'
import { statementsOf } from '../../../../bench/installation/plans.ts'

/* An order with a vesting plan has a delivery for each part of it. */

const on = await startApi({ WITHDRAWAL_DAYS: '0' }, afterAll)
const { call, services } = on
const officer = await aSignedInMember(on, { manage_finance: 2 })
const colleague = await aSignedInMember(on, { manage_finance: 2 })
await subscribe(on)

const monthly = (first: string, wait: number, parts: number): VestingPlan => ({
  first,
  later: { kind: 'linear', wait, parts, unit: 'months' },
})
const tenParts = monthly('10', 3, 9)
const thirds: VestingPlan = {
  first: '33.33',
  later: {
    kind: 'tranches',
    parts: [
      { after: 30, unit: 'days', percent: '33.33' },
      { after: 3, unit: 'months', percent: '33.34' },
    ],
  },
}

const change = (_id: string, fabQty: string, by = officer) =>
  call(api.updateOrder, { body: { _id, reason: 'As agreed.', fabQty, confirmsQuantity: true } }, as(by))
/** Corrects the quantity of a completed order, which takes two officers. */
async function correct(id: string, fabQty: string) {
  const proposed = await change(id, fabQty)
  return proposed.status === 200 ? change(id, fabQty, colleague) : proposed
}
const standing = async (id: string) =>
  (await deliveriesOf(on, officer, id)).filter(({ state }) => state !== 'cancelled')
const parts = async (id: string) =>
  (await standing(id)).map(({ tranche, amount, state }) => [tranche, amount, state])
const letBeDue = (id: string) =>
  services.db
    .updateTable('delivery')
    .set({ due_at: new Date(Date.now() - 60_000) })
    .where('id', '=', id)
    .execute()
const completedAt = async (id: string): Promise<Date> =>
  (
    await services.db
      .selectFrom('order_step')
      .select('at')
      .where('order_id', '=', id)
      .where('kind', '=', 'completed')
      .executeTakeFirstOrThrow()
  ).at

describe('a completed order', () => {
  test('has a delivery for each part of its plan, counted from its completion', async () => {
    const { id, member } = await aCompletedOrder(on, officer, {
      quantity: '1000.00000001',
      vesting: tenParts,
    })
    const at = await completedAt(id)
    const due = splitByPlan(parseDecimal('1000.00000001'), tenParts).map(({ offset }) =>
      dueAfter(at, offset).toISOString(),
    )
    const found = await orderDeliveries(on, member, id)
    expect(found.deliveries.map(({ tranche, amount, state }) => [tranche, amount, state])).toEqual(
      due.map((_, n) => [n + 1, n === 9 ? '100.00000001' : '100', n === 0 ? 'due' : 'scheduled']),
    )
    expect(found.deliveries.map(({ dueAt }) => dueAt)).toEqual(due)
    expect(found).toMatchObject({
      bought: '1000.00000001',
      delivered: '0',
      locked: '900.00000001',
      dueNext: { amount: '100', dueAt: due[0] },
    })
    expect((await eventsOf(on, id)).map(({ state, amount }) => [state, amount]).toSorted()).toEqual(
      found.deliveries.map(({ amount }) => ['created', amount]).toSorted(),
    )
    const mail = (await on.mailsTo(member.email)).find(({ kind }) => kind === 'order-completed')!
    expect(mail.text).toMatch(/First delivery: 100 \S+, due on /)
  })

  test('whose member can still withdraw has no part that is due before that', async () => {
    const { id: memberId } = await aSignedInMember(on)
    const { id } = await anOrder(on, memberId, { fabQty: '9', fabAddress: sampleTokenAddress('v') })
    const until = new Date(Date.now() + 45 * DAY)
    await services.db
      .updateTable('token_order')
      .set({ vesting: JSON.stringify(thirds) })
      .where('id', '=', id)
      .execute()
    await services.db
      .insertInto('withdrawal_period')
      .values({ order_id: id, until_at: until, last_day: null, days: 14, time_zone: 'UTC' })
      .execute()
    await updatePaid(on, { _id: id, status: 'completed', reason: 'Paid.' }, officer)
    const [first, second, third] = await standing(id)
    expect([first!.dueAt, second!.dueAt]).toEqual([until.toISOString(), until.toISOString()])
    expect(Date.parse(third!.dueAt)).toBeGreaterThan(until.getTime())
    // What becomes due together is named together.
    expect((await orderDeliveries(on, officer, id)).dueNext).toEqual({
      amount: '5.9994',
      dueAt: until.toISOString(),
    })
  })

  test('is completed with as few statements, however many parts it has', async () => {
    const statementsFor = async (vesting: VestingPlan) =>
      (await statementsOf(() => aCompletedOrder(on, officer, { vesting }))).filter(({ text }) =>
        /insert into "?(delivery|webhook)/.test(text),
      )
    const [few, many] = [await statementsFor(monthly('0', 0, 1)), await statementsFor(monthly('1', 0, 120))]
    expect(many.map(({ text }) => text.slice(0, 24))).toEqual(few.map(({ text }) => text.slice(0, 24)))
    expect(many.filter(({ text }) => /insert into "delivery"/.test(text))).toHaveLength(1)
  })

  test('gets the deliveries of its plan later if it was completed before there were any', async () => {
    const { id: memberId } = await aSignedInMember(on)
    const { id } = await anOrder(on, memberId, { fabQty: '100', status: 'completed' })
    await services.db
      .updateTable('token_order')
      .set({ vesting: JSON.stringify(tenParts) })
      .where('id', '=', id)
      .execute()
    const at = new Date(Date.now() - 400 * DAY)
    await services.db
      .insertInto('order_step')
      .values({ order_id: id, kind: 'completed', at, changes: '[]' })
      .execute()
    const create = () =>
      call(api.createOrderDeliveries, { params: { id }, body: { reason: 'Never sent.' } }, as(officer))
    const { body } = await create()
    expect(body.deliveries).toHaveLength(10)
    expect(body.deliveries.at(-1)!.dueAt).toBe(dueAfter(at, { after: 12, unit: 'months' }).toISOString())
    expect(body.locked).toBe('0')
    expect((await create()).problem.code).toBe('conflict')
  })
})

test('the plan of the round is quoted, and stays with the order whatever becomes of the round', async () => {
  const { db } = services
  await transaction(db, (tx) => replaceSale(tx, saleSettings(), null))
  const planNow = (vesting: VestingPlan) =>
    db
      .updateTable('sale_round')
      .set({ vesting: JSON.stringify(vesting) })
      .execute()
  await planNow(thirds)
  const buyer = await aSignedInMember(on)
  await proveIdentity(on, buyer)
  const { body: quote } = await call(
    api.createQuote,
    { body: { payMethod: 'ETH', amount: '0.5' } },
    as(buyer),
  )
  const amounts = ['666.683325', '666.683325', '666.88335']
  expect(quote.deliveries).toEqual([
    { dueAfter: { count: 0, unit: 'days' }, amount: amounts[0] },
    { dueAfter: { count: 30, unit: 'days' }, amount: amounts[1] },
    { dueAfter: { count: 3, unit: 'months' }, amount: amounts[2] },
  ])
  await planNow(tenParts)
  const fabAddress = sampleTokenAddress(buyer.id)
  const placed = await call(api.createOrder, { body: { quoteId: quote.quoteId, fabAddress } }, as(buyer))
  const { _id: id } = placed.body
  await updatePaid(on, { _id: id, status: 'completed', reason: 'Paid.' }, officer)
  expect((await standing(id)).map(({ amount }) => amount)).toEqual(amounts)
  // What finance enters has the plan of the round at that time.
  const values = { fabQty: '10', fabAddress, payMethod: 'Cash', amount: '1', reason: 'Agreed.' }
  const entered = await call(
    api.createOrder,
    { body: { ...values, memberId: buyer.id, status: 'completed' } },
    as(officer),
  )
  expect(await standing(entered.body._id)).toHaveLength(10)
})

describe('a corrected quantity', () => {
  test('is split over the parts that are in no run, which keep their dates and holds', async () => {
    const { id, deliveryId } = await aCompletedOrder(on, officer, { vesting: tenParts })
    await freeze(on, colleague, [deliveryId], '10')
    const before = await standing(id)
    const params = { id: before[4]!.id }
    await call(api.holdDelivery, { params, body: { reason: 'Wait.' } }, as(officer))
    expect((await correct(id, '55')).status).toBe(200)
    expect(await parts(id)).toEqual([
      [1, '10', 'in_run'],
      ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => [n, '5', 'scheduled']),
    ])
    const after = await standing(id)
    expect(after.map(({ dueAt }) => dueAt)).toEqual(before.map(({ dueAt }) => dueAt))
    expect(after.map(({ id: each }) => each)).toEqual(before.map(({ id: each }) => each))
    expect(after.map(({ hold }) => hold)).toEqual(before.map((_, n) => (n === 4 ? 'staff' : null)))
  })

  test('below what is in runs is refused when it is proposed', async () => {
    const { id, deliveryId } = await aCompletedOrder(on, officer, { vesting: thirds })
    await freeze(on, colleague, [deliveryId], '33.33')
    expect((await change(id, '33.32')).problem.errors).toMatchObject([{ path: 'fabQty', code: 'too_little' }])
    const { completion_proposed_by: by } = await services.db
      .selectFrom('token_order')
      .select('completion_proposed_by')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(by).toBeNull()
    expect((await correct(id, '33.33')).status).toBe(200)
    expect(await parts(id)).toEqual([[1, '33.33', 'in_run']])
  })

  test('keeps tokens held that move to other parts', async () => {
    const { id, deliveryId } = await aCompletedOrder(on, officer)
    const { body: run } = await freeze(on, colleague, [deliveryId], '100')
    expect((await correct(id, '130')).status).toBe(200)
    const added = (await standing(id))[1]!
    await call(api.holdDelivery, { params: { id: added.id }, body: { reason: 'Wait.' } }, as(officer))
    await call(
      api.cancelPayout,
      { params: { id: run.id }, body: { reason: 'Nothing was sent.' } },
      as(officer),
    )
    expect((await correct(id, '120')).status).toBe(200)
    expect((await standing(id)).map(({ amount, hold }) => [amount, hold])).toEqual([['120', 'staff']])
  })
})

test('the email about what arrived says what is left, and when the next part is due', async () => {
  const { id, member, deliveryId, address } = await aCompletedOrder(on, officer, { vesting: tenParts })
  const { body: run } = await freeze(on, officer, [deliveryId], '10')
  await exportFile(on, officer, run.id)
  const txId = 'ef'.repeat(32)
  await record(on, officer, run.id, [{ reference: run.list[0]!.reference, txId }])
  await confirm(on, officer, run.id, [deliveryId])
  const [, second] = await standing(id)
  const mails = async () =>
    (await on.mailsTo(member.email)).filter(({ kind }) => kind === 'order-delivery-confirmed')
  const { text } = (await mails())[0]!
  expect(text).toMatch(/We sent 10 /)
  expect(text).toMatch(/Still to be delivered: 90 /)
  expect(text).toMatch(/Next delivery: 10 \S+, due on /)
  expect(text).toContain(String(new Date(second!.dueAt).getUTCFullYear()))
  expect(await orderDeliveries(on, member, id)).toMatchObject({
    delivered: '10',
    locked: '90',
    dueNext: { amount: '10', dueAt: second!.dueAt },
  })
  // One email covers what is confirmed together.
  const items = [deliveryId, second!.id].map((each, n) => ({
    delivery_id: each,
    address,
    amount: '10',
    tx_id: `transaction ${n}`,
  }))
  await notifyOwnersOfDeliveries(services.db, services, items)
  const together = (await mails()).map((mail) => mail.text).find((each) => each.includes('We sent 20 '))
  expect(together).toContain('transaction 0, transaction 1')
  expect(await mails()).toHaveLength(2)
})

type Step = { act: 'correct' | 'freeze' | 'cancel'; number: number }

const plans = fc.oneof(
  fc
    .record({
      wait: fc.integer({ min: 0, max: 3 }),
      parts: fc.integer({ min: 1, max: 12 }),
      first: fc.integer({ min: 0, max: 99 }),
    })
    .map(({ first, wait, parts: count }) => monthly(String(first), wait, count)),
  fc.constant(thirds),
)
const steps = fc.array(
  fc.record<Step>({
    act: fc.constantFrom('correct', 'correct', 'freeze', 'freeze', 'cancel'),
    number: fc.integer({ min: 1, max: 1_000_000 }),
  }),
  { minLength: 3, maxLength: 7 },
)

test(
  'whatever happens, the deliveries of an order are its quantity, and what is in runs stays',
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(plans, steps, async (vesting, acts) => {
        const { id } = await aCompletedOrder(on, officer, { quantity: '7.77777777', vesting })
        let quantity = parseDecimal('7.77777777')
        let runs: string[] = []
        for (const { act, number } of acts) {
          const before = await standing(id)
          const frozen = before.filter(({ state }) => state === 'in_run')
          const committed = frozen.reduce((sum, { amount }) => sum + parseDecimal(amount), 0n)
          if (act === 'correct') {
            const wanted = BigInt(number) * 10n ** 11n * 97n
            const { status } = await correct(id, writeDecimal(wanted))
            expect(status).toBe(wanted < committed ? 400 : 200)
            if (status === 200) quantity = wanted
          } else if (act === 'freeze') {
            const open = before.filter(({ state }) => state !== 'in_run')
            const chosen = open[number % open.length]
            if (!chosen) continue
            await letBeDue(chosen.id)
            const { status, body } = await freeze(on, colleague, [chosen.id], chosen.amount)
            expect(status).toBe(201)
            runs.push(body.id)
          } else if (runs.length > 0) {
            const run = runs[number % runs.length]!
            const body = { reason: 'Nothing was sent.' }
            expect((await call(api.cancelPayout, { params: { id: run }, body }, as(officer))).status).toBe(
              200,
            )
            runs = runs.filter((each) => each !== run)
            continue
          }
          const after = await standing(id)
          expect(after.reduce((sum, { amount }) => sum + parseDecimal(amount), 0n)).toBe(quantity)
          expect(new Set(after.map(({ tranche }) => tranche)).size).toBe(after.length)
          for (const { id: each, amount } of frozen)
            expect(after.find((row) => row.id === each)).toMatchObject({ state: 'in_run', amount })
        }
        expect(await listInexact(on)).toEqual([])
      }),
      { seed: 20_261_202, numRuns: 25, endOnFailure: true },
    )
  },
)

test('a refund cancels all parts that are in no run', async () => {
  const { id, deliveryId } = await aCompletedOrder(on, officer, { vesting: thirds, paidAmount: '1.5' })
  await freeze(on, colleague, [deliveryId], '33.33')
  const { id: withdrawalId } = await services.db
    .insertInto('order_withdrawal')
    .values({
      order_id: id,
      state: 'accepted',
      until_at: new Date(),
      refund_before: new Date(),
      refund_address: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const body = {
    amount: '1.5',
    txId: `0x${'cd'.repeat(32)}`,
    paidOn: new Date().toISOString().slice(0, 10),
    reason: 'Sent back.',
  }
  expect((await call(api.recordRefund, { params: { id: withdrawalId }, body }, as(officer))).status).toBe(200)
  expect((await deliveriesOf(on, officer, id)).map(({ state }) => state)).toEqual([
    'in_run',
    'cancelled',
    'cancelled',
  ])
})
