import type { User, WaitingRights } from '#contract/people/members.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Caller, MemberRecord } from '../../platform/http/caller.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { profileOf } from '../members/profile-columns.ts'
import { countingRightsOf, waitingRightsOf, rightsOf } from '../members/rights.ts'
import { hasAnyStaffRight } from '#contract/people/level-of.ts'
import { hasAnyFactor } from '../sessions/factors.ts'

/**
 * A member in the API's format: only the fields of the contract, so that a new column is not exposed by
 * accident. Rights are the effective ones, as in a session; pending ones are listed separately.
 */
export async function presentUser(db: Tx, config: Config, row: MemberRow): Promise<User> {
  const waitingRights = await findWaitingRights(db, config, row)
  return { ...profileInFullOf(row), ...(waitingRights ? { waitingRights } : {}) }
}

/** The caller's own record, from the session's data. Only the member sees the pending address. */
export function presentSelf(
  { isStaffSecondFactorRequired }: Config,
  { record, pendingEmail, hasFactor }: Pick<Caller, 'record' | 'pendingEmail' | 'hasFactor'>,
): User {
  const waitingRights = waitingRightsOf(record, isStaffSecondFactorRequired && !hasFactor)
  return {
    ...profileInFullOf(record),
    ...(waitingRights && { waitingRights }),
    ...(pendingEmail !== undefined && { pendingEmail }),
  }
}

export const profileInFullOf = (row: MemberRecord): User => ({
  _id: row.id,
  id: row.id,
  email: row.email,
  ...profileOf(row),
  ...countingRightsOf(row),
  memberSince: row.created_at.toISOString(),
  lastUpdated: row.updated_at.toISOString(),
})

type StaffSettings = Pick<Config, 'isStaffSecondFactorRequired'>

/** Used by every answer with rights, so that all are consistent. */
async function findWaitingRights(
  db: Tx,
  { isStaffSecondFactorRequired }: StaffSettings,
  row: MemberRow,
): Promise<WaitingRights | undefined> {
  if (!hasAnyStaffRight(rightsOf(row))) return undefined
  return waitingRightsOf(row, isStaffSecondFactorRequired && !(await hasAnyFactor(db, row.id)))
}
