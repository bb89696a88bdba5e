import { shownWeeksMax } from '#contract/ambassador-results.ts'
import type { api } from '#contract/api.ts'
import type { Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { findAmbassadorOfMember } from '../profiles/ambassador.queries.ts'
import { readFlags, readPoints, readPointTotal, readTotals, readWeeks } from './result.queries.ts'

/** So far back the ledger is told. */
const ledgerWeeksMax = 104

/**
 * Never whom somebody brought. Who watched the figures after inviting one person would see when that person was identified, so
 * a week is told when it is over.
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
    weeks: await readWeeks(db, own.id, shownWeeksMax),
    points: {
      total: await readPointTotal(db, own.id, { isOver: true }),
      rules: config.ambassadorPoints,
      entries: await readPoints(db, own.id, ledgerWeeksMax),
    },
  }
}

/** For the board: up to now, and what does not count. */
export const readResultsForBoard = async (db: Tx, id: string) => ({
  totals: await readTotals(db, id, { isOver: false }),
  points: await readPointTotal(db, id, { isOver: false }),
  flags: await readFlags(db, id),
})
