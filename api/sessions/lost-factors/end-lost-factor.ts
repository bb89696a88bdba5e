import { transaction, type Tx } from '../../db/database.ts'
import { lockMember } from '../../members/member.queries.ts'
import type { Services } from '../../services.ts'
import { deleteFactors } from '../factors.ts'
import { forgetDevices } from '../known-device.queries.ts'
import type { MailContext } from '../notify-member.ts'
import { deleteSessionsOfMember } from '../session.queries.ts'
import {
  endForgottenLostFactors,
  endOpenLostFactor,
  isLostFactorDue,
  listMembersWithLostFactorDue,
} from './lost-factor.queries.ts'
import { noteLostFactor } from './note-lost-factor.ts'

/** Ends the factors and sessions of a member whose request was confirmed a day ago. The caller holds the member's lock. */
export async function endLostFactorIfDue(db: Tx, context: MailContext, memberId: string): Promise<void> {
  if (!(await isLostFactorDue(db, memberId))) return
  const id = await endOpenLostFactor(db, memberId, 'done')
  if (id === undefined) return
  await deleteFactors(db, memberId)
  await deleteSessionsOfMember(db, memberId)
  await forgetDevices(db, memberId)
  await noteLostFactor(db, context, { id, memberId, by: null }, 'lost-factor-done')
}

/** Whoever proves a factor or knows a new password has not lost what they asked for. */
export async function stopLostFactorOf(db: Tx, context: MailContext, memberId: string): Promise<void> {
  const id = await endOpenLostFactor(db, memberId, 'stopped')
  if (id !== undefined)
    await noteLostFactor(db, context, { id, memberId, by: memberId }, 'lost-factor-stopped')
}

export async function endLostFactorsDue(services: Services): Promise<void> {
  await endForgottenLostFactors(services.db)
  for (const { member_id } of await listMembersWithLostFactorDue(services.db))
    await transaction(services.db, async (db) => {
      const member = await lockMember(db, member_id)
      if (member?.active) await endLostFactorIfDue(db, services, member_id)
    })
}
