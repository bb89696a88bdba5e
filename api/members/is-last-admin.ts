import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { lockAdmins } from './member.queries.ts'

/**
 * Whether without this member nobody's right as administrator would count; of administrators whose rights all wait, whether
 * nobody would be left. Locks the administrators until the transaction ends, so that two cannot both go: must be called before
 * any other row is locked, to avoid a deadlock.
 */
export async function isLastAdmin(
  db: Tx,
  { isStaffSecondFactorRequired }: Pick<Config, 'isStaffSecondFactorRequired'>,
  memberId: string,
): Promise<boolean> {
  const admins = (await lockAdmins(db)).map(({ id, hasLongPassword, hasFactor }) => ({
    id,
    counts: hasLongPassword && (hasFactor || !isStaffSecondFactorRequired),
  }))
  const own = admins.find(({ id }) => id === memberId)
  return own !== undefined && !admins.some(({ id, counts }) => id !== memberId && (counts || !own.counts))
}
