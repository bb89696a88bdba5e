import type { Insertable } from 'kysely'
import type { Tx } from '#api/platform/db/database.ts'
import type { DB } from '#api/platform/db/rows.ts'

export type SampleOrderRow = Insertable<DB['token_order']> & { id: string }
export type SampleOrderStep = Insertable<DB['order_step']> & { at: Date }
export type SampleWithdrawal = Insertable<DB['order_withdrawal']>
export type SampleQuote = Insertable<DB['order_quote']>

/** Steps are listed in the order of insertion. */
export async function insertSampleOrderRows(
  db: Tx,
  orders: {
    rows: readonly SampleOrderRow[]
    steps: readonly SampleOrderStep[]
    quotes: readonly SampleQuote[]
    withdrawals: readonly SampleWithdrawal[]
  },
): Promise<void> {
  await db
    .insertInto('token_order')
    .values([...orders.rows])
    .execute()
  await db
    .insertInto('order_step')
    .values(orders.steps.toSorted((a, b) => a.at.getTime() - b.at.getTime()))
    .execute()
  await db
    .insertInto('order_quote')
    .values([...orders.quotes])
    .execute()
  await db
    .insertInto('order_withdrawal')
    .values([...orders.withdrawals])
    .execute()
}
