import { sql } from 'kysely'
import type { KycState } from '#contract/people/kyc.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { openStates } from '../kyc.rules.ts'
import type { KycRow } from '../kyc.queries.ts'

type Kept = { listHash: string; hash: string; possibleMatches: number }

/** States of cases that are still to be decided, now or after an answer: their matches must be read. */
const undecided: readonly KycState[] = [...openStates, 'more_info']

/**
 * Stores a screening result, unless the name or date of birth has changed in between. A different result clears the
 * mark that it was read, and the first approval. The mark of a decided case stays: it shows what was read before the
 * decision.
 */
export async function saveScreening(db: Tx, row: KycRow, kept: Kept): Promise<void> {
  const isSame = row.screening_hash === kept.hash && row.screened_list_hash === kept.listHash
  if (isSame) return
  const isMarkKept = sql<boolean>`screening_hash = ${kept.hash} or not status = any(${undecided})`
  await db
    .updateTable('kyc_application')
    .set({
      screened_list_hash: kept.listHash,
      screening_hash: kept.hash,
      possible_matches: kept.possibleMatches,
      screening_read_at: sql<Date | null>`case when ${isMarkKept} then screening_read_at end`,
      screening_read_by: sql<string | null>`case when ${isMarkKept} then screening_read_by end`,
      approval_proposed_by: sql<string | null>`case when ${isMarkKept} then approval_proposed_by end`,
      approval_proposed_at: sql<Date | null>`case when ${isMarkKept} then approval_proposed_at end`,
    })
    .where('id', '=', row.id)
    .where('full_name', '=', row.full_name)
    .where('last_name', '=', row.last_name)
    .where('date_of_birth', '=', row.date_of_birth)
    .where('deleted_at', 'is', null)
    .execute()
}

export const markScreeningRead = (db: Tx, id: string, officerId: string) =>
  db
    .updateTable('kyc_application')
    .set({ screening_read_at: sql<Date>`now()`, screening_read_by: officerId })
    .where('id', '=', id)
    .execute()

/** Lists undecided applications that were not compared with this version of the lists. */
export const listUnscreened = (db: Tx, listHash: string, after: string, limit: number) =>
  db
    .selectFrom('kyc_application')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('status', 'in', undecided)
    .where(sql<boolean>`screened_list_hash is distinct from ${listHash}`)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
