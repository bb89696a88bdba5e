import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import { allAtOnce } from '#contract/money/vesting.ts'
import type { TestApi } from './setup/start-api.ts'

export const inTime = (ms: number) => new Date(Date.now() + ms).toISOString()

/** A round that leaves everything to the sale. */
export const aRound = (fields: Partial<SaleRound> = {}): SaleRound => ({
  id: randomUUID(),
  name: { en: 'Public 1', cn: '公开一轮' },
  opensAt: null,
  closesAt: null,
  cap: null,
  memberCap: null,
  admission: 'approved',
  excludedCountries: [],
  bonus: [],
  vesting: allAtOnce,
  prices: [],
  ...fields,
})

/** The price of a round for bitcoins, with limits that fit most tests. */
export const btcAt = (rate: string, limits: Partial<SaleRound['prices'][number]> = {}) => ({
  code: 'BTC',
  rate,
  minAmount: '0.001',
  maxAmount: '5',
  ...limits,
})

/** Moves the rounds as if this time, in milliseconds, had passed. */
export async function passInRounds({ services }: TestApi, ms: number): Promise<void> {
  const earlier = (column: string) => sql`${sql.ref(column)} - ${ms / 1000} * interval '1 second'`
  await sql`update sale_round set opens_at = ${earlier('opens_at')}, closes_at = ${earlier('closes_at')}`.execute(
    services.db,
  )
}

/** Deletes the sale with its orders, so that the next one has other rounds. */
export const forgetSale = ({ services }: TestApi) =>
  sql`truncate sale, sale_round, sale_sold, sale_setter, token_order, order_quote cascade`.execute(
    services.db,
  )

/** What each round counts as sold, and what its orders that are not canceled add up to. They must be equal. */
export async function listSold({ services }: TestApi): Promise<{ id: string; sold: string; sum: string }[]> {
  const { rows } = await sql<{ id: string; sold: string; sum: string }>`
    select id, sold::numeric(38, 18)::text as sold, (
      select coalesce(sum(fab_qty), 0)::numeric(38, 18)::text from token_order
      where (round_id = sale_round.id or (round_id is null and is_former)) and status <> 'cancelled') as sum
    from sale_round order by opens_at nulls first`.execute(services.db)
  return rows
}
