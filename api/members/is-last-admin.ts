import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { lockAdmins, readAdmins } from './member.queries.ts'

type Settings = Pick<Config, 'isStaffSecondFactorRequired'>
type Admin = Awaited<ReturnType<typeof readAdmins>>[number]

/** Whether the right takes effect: it waits for a long password and, where staff must have one, a factor. */
const doesCount = (
  { isStaffSecondFactorRequired }: Settings,
  { hasLongPassword, hasFactor }: Admin,
): boolean => hasLongPassword && (hasFactor || !isStaffSecondFactorRequired)

/**
 * Whether without this member nobody's right as administrator would count; of administrators whose rights all wait, whether
 * nobody would be left. Locks the administrators until the transaction ends, so that two cannot both go: must be called before
 * any other row is locked, to avoid a deadlock.
 */
export async function isLastAdmin(db: Tx, settings: Settings, memberId: string): Promise<boolean> {
  const admins = (await lockAdmins(db)).map((admin) => ({ id: admin.id, counts: doesCount(settings, admin) }))
  const own = admins.find(({ id }) => id === memberId)
  return own !== undefined && !admins.some(({ id, counts }) => id !== memberId && (counts || !own.counts))
}

/** Those whose right counts. */
export const countAdmins = async (db: Tx, settings: Settings): Promise<number> =>
  (await readAdmins(db)).filter((admin) => doesCount(settings, admin)).length
