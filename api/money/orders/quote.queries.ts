import { sql } from 'kysely'
import type { VestingPlan } from '#contract/money/vesting.ts'
import { DAY, MINUTE } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago, fromNow } from '../../platform/db/expressions.ts'

export const insertQuote = (
  db: Tx,
  quote: {
    memberId: string
    payMethod: string
    currency: string | null
    amount: string
    rate: string
    fabQty: string
    baseRate: string
    bonusPercent: string
    roundId: string | null
    vesting: VestingPlan | null
    minutes: number
  },
) =>
  db
    .insertInto('order_quote')
    .values({
      member_id: quote.memberId,
      pay_method: quote.payMethod,
      currency: quote.currency,
      amount: quote.amount,
      rate: quote.rate,
      fab_qty: quote.fabQty,
      base_rate: quote.baseRate,
      bonus_percent: quote.bonusPercent,
      round_id: quote.roundId,
      vesting: quote.vesting && JSON.stringify(quote.vesting),
      expires_at: fromNow(quote.minutes * MINUTE),
    })
    .returningAll()
    .executeTakeFirstOrThrow()

export type QuoteRow = Awaited<ReturnType<typeof insertQuote>>

/** Locks the caller's quote until the transaction ends: if two orders use one quote, the second finds it used. */
export const lockQuoteOfMember = (db: Tx, memberId: string, id: string) =>
  db
    .selectFrom('order_quote')
    .selectAll()
    .select(sql<boolean>`expires_at <= now()`.as('is_expired'))
    .where('id', '=', id)
    .where('member_id', '=', memberId)
    .forUpdate()
    .executeTakeFirst()

export async function markQuoteUsed(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('order_quote')
    .set({ used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** Deletes old quotes. The orders store the quoted values. */
export const deleteOldQuotes = (db: Tx) =>
  db
    .deleteFrom('order_quote')
    .where('created_at', '<', ago(30 * DAY))
    .execute()

export async function deleteQuotesOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('order_quote').where('member_id', '=', memberId).execute()
}
