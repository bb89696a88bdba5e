import { sql } from 'kysely'
import type { PayMethodInput, SaleInput, SaleTerms } from '#contract/money/sale.ts'
import type { Tx } from '../../platform/db/database.ts'
import { announceChange } from '../../platform/db/changes.ts'
import { ago } from '../../platform/db/expressions.ts'
import {
  closingAt,
  currentRoundId,
  insertFirstRound,
  isInRound,
  nextRoundId,
  openingAt,
  replaceRounds,
} from './rounds.queries.ts'
import { hasOpenProposal } from './sale-proposal.queries.ts'

const isWithinPeriod = sql<boolean>`(is_open and coalesce(opens_at <= statement_timestamp(), true)
  and coalesce(closes_at > statement_timestamp(), true))`

/**
 * `is_within_period`: the sale is open, and the database clock is within the sale period. `is_selling`: it is also within
 * one of its rounds. `is_upcoming`: the period has not begun, or another round follows, at `opening_at`. `closing_at`:
 * the end of the period, or of the last round. `round_id` and `next_round_id`: the round in which it is selling, and the
 * one that opens next.
 */
export const findSale = (db: Tx) =>
  db
    .selectFrom('sale')
    .selectAll()
    .select(isWithinPeriod.as('is_within_period'))
    .select(sql<boolean>`${isWithinPeriod} and ${isInRound}`.as('is_selling'))
    .select([openingAt.as('opening_at'), closingAt.as('closing_at')])
    .select([sql<string | null>`case when ${isWithinPeriod} then ${currentRoundId} end`.as('round_id')])
    .select(nextRoundId.as('next_round_id'))
    .select(
      sql<boolean>`not (${isWithinPeriod} and ${isInRound}) and coalesce(${openingAt} > statement_timestamp(), false)`.as(
        'is_upcoming',
      ),
    )
    .executeTakeFirst()

export type SaleRow = NonNullable<Awaited<ReturnType<typeof findSale>>>

/** Waits for concurrent changes of the settings and for orders being placed. */
export async function lockSale(db: Tx): Promise<SaleRow | undefined> {
  await db.selectFrom('sale').select('id').forUpdate().execute()
  // Read in a new statement after acquiring the lock, because a statement sees data and time as of its start.
  return findSale(db)
}

export const listPayMethods = (db: Tx) =>
  db.selectFrom('pay_method').selectAll().orderBy('position').execute()

export const findPayMethod = (db: Tx, code: string) =>
  db.selectFrom('pay_method').selectAll().where('code', '=', code).executeTakeFirst()

export type PayMethodRow = NonNullable<Awaited<ReturnType<typeof findPayMethod>>>

/** Replaces the whole record; `by` is null if the system writes it. */
export async function replaceSale(
  db: Tx,
  settings: Omit<SaleInput, 'payMethods' | 'rounds'> &
    Pick<SaleTerms, 'rounds'> & { payMethods: readonly PayMethodInput[] },
  by: string | null,
): Promise<void> {
  const columns = {
    is_open: settings.isOpen,
    quote_minutes: settings.quoteMinutes,
    opens_at: settings.opensAt ?? null,
    closes_at: settings.closesAt ?? null,
    cap: settings.cap ?? null,
    member_cap: settings.memberCap ?? null,
    updated_by: by,
  }
  const { isFirst } = await db
    .insertInto('sale')
    .values({ ...columns, opened_at: settings.isOpen ? sql<Date>`now()` : null })
    .onConflict((conflict) =>
      // Edit conflicts are detected by time, so two changes in one millisecond need different times.
      conflict.column('id').doUpdateSet({
        ...columns,
        opened_at: sql<Date | null>`case when excluded.is_open and not sale.is_open then now() else sale.opened_at end`,
        updated_at: sql<Date>`greatest(now(), sale.updated_at + interval '1 millisecond')`,
      }),
    )
    .returning(sql<boolean>`xmax = 0`.as('isFirst'))
    .executeTakeFirstOrThrow()
  await countSold(db, columns)
  await replacePayMethods(db, settings.payMethods)
  if (settings.rounds) await replaceRounds(db, settings.rounds)
  // An empty list comes with the first save, because there is no round until then.
  if (isFirst && !settings.rounds?.length) await insertFirstRound(db)
  await announceChange(db, 'sale')
}

async function replacePayMethods(db: Tx, payMethods: readonly PayMethodInput[]): Promise<void> {
  await db.deleteFrom('pay_method').execute()
  if (payMethods.length === 0) return
  await db
    .insertInto('pay_method')
    .values(
      payMethods.map((method, position) => ({
        code: method.code,
        position,
        chain: method.chain,
        currency: method.currency ?? null,
        is_open: method.isOpen,
        rate: method.rate,
        decimals: method.decimals,
        min_amount: method.minAmount,
        max_amount: method.maxAmount,
        receiving_address: method.receivingAddress,
      })),
    )
    .execute()
}

/**
 * Starts counting sold tokens, or stops if there is no cap. The trigger `token_order_sold` then maintains the number.
 */
async function countSold(
  db: Tx,
  { cap, opens_at }: { cap: string | null; opens_at: string | null },
): Promise<void> {
  // Locks the table first: an order changed meanwhile would wait for the row, or be counted with its old values. The rounds
  // may need the same lock afterward, and an order that has it would then wait for the row.
  if (cap !== null || (await findSold(db)) !== null)
    await sql`lock table token_order in share row exclusive mode`.execute(db)
  await db.deleteFrom('sale_sold').execute()
  if (cap === null) return
  await sql`
    insert into sale_sold (since, quantity)
    select since, coalesce(sum(sale_sold_of(token_order, since)), 0)
    from (select coalesce(${opens_at}::timestamptz, '-infinity') as since) start
      left join token_order on token_order.created_at >= since
    group by since`.execute(db)
}

/** Returns the tokens that count toward the cap. Without a cap, nothing is counted. */
export async function findSold(db: Tx): Promise<string | null> {
  const row = await db.selectFrom('sale_sold').select('quantity').executeTakeFirst()
  return row?.quantity ?? null
}

/**
 * Returns the transaction that last changed what counts toward a cap of the sale or of a round, which tells changes apart
 * that cancel each other out. Null without caps.
 */
export async function findSoldVersion(db: Tx): Promise<string | null> {
  const { rows } = await sql<{ version: string | null }>`
    select max(version) as version from (
      select xmin::text::bigint as version from sale_sold
      union all
      select xmin::text::bigint from sale_round where cap is not null
    ) counted`.execute(db)
  return rows[0]?.version ?? null
}

/** Returns the number of orders placed since a time, except canceled ones, and the tokens in them. */
export async function sumOrdersSince(db: Tx, since: Date): Promise<{ orders: number; quantity: string }> {
  const { orders, quantity } = await db
    .selectFrom('token_order')
    .select(sql<number>`count(*)::int`.as('orders'))
    .select(sql<string>`coalesce(sum(fab_qty), 0)::text`.as('quantity'))
    .where('created_at', '>=', since)
    .where('status', '!=', 'cancelled')
    .executeTakeFirstOrThrow()
  return { orders, quantity }
}

/** Returns the tokens in the member's orders that count toward the caps. */
export async function sumSoldTo(db: Tx, memberId: string, since: Date | null): Promise<string> {
  const { total } = await db
    .selectFrom('token_order')
    .select(sql<string>`coalesce(sum(fab_qty), 0)::text`.as('total'))
    .where('member_id', '=', memberId)
    .where('status', '!=', 'cancelled')
    .$if(since !== null, (query) => query.where('created_at', '>=', since!))
    .executeTakeFirstOrThrow()
  return total
}

export async function recordPriceEditor(db: Tx, memberId: string): Promise<void> {
  await db
    .insertInto('sale_setter')
    .values({ member_id: memberId })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet({ changed_at: sql<Date>`now()` }))
    .execute()
}

/** Since when tokens have been sold, or will be: planning a later start must not end the first day of a sale. */
const begun = (age: number) =>
  sql<boolean>`exists (select from sale
    where is_open and coalesce(greatest(opened_at, opens_at), '-infinity') <= ${ago(age)})`

/** Its price may have been set long before, when nobody could order at it. */
const hasNewRound = (age: number) =>
  sql<boolean>`exists (select from sale_round where opens_at between ${ago(age)} and now())`

/**
 * Whether the member changed the settings at most `age` milliseconds ago, even if others changed them since, or before
 * a sale or a round that started at most that long ago.
 */
export async function hasChangedSale(db: Tx, memberId: string, age: number): Promise<boolean> {
  const changed = await db
    .selectFrom('sale_setter')
    .select('member_id')
    .where('member_id', '=', memberId)
    .where(({ eb, or, not }) => or([eb('changed_at', '>', ago(age)), not(begun(age)), hasNewRound(age)]))
    .executeTakeFirst()
  return changed !== undefined || (await hasOpenProposal(db, memberId))
}

export async function deletePriceEditors(db: Tx, age: number): Promise<void> {
  await db
    .deleteFrom('sale_setter')
    .where('changed_at', '<=', ago(age))
    .where(begun(age))
    .where(sql<boolean>`not exists (select from sale_round where opens_at > ${ago(age)})`)
    .execute()
}

export async function deleteSaleSetter(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('sale_setter').where('member_id', '=', memberId).execute()
}
