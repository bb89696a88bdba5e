import type { StaffRight } from '#contract/platform/endpoint.ts'
import { levelOf } from '#contract/people/level-of.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { findMemberById } from '../members/member.queries.ts'
import { countingRightsOf } from '../members/rights.ts'
import { hasAnyFactor } from './factors.ts'

type Rule = Pick<Config, 'isStaffSecondFactorRequired'>

/** Whether a person has an effective level now: the right may have ended or be pending. Null if the account was erased. */
export async function hasEffectiveLevel(
  db: Tx,
  { isStaffSecondFactorRequired }: Rule,
  memberId: string | null,
  [right, level]: readonly [StaffRight, 1 | 2],
): Promise<boolean> {
  if (memberId === null) return false
  const member = await findMemberById(db, memberId)
  if (!member?.active || levelOf(countingRightsOf(member), right) < level) return false
  return !isStaffSecondFactorRequired || (await hasAnyFactor(db, memberId))
}

/** Whether the first of two approvers of an account decision may still act. */
export const isStillStaff = (db: Tx, rule: Rule, memberId: string | null): Promise<boolean> =>
  hasEffectiveLevel(db, rule, memberId, ['employee', 2])
