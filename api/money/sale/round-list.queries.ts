import { sql } from 'kysely'
import { saleRounds, type RoundRow } from '#contract/money/sale-rounds.ts'
import type { FiltersOf } from '#contract/platform/resource.ts'
import type { Tx } from '../../platform/db/database.ts'
import { readList } from '../../platform/db/read-list.ts'
import type { Page } from '../../platform/db/read-page.ts'

/** A round without a start comes before all others. Written exactly as in the index. */
const opening = sql<Date>`coalesce(sale_round.opens_at, timestamptz(3) '1970-01-01 00:00:00+00')`

const state = sql<RoundRow['state']>`case when sale_round.closes_at <= now() then 'ended'
  when sale_round.opens_at > now() then 'upcoming' else 'current' end`

/** Orders without a round belong to the first one. */
const counted = sql<{ orders: number; members: number }>`lateral (
  select coalesce(sum(orders), 0)::int as orders, count(member_id)::int as members from (
    select member_id, count(*) as orders from (
      select member_id from token_order where round_id = listed.id and status <> 'cancelled'
      union all
      select member_id from token_order where listed.is_former and round_id is null and status <> 'cancelled'
    ) of_round group by member_id) of_member)`

const listedRounds = (db: Tx) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('sale_round')
        .selectAll()
        .select([opening.as('opening'), state.as('state')])
        .as('listed'),
    )
    .innerJoin(counted.as('counted'), (join) => join.onTrue())
    .selectAll()

export type ListedRound = NonNullable<Awaited<ReturnType<typeof findListedRound>>>

export const findListedRound = (db: Tx, id: string) =>
  listedRounds(db).where('listed.id', '=', id).executeTakeFirst()

export const listRoundRows = (db: Tx, filters: FiltersOf<typeof saleRounds>, page: Page) =>
  readList(
    saleRounds,
    { rows: listedRounds(db), where: {}, sortBy: { opens: 'listed.opening' }, id: 'listed.id' },
    filters,
    page,
  )
