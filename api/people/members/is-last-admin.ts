import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { lockAdmins, readAdmins } from './member.queries.ts'

type Settings = Pick<Config, 'isStaffSecondFactorRequired'>
type Admin = Awaited<ReturnType<typeof readAdmins>>[number]

/** Whether the right is effective: it requires a long password and, if mandatory for staff, a factor. */
const doesCount = (
  { isStaffSecondFactorRequired }: Settings,
  { hasLongPassword, hasFactor }: Admin,
): boolean => hasLongPassword && (hasFactor || !isStaffSecondFactorRequired)

/**
 * Whether without this member no effective administrator would be left or, if all their rights are pending,
 * none at all. Locks the administrators until the transaction ends, so that two cannot both leave. Call this
 * before locking any other row, to avoid a deadlock.
 */
export async function isLastAdmin(db: Tx, settings: Settings, memberId: string): Promise<boolean> {
  const admins = (await lockAdmins(db)).map((admin) => ({ id: admin.id, counts: doesCount(settings, admin) }))
  const own = admins.find(({ id }) => id === memberId)
  return own !== undefined && !admins.some(({ id, counts }) => id !== memberId && (counts || !own.counts))
}

/** Administrators with effective rights. */
export const countAdmins = async (db: Tx, settings: Settings): Promise<number> =>
  (await readAdmins(db)).filter((admin) => doesCount(settings, admin)).length
