import { listedWeeksMax } from '#contract/people/ambassador-results.ts'
import type { api } from '#contract/api.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import { findAmbassadorOfMember } from '../profiles/ambassador.queries.ts'
import { readFlags, readPoints, readPointTotal, readTotals, readWeeks } from './result.queries.ts'

/** How many weeks of the ledger are shown. */
const ledgerWeeksMax = 104

/**
 * Returns referral results without naming anyone. Someone who watched the counts after inviting one person would see
 * when that person was identified, so a week is shown only when it is over.
 */
export const getAmbassadorResults: Handler<typeof api.getAmbassadorResults> = async (
  _,
  { db, config, caller },
) => {
  const own = await findAmbassadorOfMember(db, caller.memberId)
  if (!own) throw new Refused('not_found')
  return {
    code: own.code,
    isCounting: own.ended_at === null,
    totals: await readTotals(db, own.id, { isOver: true }),
    weeks: await readWeeks(db, own.id, listedWeeksMax),
    points: {
      total: await readPointTotal(db, own.id, { isOver: true }),
      rules: config.ambassadorPoints,
      entries: await readPoints(db, own.id, ledgerWeeksMax),
    },
  }
}

/** Returns results up to now for reviewers, including sign-ups that don't count. */
export const readResultsForBoard = async (db: Tx, id: string) => ({
  totals: await readTotals(db, id, { isOver: false }),
  points: await readPointTotal(db, id, { isOver: false }),
  flags: await readFlags(db, id),
})
