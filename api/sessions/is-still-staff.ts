import { levelOf } from '#contract/level-of.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { findMemberById } from '../members/member.queries.ts'
import { countingRightsOf } from '../members/rights.ts'
import { hasAnyFactor } from './factors.ts'

/**
 * Whether the first of two approvers of an account decision may still act: the right may have ended or be
 * pending. Null if the account was erased.
 */
export async function isStillStaff(
  db: Tx,
  { isStaffSecondFactorRequired }: Pick<Config, 'isStaffSecondFactorRequired'>,
  memberId: string | null,
): Promise<boolean> {
  if (memberId === null) return false
  const member = await findMemberById(db, memberId)
  if (!member?.active || levelOf(countingRightsOf(member), 'employee') < 2) return false
  return !isStaffSecondFactorRequired || (await hasAnyFactor(db, memberId))
}
