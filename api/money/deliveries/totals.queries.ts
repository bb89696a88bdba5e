import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { isDueFrom, isDueUntil } from './delivery.queries.ts'
import { roundOfOrder } from './delivery-state.queries.ts'

/** Null if there are no deliveries. */
export type Sums = { sold: string } & Record<
  'delivered' | 'sent' | 'in_runs' | 'due' | 'locked',
  string | null
>

/** Deliveries that were not canceled, with the payout item that each is in. */
const counted = sql`delivery left join payout_item item on item.delivery_id = delivery.id and item.is_live`

/** The tokens of deliveries by what happened to them. */
const parts = sql`
  coalesce(sum(delivery.amount) filter (where item.confirmed_at is not null), 0) as delivered,
  coalesce(sum(delivery.amount) filter (where item.sent_at is not null and item.confirmed_at is null), 0) as sent,
  coalesce(sum(delivery.amount) filter (where item.id is not null and item.sent_at is null), 0) as in_runs,
  coalesce(sum(delivery.amount) filter (where item.id is null and delivery.due_at <= now()), 0) as due,
  coalesce(sum(delivery.amount) filter (where item.id is null and delivery.due_at > now()), 0) as locked`

const asText = sql`orders.sold::text, parts.delivered::text, parts.sent::text, parts.in_runs::text, parts.due::text,
  parts.locked::text`

/** Sums the tokens of all completed orders, and their deliveries by what happened to them. */
export async function readSums(db: Tx): Promise<Sums> {
  const { rows } = await sql<Sums>`select ${asText} from
    (select coalesce(sum(fab_qty), 0) as sold from token_order where status = 'completed') orders,
    (select ${parts} from ${counted} where delivery.cancelled_at is null) parts`.execute(db)
  return rows[0]!
}

type RoundSums = Sums & { id: string; name_en: string; name_cn: string }

/** Does the same for each round, the first one first. */
export async function listRoundSums(db: Tx): Promise<RoundSums[]> {
  const { rows } = await sql<RoundSums>`select sale_round.id, name_en, name_cn, ${asText} from sale_round
    join (select ${roundOfOrder} as round_id, coalesce(sum(fab_qty), 0) as sold from token_order
      where status = 'completed' group by 1) orders on orders.round_id = sale_round.id
    left join (select ${roundOfOrder} as round_id, ${parts} from ${counted}
      join token_order on token_order.id = delivery.order_id
      where delivery.cancelled_at is null group by 1) parts on parts.round_id = sale_round.id
    order by sale_round.position`.execute(db)
  return rows
}

export const listRoundNames = (db: Tx) =>
  db.selectFrom('sale_round').select(['id', 'name_en', 'name_cn']).orderBy('position').execute()

type Month = { month: string; count: number; amount: string; delivered: string }
type Days = { from?: string | undefined; to?: string | undefined }

/** Sums deliveries by the month in which they are due, in UTC. */
export async function listDueMonths(db: Tx, { from, to }: Days, max: number): Promise<Month[]> {
  const since = from === undefined ? sql`true` : isDueFrom(from)
  const until = to === undefined ? sql`true` : isDueUntil(to)
  const { rows } = await sql<Month>`select
    to_char(delivery.due_at at time zone 'UTC', 'YYYY-MM') as month,
    count(*)::int as count,
    sum(delivery.amount)::text as amount,
    coalesce(sum(delivery.amount) filter (where item.confirmed_at is not null), 0)::text as delivered
    from ${counted} where delivery.cancelled_at is null and ${since} and ${until}
    group by 1 order by 1 limit ${max}`.execute(db)
  return rows
}
