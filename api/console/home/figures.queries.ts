import { sql } from 'kysely'
import { figureDays } from '#contract/console/console-home.ts'
import type { Tx } from '../../platform/db/database.ts'

/** A count for a UTC day; `day` is 0 for the first one. */
export type Counted<Name extends string> = { day: number; name: Name; value: string }

/** Midnight UTC at which the period starts, and that many days after it. */
const begin = sql<Date>`(date_trunc('day', now(), 'UTC') - ${figureDays - 1} * interval '1 day')`
const dayAfter = (days: string) => sql<Date>`(${begin} + (${sql.raw(days)}) * interval '1 day')`

/** In whole days: computing with times takes longer than reading them. */
const dayOf = (at: string) =>
  sql<number>`((${sql.ref(at)} at time zone 'UTC')::date - (now() at time zone 'UTC')::date + ${figureDays - 1}::int)`

export async function readFirstDay(db: Tx): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select to_char(${begin} at time zone 'UTC', 'YYYY-MM-DD') as day`.execute(db)
  return rows[0]!.day
}

/** Counts sign-ups, activated or not; an unverified address is deleted after 30 days. */
export const countSignUps = (db: Tx) => countMembers(db, 'sign_ups', 'created_at')

export const countActivations = (db: Tx) => countMembers(db, 'activations', 'activated_at')

/** Reads only the index, one range per day, even with many members. */
async function countMembers<Name extends string>(
  db: Tx,
  name: Name,
  column: 'created_at' | 'activated_at',
): Promise<Counted<Name>[]> {
  const at = sql.ref(`member.${column}`)
  const { rows } = await sql<{ day: number; value: string }>`
    select n as day,
      (select count(*) from member where ${at} >= ${dayAfter('n')} and ${at} < ${dayAfter('n + 1')})::text as value
    from generate_series(0, ${figureDays - 1}::int) n`.execute(db)
  return rows.map((row) => ({ ...row, name }))
}

export async function countApplications(db: Tx): Promise<Counted<'applications'>[]> {
  const { rows } = await sql<Counted<'applications'>>`
    select ${dayOf('created_at')} as day, 'applications' as name, count(*)::text as value
    from kyc_application where created_at >= ${begin} group by 1`.execute(db)
  return rows
}

export async function countDecisions(db: Tx): Promise<Counted<'approved' | 'rejected' | 'more_info'>[]> {
  const { rows } = await sql<Counted<'approved' | 'rejected' | 'more_info'>>`
    select ${dayOf('at')} as day, to_status::text as name, count(*)::text as value
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
  /** Exact decimal text. */
  amount: string
}

export async function sumOrders(db: Tx): Promise<OrderSum[]> {
  const { rows } = await sql<OrderSum>`
    select ${dayOf('created_at')} as day, status, pay_method as "payMethod", currency,
      count(*)::int as count, coalesce(sum(amount), 0)::text as amount
    from token_order where created_at >= ${begin} group by 1, 2, 3, 4`.execute(db)
  return rows
}
