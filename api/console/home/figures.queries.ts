import { sql, type RawBuilder } from 'kysely'
import { figurePeriods, type FigurePeriod } from '#contract/console/console-home.ts'
import type { Tx } from '../../platform/db/database.ts'

/** A count for one step of the period; `at` is 0 for the first one, and -1 for the whole period before. */
export type Counted<Name extends string> = { at: number; name: Name; value: string }

/** The last `days` days including today (UTC), counted in steps of `step` days. */
export type Period = { days: number; step: number }

export const periodOf = (name: FigurePeriod): Period => ({ days: Number(name), step: figurePeriods[name] })

/** Midnight UTC at which the period starts. */
const begin = ({ days }: Period) =>
  sql<Date>`(date_trunc('day', now(), 'UTC') - ${days - 1}::int * interval '1 day')`
const beginBefore = ({ days, step }: Period) => begin({ days: 2 * days, step })
const beginOfStep = (period: Period, step: string) =>
  sql<Date>`(${begin(period)} + (${sql.raw(step)}) * ${period.step}::int * interval '1 day')`

/** In whole days: computing with times takes longer than reading them. */
function stepOf(column: string, { days, step }: Period): RawBuilder<number> {
  const day = sql`((${sql.ref(column)} at time zone 'UTC')::date - (now() at time zone 'UTC')::date + ${days - 1}::int)`
  return sql<number>`(case when ${day} < 0 then -1 else ${day} / ${step}::int end)`
}

export async function readFirstDay(db: Tx, period: Period): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select to_char(${begin(period)} at time zone 'UTC', 'YYYY-MM-DD') as day`.execute(db)
  return rows[0]!.day
}

/** Counts sign-ups, activated or not; an unverified address is deleted after 30 days. */
export const countSignUps = (db: Tx, period: Period) => countMembers(db, 'sign_ups', 'created_at', period)

export const countActivations = (db: Tx, period: Period) =>
  countMembers(db, 'activations', 'activated_at', period)

/** Reads only the index, one range per step, even with many members. */
async function countMembers<Name extends string>(
  db: Tx,
  name: Name,
  column: 'created_at' | 'activated_at',
  period: Period,
): Promise<Counted<Name>[]> {
  const at = sql.ref(`member.${column}`)
  const { rows } = await sql<{ at: number; value: string }>`
    select n as at, (select count(*) from member
      where ${at} >= ${beginOfStep(period, 'n')} and ${at} < ${beginOfStep(period, 'n + 1')})::text as value
    from generate_series(0, ${period.days / period.step - 1}::int) n
    union all
    select -1, count(*)::text from member where ${at} >= ${beginBefore(period)} and ${at} < ${begin(period)}`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, name }))
}

export async function countApplications(db: Tx, period: Period): Promise<Counted<'applications'>[]> {
  const { rows } = await sql<Counted<'applications'>>`
    select ${stepOf('created_at', period)} as at, 'applications' as name, count(*)::text as value
    from kyc_application where created_at >= ${beginBefore(period)} group by 1`.execute(db)
  return rows
}

type Decision = 'approved' | 'rejected' | 'more_info'

export async function countDecisions(db: Tx, period: Period): Promise<Counted<Decision>[]> {
  const { rows } = await sql<Counted<Decision>>`
    select ${stepOf('at', period)} as at, to_status::text as name, count(*)::text as value
    from kyc_step where at >= ${beginBefore(period)} and to_status in ('approved', 'rejected', 'more_info')
    group by 1, 2`.execute(db)
  return rows
}

export type OrderSum = {
  at: number
  status: 'pending' | 'completed' | 'cancelled'
  payMethod: string
  currency: string | null
  count: number
  /** Exact decimal text. */
  amount: string
}

export async function sumOrders(db: Tx, period: Period): Promise<OrderSum[]> {
  const { rows } = await sql<OrderSum>`
    select ${stepOf('created_at', period)} as at, status, pay_method as "payMethod", currency,
      count(*)::int as count, coalesce(sum(amount), 0)::text as amount
    from token_order where created_at >= ${beginBefore(period)} group by 1, 2, 3, 4`.execute(db)
  return rows
}

export type MemberSteps = { signed_up: number; activated: number }

/** How many of the members who signed up in the period activated their account. */
export async function countNewMembers(db: Tx, period: Period): Promise<MemberSteps> {
  const { rows } = await sql<MemberSteps>`
    select count(*)::int as signed_up, count(activated_at)::int as activated
    from member where created_at >= ${begin(period)}`.execute(db)
  return rows[0]!
}

export type BuyerSteps = { identified: number; ordered: number; paid: number }

/** How many of the members who signed up in the period have an approved identity, an order, and a completed order. */
export async function countNewBuyers(db: Tx, period: Period): Promise<BuyerSteps> {
  const { rows } = await sql<BuyerSteps>`
    select count(distinct member_id)::int as ordered,
      count(distinct member_id) filter (where status = 'completed')::int as paid,
      (select count(*)::int from member_summary
        where kyc_state = 'approved' and joined_at >= ${begin(period)}) as identified
    from token_order join member on member.id = member_id
    where token_order.created_at >= ${begin(period)} and member.created_at >= ${begin(period)}`.execute(db)
  return rows[0]!
}
