import type { WaitingRights } from '#contract/members.ts'
import { hasAnyStaffRight } from '#contract/level-of.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { rightsOf, waitingRightsOf } from '../members/rights.ts'
import { hasAnyFactor } from './factors.ts'

type StaffSettings = Pick<Config, 'isStaffSecondFactorRequired'>

/** Used by every answer with rights, so that all are consistent. */
export async function findWaitingRights(
  db: Tx,
  { isStaffSecondFactorRequired }: StaffSettings,
  row: MemberRow,
): Promise<WaitingRights | undefined> {
  if (!hasAnyStaffRight(rightsOf(row))) return undefined
  return waitingRightsOf(row, isStaffSecondFactorRequired && !(await hasAnyFactor(db, row.id)))
}
