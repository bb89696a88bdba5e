import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { DeliveryFilters } from '#contract/money/console-deliveries.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { VestingPlan } from '#contract/money/vesting.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { aCompletedOrder, deliveriesOf } from '#tests/deliveries.ts'
import {
  aDueDelivery,
  aRun,
  anExportedRun,
  confirm,
  exportFile,
  freeze,
  officers,
  record,
} from '#tests/payouts.ts'
import { as, letProofAge } from '#tests/step-up.ts'
import { startApi } from '#tests/setup/start-api.ts'

const on = await startApi({}, afterAll)
const { call } = on
const officer = await aSignedInMember(on, { manage_finance: 2 })
const txId = 'ab'.repeat(32)

const list = async (query: DeliveryFilters, by = officer) =>
  (await call(api.listDeliveries, { query: { limit: 100, ...query } }, as(by))).body
const ids = async (query: DeliveryFilters) => (await list(query)).map(({ id }) => id)
const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** A delivery in each state, by that state. */
async function inEachState() {
  const scheduled = await aDueDelivery(on, { dueAt: new Date(Date.now() + 40 * DAY) })
  const due = await aDueDelivery(on)
  const held = await aDueDelivery(on)
  await call(api.holdDelivery, { params: { id: held.id }, body: { reason: 'Wait.' } }, as(officer))
  const { list: frozen } = await aRun(on, officer, 1)
  const run = await anExportedRun(on, officer, 2)
  const [sent, confirmed] = run.list
  const lines = run.list.map(({ reference }) => ({ reference, txId }))
  await call(api.recordPayoutTransactions, { params: { id: run.id }, body: { lines } }, as(officer))
  const body = { deliveryIds: [confirmed!.deliveryId] }
  await call(api.confirmPayoutItems, { params: { id: run.id }, body }, as(officer))
  const cancelled = await aDueDelivery(on)
  await on.services.db
    .updateTable('delivery')
    .set({ cancelled_at: new Date(), cancel_cause: 'refunded' })
    .where('id', '=', cancelled.id)
    .execute()
  return {
    run,
    scheduled,
    ofState: {
      scheduled: scheduled.id,
      due: due.id,
      on_hold: held.id,
      in_run: frozen[0]!.deliveryId,
      sent: sent!.deliveryId,
      confirmed: confirmed!.deliveryId,
      cancelled: cancelled.id,
    },
  }
}

test('filters deliveries by status, hold, due day, run, and reference', async () => {
  const { ofState, run, scheduled } = await inEachState()
  const all = Object.values(ofState)
  for (const [state, id] of Object.entries(ofState)) {
    const rows = await list({ state: state as keyof typeof ofState })
    expect(new Set(rows.map((row) => row.state)), state).toEqual(new Set([state]))
    const found = rows.map((row) => row.id)
    expect(
      all.filter((each) => found.includes(each)),
      state,
    ).toEqual([id])
  }
  expect(await ids({ hold: 'staff' })).toEqual([ofState.on_hold])
  expect(await ids({ run: run.id })).toEqual(expect.arrayContaining([ofState.sent, ofState.confirmed]))
  expect(await ids({ run: run.id })).toHaveLength(2)
  const day = dayOf(scheduled.due_at)
  expect(await ids({ from: day, to: day })).toEqual([scheduled.id])
  expect(await ids({ to: dayOf(new Date(Date.now() - DAY)) })).toEqual([])
  const [row] = await list({ ids: scheduled.id })
  for (const q of [row!.reference, row!.reference.toLowerCase(), row!.orderReference, row!.memberEmail])
    expect(await ids({ q }), q).toEqual([scheduled.id])
  expect(await ids({ q: 'nobody@example.org' })).toEqual([])
  expect(await ids({ sort: 'due' })).toEqual((await ids({ sort: '-due' })).toReversed())
  const [confirmed] = await list({ ids: ofState.confirmed })
  expect(confirmed).toMatchObject({ txId, run: { id: run.id, number: run.number }, hold: null })
})

test('an officer sees no reason for a hold of their own tokens', async () => {
  const other = await aSignedInMember(on, { manage_finance: 2 })
  const own = await aDueDelivery(on, { memberId: other.id })
  await call(api.holdDelivery, { params: { id: own.id }, body: { reason: 'Under review.' } }, as(officer))
  expect((await list({ ids: own.id }))[0]).toMatchObject({ hold: 'staff', holdNote: 'Under review.' })
  expect((await list({ ids: own.id }, other))[0]).toMatchObject({ hold: 'staff', holdNote: '' })
})

test('exports the list and a file for accounting, with exact decimals and step-up', async () => {
  const delivery = await aDueDelivery(on, { amount: '0.12345678' })
  const q = delivery.reference
  const list = await call(api.exportDeliveries, { query: { q } }, as(officer))
  const [head, line, ...rest] = String(list.body).trim().split('\r\n')
  expect(rest).toEqual([])
  expect(head).toContain('delivery,order,member,tranche,amount,due,state,hold,address')
  expect(line).toContain(`,1,0.12345678,`)
  expect(line).toContain(delivery.address)
  const { body } = await call(api.exportDeliveryAccounts, { query: { q } }, as(officer))
  const [columns, account] = String(body).trim().split('\r\n')
  expect(columns).toContain(
    'delivery,deliveryId,order,orderId,tranche,amount,state,createdAt,dueAt,payoutRun,address,txId,sentAt,confirmedAt,cancelledAt,cancelCause',
  )
  expect(account).toContain(`${delivery.id},`)
  expect(account).toContain(delivery.due_at.toISOString().slice(0, 16))
  const views = await on.services.db
    .selectFrom('audit_entry')
    .select('action')
    .where('actor_id', '=', officer.id)
    .execute()
  expect(views.map(({ action }) => action)).toContain('order-listed')
  await letProofAge(on, officer)
  for (const name of ['exportDeliveries', 'exportDeliveryAccounts'] as const)
    expect((await call(api[name], { query: {} }, as(officer))).problem.code).toBe('step_up_required')
  await call(api.stepUp, { body: { password: officer.password } }, as(officer))
})

test('totals add up to what was sold to orders with deliveries, and only confirmed ones are delivered', async () => {
  const started = await startApi()
  const finance = await aSignedInMember(started, { manage_finance: 2 })
  const totals = async (query: object = {}) =>
    (await started.call(api.readDeliveryTotals, { query }, as(finance))).body
  const dueAt = new Date(Date.now() + 40 * DAY)
  await aDueDelivery(started, { amount: '1.00000001' })
  await aDueDelivery(started, { amount: '2', dueAt })
  await aRun(started, finance, 1, '4')
  const run = await anExportedRun(started, finance, 2)
  const lines = run.list.map(({ reference }) => ({ reference, txId }))
  await started.call(api.recordPayoutTransactions, { params: { id: run.id }, body: { lines } }, as(finance))
  const sent = { due: '1.00000001', locked: '2', inRuns: '4', sold: '207.00000001' }
  expect(await totals()).toMatchObject({ ...sent, sent: '200', delivered: '0' })
  const deliveryIds = [run.list[0]!.deliveryId]
  await started.call(api.confirmPayoutItems, { params: { id: run.id }, body: { deliveryIds } }, as(finance))
  const { months, ...sums } = await totals()
  expect(sums).toEqual({ ...sent, sent: '100', delivered: '100', rounds: [] })
  const month = dueAt.toISOString().slice(0, 7)
  expect(months.at(-1)).toEqual({ month, count: 1, amount: '2', delivered: '0' })
  expect(await totals({ from: dayOf(dueAt), to: dayOf(dueAt) })).toMatchObject({ months: [{ month }] })
  expect((await totals({ from: dayOf(new Date(Date.now() + 100 * DAY)) })).months).toEqual([])
})

test('rounds have their own totals, and orders without a round are of the former one', async () => {
  const started = await startApi()
  const { db } = started.services
  const finance = await aSignedInMember(started, { manage_finance: 2 })
  const name = (text: string) => ({ name_en: text, name_cn: text })
  await db
    .insertInto('sale_round')
    .values([
      { id: 'former', position: 0, ...name('Sale'), is_former: true, closes_at: new Date('2030-01-01') },
      { id: 'seed', position: 1, ...name('Seed'), opens_at: new Date('2031-01-01') },
    ])
    .execute()
  const former = await aDueDelivery(started, { amount: '1' })
  const seed = await aDueDelivery(started, { amount: '2.00000001', dueAt: new Date(Date.now() + DAY) })
  await db.updateTable('token_order').set({ round_id: 'seed' }).where('id', '=', seed.order_id).execute()
  const { body } = await started.call(api.readDeliveryTotals, {}, as(finance))
  const none = { delivered: '0', sent: '0', inRuns: '0', due: '0', locked: '0' }
  expect(body.rounds).toEqual([
    { id: 'former', name: { en: 'Sale', cn: 'Sale' }, ...none, sold: '1', due: '1' },
    { id: 'seed', name: { en: 'Seed', cn: 'Seed' }, ...none, sold: '2.00000001', locked: '2.00000001' },
  ])
  const { body: named } = await started.call(api.listDeliveryRounds, {}, as(finance))
  expect(named.rounds).toEqual(body.rounds.map(({ id, name: of }) => ({ id, name: of })))
  for (const [round, delivery] of Object.entries({ former, seed })) {
    const { body: rows } = await started.call(api.listDeliveries, { query: { round } }, as(finance))
    expect(rows.map(({ id, round: of }) => [id, of?.id])).toEqual([[delivery.id, round]])
  }
  const file = await started.call(api.exportDeliveryAccounts, { query: { round: 'seed' } }, as(finance))
  const [head, line] = String(file.body).trim().split('\r\n')
  expect([head!.split(',').slice(-2), line!.split(',').slice(-2)]).toEqual([
    ['roundId', 'round'],
    ['seed', 'Seed'],
  ])
})

test('with several rounds and plans, totals, months, and the accounting file agree to the last digit', async () => {
  const started = await startApi({ WITHDRAWAL_DAYS: '0' })
  const { db } = started.services
  const [one, two] = await officers(started, 2)
  const named = (id: string, position: number, at: object) => ({
    id,
    position,
    name_en: id,
    name_cn: id,
    ...at,
  })
  await db
    .insertInto('sale_round')
    .values([
      named('former', 0, { is_former: true, closes_at: new Date('2030-01-01') }),
      named('seed', 1, { opens_at: new Date('2031-01-01'), closes_at: new Date('2031-02-01') }),
      named('public', 2, { opens_at: new Date('2031-02-01') }),
    ])
    .execute()
  const monthly = (first: string, parts: number): VestingPlan => ({
    first,
    later: { kind: 'linear', wait: 1, parts, unit: 'months' },
  })
  const thirds: VestingPlan = {
    first: '33.33',
    later: {
      kind: 'tranches',
      parts: [
        { after: 1, unit: 'days', percent: '33.33' },
        { after: 2, unit: 'months', percent: '33.34' },
      ],
    },
  }
  const sold = [
    { round: null, quantity: '7.77777777' },
    { round: null, quantity: '100.00000001', vesting: monthly('12.5', 7) },
    { round: 'seed', quantity: '0.00000013', vesting: thirds },
    { round: 'seed', quantity: '1234.56789012', vesting: monthly('0', 7) },
    { round: 'public', quantity: '999.99999999', vesting: thirds },
    { round: 'public', quantity: '1', vesting: monthly('99.99', 1) },
  ]
  const orders: Awaited<ReturnType<typeof aCompletedOrder>>[] = []
  for (const { round, quantity, vesting } of sold) {
    const order = await aCompletedOrder(started, one, { quantity, ...(vesting && { vesting }) })
    await db.updateTable('token_order').set({ round_id: round }).where('id', '=', order.id).execute()
    orders.push(order)
  }
  const firstOf = async (n: number) => (await deliveriesOf(started, one, orders[n]!.id))[0]!
  const [sent, arrived, frozen] = [await firstOf(0), await firstOf(1), await firstOf(4)]
  const { body: run } = await freeze(started, two, [sent.id, arrived.id], '20.27777777')
  await exportFile(started, one, run.id)
  await record(
    started,
    one,
    run.id,
    run.list.map(({ reference }) => ({ reference, txId })),
  )
  await confirm(started, two, run.id, [arrived.id])
  await freeze(started, two, [frozen.id], frozen.amount)
  const correction = {
    _id: orders[4]!.id,
    reason: 'As agreed.',
    fabQty: '1000.00000003',
    confirmsQuantity: true,
  }
  for (const by of [one, two]) await started.call(api.updateOrder, { body: correction }, as(by))
  const overdue = { due_at: new Date(Date.now() - 30 * DAY) }
  await db
    .updateTable('delivery')
    .set(overdue)
    .where('order_id', '=', orders[5]!.id)
    .where('tranche', '=', 2)
    .execute()

  const units = (values: readonly string[]) => values.reduce((sum, value) => sum + parseDecimal(value), 0n)
  const { body: totals } = await started.call(api.readDeliveryTotals, {}, as(one))
  const { rounds, months } = totals
  for (const { delivered, sent: out, inRuns, due, locked, ...of } of [totals, ...rounds])
    expect(units([delivered, out, inRuns, due, locked])).toBe(parseDecimal(of.sold))
  for (const name of ['sold', 'delivered', 'sent', 'inRuns', 'due', 'locked'] as const)
    expect(units(rounds.map((round) => round[name]))).toBe(parseDecimal(totals[name]))
  expect(rounds.map(({ id, sold: all }) => [id, all])).toEqual([
    ['former', '107.77777778'],
    ['seed', '1234.56789025'],
    ['public', '1001.00000003'],
  ])
  expect(totals).toMatchObject({ delivered: '12.5', sent: '7.77777777', inRuns: frozen.amount })
  expect(units(months.map(({ amount }) => amount))).toBe(parseDecimal(totals.sold))
  expect(units(months.map(({ delivered }) => delivered))).toBe(parseDecimal(totals.delivered))

  const { body: file } = await started.call(api.exportDeliveryAccounts, {}, as(one))
  const [head, ...lines] = String(file)
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  const at = (line: string[], name: string) => line[head!.indexOf(name)]!
  const standing = lines.filter((line) => at(line, 'state') !== 'cancelled')
  for (const { id, sold: all } of rounds)
    expect(
      units(standing.filter((line) => at(line, 'roundId') === id).map((line) => at(line, 'amount'))),
    ).toBe(parseDecimal(all))
  const parts = standing.map((line) => `${at(line, 'orderId')} ${at(line, 'tranche')}`)
  expect(new Set(parts).size).toBe(parts.length)

  const { body: home } = await started.call(api.listNeedsAttention, {}, as(one))
  const waiting = (what: string) => home.find((each) => each.what === what)?.count
  const { body: due } = await started.call(
    api.listDeliveries,
    { query: { state: 'due', limit: 100 } },
    as(one),
  )
  expect(units(due.map(({ amount }) => amount))).toBe(parseDecimal(totals.due))
  expect([waiting('deliveries_due'), waiting('deliveries_overdue')]).toEqual([due.length, 1])
})

test('members see the deliveries of their own orders only, a page at a time', async () => {
  const member = await aSignedInMember(on)
  const mine = [
    await aDueDelivery(on, { memberId: member.id, dueAt: new Date(Date.now() - 2 * DAY) }),
    await aDueDelivery(on, { memberId: member.id }),
  ]
  await aDueDelivery(on)
  const first = await call(api.listOwnDeliveries, { query: { limit: 1 } }, as(member))
  expect(first.body.map(({ id }) => id)).toEqual([mine[1]!.id])
  const after = new URL(
    /<([^>]+)>; rel="next"/.exec(String(first.headers.link))![1]!,
    'http://localhost',
  ).searchParams.get('after')!
  const next = await call(api.listOwnDeliveries, { query: { limit: 1, after } }, as(member))
  expect(next.body.map(({ id }) => id)).toEqual([mine[0]!.id])
  const params = { id: mine[0]!.order_id }
  expect((await call(api.getOrderDeliveries, { params }, as(member))).status).toBe(200)
  const other = await aSignedInMember(on)
  expect((await call(api.getOrderDeliveries, { params }, as(other))).problem.code).toBe('forbidden')
})

test('a delivery in a run shows the address as frozen', async () => {
  const delivery = await aDueDelivery(on)
  await freeze(on, officer, [delivery.id], '100')
  await on.services.db
    .updateTable('token_order')
    .set({ fab_address: 'elsewhere' })
    .where('id', '=', delivery.order_id)
    .execute()
  expect((await list({ ids: delivery.id }))[0]!.address).toBe(delivery.address)
})
