import { sql } from 'kysely'
import { DAY } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import { ago } from '../db/expressions.ts'

/**
 * Locks the officer, or the system if null, until the transaction ends, so that concurrent completions are counted one
 * after the other.
 */
export async function lockOfficer(db: Tx, memberId: string | null): Promise<void> {
  const who = memberId ?? 'the program'
  await sql`select pg_advisory_xact_lock(hashtextextended(${`completes alone ${who}`}, 0))`.execute(db)
}

/**
 * Returns how many tokens the officer completed alone within 24 hours without a payment on chain. If the ID is null,
 * returns how many the system completed.
 */
export async function sumCompletedAlone(db: Tx, memberId: string | null): Promise<string> {
  const { sum } = await db
    .selectFrom('order_step')
    .select(sql<string>`coalesce(sum(alone_quantity), 0)::text`.as('sum'))
    .where('by_member_id', 'is not distinct from', memberId)
    .where('alone_quantity', 'is not', null)
    .where('at', '>', ago(DAY))
    .executeTakeFirstOrThrow()
  return sum
}
