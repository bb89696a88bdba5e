import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

type Sums = { sold: string; delivered: string; sent: string; in_runs: string; due: string; locked: string }

/** Deliveries that were not canceled, with the payout item that each is in. */
const counted = sql`delivery left join payout_item item on item.delivery_id = delivery.id and item.is_live
  where delivery.cancelled_at is null`

/** Sums the tokens of all completed orders, and their deliveries by what happened to them. */
export async function readSums(db: Tx): Promise<Sums> {
  const { rows } = await sql<Sums>`select
    (select coalesce(sum(fab_qty), 0)::text from token_order where status = 'completed') as sold,
    coalesce(sum(delivery.amount) filter (where item.confirmed_at is not null), 0)::text as delivered,
    coalesce(sum(delivery.amount) filter (where item.sent_at is not null and item.confirmed_at is null), 0)::text as sent,
    coalesce(sum(delivery.amount) filter (where item.id is not null and item.sent_at is null), 0)::text as in_runs,
    coalesce(sum(delivery.amount) filter (where item.id is null and delivery.due_at <= now()), 0)::text as due,
    coalesce(sum(delivery.amount) filter (where item.id is null and delivery.due_at > now()), 0)::text as locked
    from ${counted}`.execute(db)
  return rows[0]!
}

type Month = { month: string; count: number; amount: string; delivered: string }
type Days = { from?: string | undefined; to?: string | undefined }

/** Sums deliveries by the month in which they are due, in UTC. */
export async function listDueMonths(db: Tx, { from, to }: Days, max: number): Promise<Month[]> {
  const since = from === undefined ? sql`true` : sql`delivery.due_at >= ${`${from}T00:00:00Z`}::timestamptz`
  const until =
    to === undefined ? sql`true` : sql`delivery.due_at < ${`${to}T00:00:00Z`}::timestamptz + interval '1 day'`
  const { rows } = await sql<Month>`select
    to_char(delivery.due_at at time zone 'UTC', 'YYYY-MM') as month,
    count(*)::int as count,
    sum(delivery.amount)::text as amount,
    coalesce(sum(delivery.amount) filter (where item.confirmed_at is not null), 0)::text as delivered
    from ${counted} and ${since} and ${until}
    group by 1 order by 1 limit ${max}`.execute(db)
  return rows
}
