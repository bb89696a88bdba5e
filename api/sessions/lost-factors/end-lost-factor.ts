import { transaction, type Tx } from '../../db/database.ts'
import { notingFourEyes } from '../../four-eyes/record-changes.ts'
import { getMemberById, lockMember } from '../../members/member.queries.ts'
import type { Services } from '../../services.ts'
import { deleteFactors } from '../factors.ts'
import { deleteDevices } from '../known-device.queries.ts'
import type { MailContext } from '../notify-member.ts'
import { deleteSessionsOfMember } from '../session.queries.ts'
import {
  expireLostFactors,
  endOpenLostFactor,
  isLostFactorDue,
  listMembersWithLostFactorDue,
} from './lost-factor.queries.ts'
import { recordLostFactor } from './record-lost-factor.ts'

/**
 * Removes the factors and sessions of a member whose request was confirmed a day ago. The caller has locked the
 * member.
 */
export async function endLostFactorIfDue(db: Tx, context: MailContext, memberId: string): Promise<void> {
  if (!(await isLostFactorDue(db, memberId))) return
  const id = await endOpenLostFactor(db, memberId, 'done')
  if (id === undefined) return
  await notingFourEyes(db, context, await getMemberById(db, memberId), () => deleteFactors(db, memberId))
  await deleteSessionsOfMember(db, memberId)
  await deleteDevices(db, memberId)
  await recordLostFactor(db, context, { id, memberId, by: null }, 'lost-factor-done')
}

/** A member who proves a factor or sets a new password does not need the recovery. */
export async function stopLostFactorOf(db: Tx, context: MailContext, memberId: string): Promise<void> {
  const id = await endOpenLostFactor(db, memberId, 'stopped')
  if (id !== undefined)
    await recordLostFactor(db, context, { id, memberId, by: memberId }, 'lost-factor-stopped')
}

export async function endLostFactorsDue(services: Services): Promise<void> {
  await expireLostFactors(services.db)
  for (const { member_id } of await listMembersWithLostFactorDue(services.db))
    await transaction(services.db, async (db) => {
      const member = await lockMember(db, member_id)
      if (member?.active) await endLostFactorIfDue(db, services, member_id)
    })
}
