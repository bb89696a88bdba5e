import { sql, type Selectable } from 'kysely'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import { shortDecimal } from '#contract/platform/decimal.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { DB } from '../../platform/db/rows.ts'

export type RoundRow = Selectable<DB['sale_round']> & { prices: SaleRound['prices'] }

/** The same for all rows of a query, so that one round ends exactly when the next one begins. */
const now = sql`statement_timestamp()`

const isNow = sql<boolean>`(coalesce(sale_round.opens_at <= ${now}, true)
  and coalesce(sale_round.closes_at > ${now}, true))`

/** The round in which tokens are sold now. In a query of the sale. */
export const currentRoundId = sql<string | null>`(select sale_round.id from sale_round where ${isNow}
  order by sale_round.opens_at nulls first limit 1)`

/** Whether a round applies now: one that is open, or none, because none is stored. In a query of the sale. */
export const isInRound = sql<boolean>`(not exists (select from sale_round) or ${currentRoundId} is not null)`

const opening = sql<Date | null>`greatest(sale_round.opens_at, sale.opens_at)`

/** The round that opens next, unless the sale closes before. In a query of the sale. */
export const nextRoundId = sql<string | null>`(select sale_round.id from sale_round where ${opening} > ${now}
  and coalesce(sale_round.closes_at > ${opening}, true) and coalesce(sale.closes_at > ${opening}, true)
  order by sale_round.opens_at nulls first limit 1)`

/** When the sale opens within a round. In a query of the sale. */
export const openingAt = sql<Date | null>`case when not exists (select from sale_round) then sale.opens_at else (
  select min(${opening}) from sale_round
  where coalesce(sale_round.closes_at > greatest(sale.opens_at, ${now}), true)
    and coalesce(${opening} < sale.closes_at, true)) end`

const pricesOfRound = sql<SaleRound['prices']>`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'code', code, 'rate', rate::text, 'minAmount', min_amount::text, 'maxAmount', max_amount::text) order by code), '[]')
  from sale_round_price where round_id = sale_round.id)`

/** The rounds in the order of time. */
async function readRounds(db: Tx, condition: ReturnType<typeof sql<boolean>>): Promise<RoundRow[]> {
  const rows = await db
    .selectFrom('sale_round')
    .selectAll()
    .select(pricesOfRound.as('prices'))
    .where(condition)
    .orderBy('opens_at', (order) => order.asc().nullsFirst())
    .orderBy('position')
    .execute()
  return rows.map((row) => ({
    ...row,
    prices: row.prices.map(({ code, rate, minAmount, maxAmount }) => ({
      code,
      rate: shortDecimal(rate),
      minAmount: shortDecimal(minAmount),
      maxAmount: shortDecimal(maxAmount),
    })),
  }))
}

export const listRounds = (db: Tx): Promise<RoundRow[]> => readRounds(db, sql<boolean>`true`)

export const findRound = async (db: Tx, id: string): Promise<RoundRow | undefined> =>
  (await readRounds(db, sql<boolean>`id = ${id}`))[0]

/** The round in which the sale is selling, and the one that opens next. */
export async function findRoundsOf(
  db: Tx,
  sale: { round_id: string | null; next_round_id: string | null } | undefined,
): Promise<{ round: RoundRow | undefined; next: RoundRow | undefined }> {
  const { round_id: id = null, next_round_id: nextId = null } = sale ?? {}
  if (id === null && nextId === null) return { round: undefined, next: undefined }
  const rounds = await readRounds(db, sql<boolean>`id in (${id}, ${nextId})`)
  return { round: rounds.find((each) => each.id === id), next: rounds.find((each) => each.id === nextId) }
}

/**
 * The round of an order that finance enters: the one that is open now, otherwise the one that ended last, otherwise the
 * first one. It does not follow from the time of the payment, because the officer would then choose the price and the
 * caps by stating a time.
 */
export const findRoundToEnter = async (db: Tx): Promise<RoundRow | undefined> =>
  (
    await readRounds(
      db,
      sql<boolean>`id = coalesce(${currentRoundId},
        (select ended.id from sale_round ended where ended.closes_at <= ${now} order by ended.closes_at desc limit 1),
        (select first.id from sale_round first order by first.opens_at nulls first, first.position limit 1))`,
    )
  )[0]

/** The round of an order: without one, the first round. */
export const findRoundOf = async (
  db: Tx,
  { round_id: id }: { round_id: string | null },
): Promise<RoundRow | undefined> =>
  (
    await readRounds(
      db,
      id === null ? sql<boolean>`sale_round.is_former` : sql<boolean>`sale_round.id = ${id}`,
    )
  )[0]

/** When the sale ends, at the latest with its last round. In a query of the sale. */
export const closingAt = sql<Date | null>`least(sale.closes_at,
  (select case when bool_and(sale_round.closes_at is not null) then max(sale_round.closes_at) end from sale_round))`

/**
 * Whether a round has orders, and therefore cannot be removed. Orders that were placed before there were rounds belong to
 * the first one. `min` reads one entry of the index, while `exists` scans the table if most orders are in one round.
 */
export async function listRoundsWithOrders(db: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from sale_round where id = any(${ids}) and (
      (select min(member_id) from token_order where round_id = sale_round.id) is not null
      or (is_former and (select min(member_id) from token_order where round_id is null) is not null))`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Replaces the rounds. What they have sold, and who is admitted to them, stays. */
export async function replaceRounds(db: Tx, rounds: readonly SaleRound[]): Promise<void> {
  const ids = rounds.map(({ id }) => id)
  const former = await db
    .selectFrom('sale_round')
    .select('id')
    .where('is_former', '=', true)
    .executeTakeFirst()
  const lacksFormer = ids.length > 0 && !(former && ids.includes(former.id))
  if (lacksFormer) await lockSold(db)
  // In the sequence in which orders lock them, which count what they sell.
  await sql`select from sale_round order by id for no key update`.execute(db)
  await db
    .deleteFrom('sale_round')
    .$if(ids.length > 0, (query) => query.where('id', 'not in', ids))
    .execute()
  for (const [position, round] of rounds.entries()) {
    const columns = {
      position,
      name_en: round.name.en,
      name_cn: round.name.cn,
      opens_at: round.opensAt,
      closes_at: round.closesAt,
      cap: round.cap,
      member_cap: round.memberCap,
      admission: round.admission,
      excluded_countries: [...round.excludedCountries],
      bonus: JSON.stringify(round.bonus),
      vesting: JSON.stringify(round.vesting),
    }
    await db
      .insertInto('sale_round')
      .values({ id: round.id, ...columns })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
      .execute()
    await replacePrices(db, round)
  }
  if (lacksFormer) await setFormerRound(db)
}

/**
 * Orders without a round belong to the first one: those that were placed while there was none, and those that are moved in
 * from another system.
 */
const setFormerRound = (db: Tx) =>
  sql`
    update sale_round set is_former = true, sold = sold + unassigned.quantity
    from (select coalesce(sum(fab_qty), 0) as quantity
      from token_order where round_id is null and status <> 'cancelled') unassigned
    where id = (select id from sale_round order by opens_at nulls first, position limit 1)`.execute(db)

/** An order that is placed or changed meanwhile would be counted twice or not at all. */
const lockSold = (db: Tx) => sql`lock table token_order in share row exclusive mode`.execute(db)

async function replacePrices(db: Tx, { id, prices }: SaleRound): Promise<void> {
  await db.deleteFrom('sale_round_price').where('round_id', '=', id).execute()
  if (prices.length === 0) return
  await db
    .insertInto('sale_round_price')
    .values(
      prices.map(({ code, rate, minAmount, maxAmount }) => ({
        round_id: id,
        code,
        rate,
        min_amount: minAmount,
        max_amount: maxAmount,
      })),
    )
    .execute()
}

/** Creates the first round, which inherits everything from the sale. All orders until now belong to it. */
export async function insertFirstRound(db: Tx): Promise<void> {
  await lockSold(db)
  await sql`
    insert into sale_round (position, name_en, name_cn, is_former, sold)
    select 0, 'Sale', '首轮', true, (select coalesce(sum(fab_qty), 0) from token_order where status <> 'cancelled')
    where not exists (select from sale_round)`.execute(db)
}

/** Returns the tokens in the member's orders of a round. */
export async function sumSoldInRoundTo(db: Tx, round: RoundRow, memberId: string): Promise<string> {
  const { total } = await db
    .selectFrom('token_order')
    .select(sql<string>`coalesce(sum(fab_qty), 0)::text`.as('total'))
    .where('member_id', '=', memberId)
    .where('status', '!=', 'cancelled')
    .where(({ eb, or }) =>
      or([eb('round_id', '=', round.id), ...(round.is_former ? [eb('round_id', 'is', null)] : [])]),
    )
    .executeTakeFirstOrThrow()
  return total
}

/** Whether the address of the member is on the list of the round. */
export async function isGuest(db: Tx, roundId: string, memberId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sale_round_guest')
    .innerJoin('member', 'member.email', 'sale_round_guest.email')
    .select('sale_round_guest.id')
    .where('round_id', '=', roundId)
    .where('member.id', '=', memberId)
    // Anyone can enter any address.
    .where('member.address_proved_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}
