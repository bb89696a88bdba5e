import { sql, type SqlBool } from 'kysely'
import type { PublicSaleState } from '#contract/money/public-sale.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'

/** What is left of the cap changes with each order, so it is announced at most once per this interval. */
const announcedEvery = MINUTE

/**
 * Stores what pages show. Returns true to only one instance for each change. A page may have been rendered between two
 * changes that cancel each other out, so the version of what is sold counts and not the quantity.
 */
export async function updateShown(
  db: Tx,
  {
    state,
    soldVersion,
    roundId,
  }: { state: PublicSaleState; soldVersion: string | null; roundId: string | null },
): Promise<boolean> {
  const changed = await db
    .insertInto('sale_shown')
    .values({
      state,
      sold_version: soldVersion,
      round_id: roundId,
      open_since: sql<Date | null>`case when ${state} = 'open' then now() end`,
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({
          state,
          sold_version: soldVersion,
          round_id: roundId,
          changed_at: sql<Date>`now()`,
          // A round that is open again after it was sold out, because an order was canceled, has not opened anew. One
          // that follows directly continues the sale, unless the one before was sold out in between.
          open_since: sql<Date | null>`case
            when excluded.state <> 'open' then null
            when sale_shown.state = 'open' and sale_shown.open_since is not null then sale_shown.open_since
            when sale_shown.state in ('open', 'soldOut')
              and sale_shown.round_id is not distinct from excluded.round_id then null
            else now() end`,
        })
        .where(
          sql<SqlBool>`sale_shown.state <> excluded.state
            or sale_shown.round_id is distinct from excluded.round_id
            or (sale_shown.sold_version is distinct from excluded.sold_version
              and sale_shown.changed_at <= ${ago(announcedEvery)})`,
        ),
    )
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/**
 * Whether the sale opened at least this many milliseconds ago, and has been open since then. False if it has been sold
 * out in between.
 */
export async function hasBeenOpenFor(db: Tx, time: number): Promise<boolean> {
  const row = await db
    .selectFrom('sale_shown')
    .select('id')
    .where('open_since', '<=', ago(time))
    .executeTakeFirst()
  return row !== undefined
}

/** Milliseconds until the sale or one of its rounds opens or closes; undefined if nothing is planned. */
export async function readTimeToChange(db: Tx): Promise<number | undefined> {
  const { rows } = await sql<{ wait: number | null }>`
    select (extract(epoch from min(at) - clock_timestamp()) * 1000)::float8 as wait
    from (
      select at from sale, unnest(array[opens_at, closes_at]) as at where is_open
      union all
      select at from sale, sale_round, unnest(array[sale_round.opens_at, sale_round.closes_at]) as at where is_open
    ) change
    where at > clock_timestamp()`.execute(db)
  return rows[0]?.wait ?? undefined
}
