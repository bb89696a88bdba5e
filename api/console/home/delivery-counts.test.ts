import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { aDueDelivery } from '#tests/payouts.ts'
import { as } from '#tests/step-up.ts'
import { DAY } from '#contract/platform/durations.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { dueDeliveries } from './waiting.queries.ts'

const started = await startApi({}, afterAll)
const { db } = started.services

/** Deliveries of past years, all of them in payout runs: as many for each order as it can have. */
async function fillPast(count: number): Promise<void> {
  const { order_id: orderId } = await aDueDelivery(started, { dueAt: new Date(Date.now() + DAY) })
  const perOrder = 200
  await sql`insert into token_order (id, member_id, reference, pay_method, status, fab_qty, fab_address)
    select 'past' || n, member_id, lpad(n::text, 10, 'A'), pay_method, 'completed', ${perOrder}::int, fab_address
    from token_order, generate_series(1, ${count / perOrder}::int) n where id = ${orderId}`.execute(db)
  for (let tranche = 1; tranche <= perOrder; tranche += 1)
    await sql`insert into delivery (order_id, tranche, amount, due_at, is_in_run)
      select id, ${tranche}::int, 1, now() - random() * interval '3 years', true
      from token_order where id like 'past%'`.execute(db)
  for (const table of ['delivery', 'token_order']) await sql`vacuum analyze ${sql.table(table)}`.execute(db)
}

test('the counts of due deliveries read the open ones by index, whatever was paid before', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  await fillPast(20_000)
  await aDueDelivery(started, { dueAt: new Date(Date.now() - 9 * DAY) })
  await aDueDelivery(started)
  const held = await aDueDelivery(started)
  const body = { reason: 'Wait.' }
  await started.call(api.holdDelivery, { params: { id: held.id }, body }, as(officer))
  const { body: waiting } = await started.call(api.listNeedsAttention, {}, as(officer))
  const of = (what: string) => waiting.find((each) => each.what === what)
  expect(of('deliveries_due')).toMatchObject({ count: 2 })
  expect(of('deliveries_overdue')).toMatchObject({ count: 1 })
  const plan = await dueDeliveries(db).explain('text', sql`analyze, timing off, summary off`)
  const text = plan.map((row) => Object.values(row as object).join()).join('\n')
  expect(text).toMatch(/(?:using|on) delivery_open_by_due .*actual rows=3\b/)
  expect(text).not.toContain('Seq Scan on delivery')
})
