import { sql } from 'kysely'
import type { GivenPayMethod, SaleSettings } from '#contract/sale.ts'
import type { Tx } from '../db/database.ts'
import { ago } from '../db/time.ts'

export const findSale = (db: Tx) => db.selectFrom('sale').selectAll().executeTakeFirst()

/** Waits for concurrent changes of the settings. */
export const lockSale = (db: Tx) => db.selectFrom('sale').selectAll().forUpdate().executeTakeFirst()

export const listPayMethods = (db: Tx) =>
  db.selectFrom('pay_method').selectAll().orderBy('position').execute()

export const findPayMethod = (db: Tx, code: string) =>
  db.selectFrom('pay_method').selectAll().where('code', '=', code).executeTakeFirst()

export type PayMethodRow = NonNullable<Awaited<ReturnType<typeof findPayMethod>>>

/** Writes the whole record; `by` is null where the program itself writes it. */
export async function replaceSale(
  db: Tx,
  settings: Omit<SaleSettings, 'lastUpdated' | 'payMethods'> & { payMethods: readonly GivenPayMethod[] },
  by: string | null,
): Promise<void> {
  const columns = { is_open: settings.isOpen, quote_minutes: settings.quoteMinutes, updated_by: by }
  await db
    .insertInto('sale')
    .values(columns)
    .onConflict((conflict) =>
      // Two changes in one millisecond must have different times, because conflicts are detected by the time.
      conflict.column('id').doUpdateSet({
        ...columns,
        updated_at: sql<Date>`greatest(now(), sale.updated_at + interval '1 millisecond')`,
      }),
    )
    .execute()
  await db.deleteFrom('pay_method').execute()
  if (settings.payMethods.length === 0) return
  await db
    .insertInto('pay_method')
    .values(
      settings.payMethods.map((method, position) => ({
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

export async function noteSaleSetter(db: Tx, memberId: string): Promise<void> {
  await db
    .insertInto('sale_setter')
    .values({ member_id: memberId })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet({ changed_at: sql<Date>`now()` }))
    .execute()
}

/** Whether the member changed the settings at most `age` milliseconds ago, also where others have changed them since. */
export async function hasChangedSale(db: Tx, memberId: string, age: number): Promise<boolean> {
  const row = await db
    .selectFrom('sale_setter')
    .select('member_id')
    .where('member_id', '=', memberId)
    .where('changed_at', '>', ago(age))
    .executeTakeFirst()
  return row !== undefined
}

export async function forgetSaleSetters(db: Tx, age: number): Promise<void> {
  await db.deleteFrom('sale_setter').where('changed_at', '<=', ago(age)).execute()
}

export async function deleteSaleSetter(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('sale_setter').where('member_id', '=', memberId).execute()
}
