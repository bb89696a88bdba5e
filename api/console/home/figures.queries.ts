import { sql, type RawBuilder } from 'kysely'
import { figureDays } from '#contract/console-home.ts'
import type { Tx } from '../../db/database.ts'

/** What was counted on a day of UTC; `day` is 0 for the first of them. */
export type Counted<Name extends string> = { day: number; name: Name; value: string }

/** The midnight of UTC at which the days begin. */
const begin = sql<Date>`(date_trunc('day', now(), 'UTC') - ${figureDays - 1} * interval '1 day')`
const dayOf = (at: RawBuilder<unknown>) =>
  sql<number>`floor(extract(epoch from ${at} - ${begin}) / 86400)::int`

export async function readFirstDay(db: Tx): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select to_char(${begin} at time zone 'UTC', 'YYYY-MM-DD') as day`.execute(db)
  return rows[0]!.day
}

/** Those who signed up, whether or not they activated; an address that nobody confirms is forgotten after 30 days. */
export async function countSignUps(db: Tx): Promise<Counted<'sign_ups'>[]> {
  const { rows } = await sql<Counted<'sign_ups'>>`
    select ${dayOf(sql.ref('created_at'))} as day, 'sign_ups' as name, count(*)::text as value
    from member where created_at >= ${begin} group by 1`.execute(db)
  return rows
}

export async function countActivations(db: Tx): Promise<Counted<'activations'>[]> {
  const { rows } = await sql<Counted<'activations'>>`
    select ${dayOf(sql.ref('activated_at'))} as day, 'activations' as name, count(*)::text as value
    from member where activated_at >= ${begin} group by 1`.execute(db)
  return rows
}

export async function countApplications(db: Tx): Promise<Counted<'applications'>[]> {
  const { rows } = await sql<Counted<'applications'>>`
    select ${dayOf(sql.ref('created_at'))} as day, 'applications' as name, count(*)::text as value
    from kyc_application where created_at >= ${begin} group by 1`.execute(db)
  return rows
}

export async function countDecisions(db: Tx): Promise<Counted<'approved' | 'rejected' | 'more_info'>[]> {
  const { rows } = await sql<Counted<'approved' | 'rejected' | 'more_info'>>`
    select ${dayOf(sql.ref('at'))} as day, to_status::text as name, count(*)::text as value
    from kyc_step where at >= ${begin} and to_status in ('approved', 'rejected', 'more_info')
    group by 1, 2`.execute(db)
  return rows
}

export type OrderSum = {
  day: number
  status: 'pending' | 'completed' | 'cancelled'
  payMethod: string
  currency: string | null
  count: number
  /** Exact. */
  amount: string
}

export async function sumOrders(db: Tx): Promise<OrderSum[]> {
  const { rows } = await sql<OrderSum>`
    select ${dayOf(sql.ref('created_at'))} as day, status, pay_method as "payMethod", currency,
      count(*)::int as count, coalesce(sum(amount), 0)::text as amount
    from token_order where created_at >= ${begin} group by 1, 2, 3, 4`.execute(db)
  return rows
}
