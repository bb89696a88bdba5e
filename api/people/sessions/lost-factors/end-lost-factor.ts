import { timingSafeEqual } from 'node:crypto'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import { notingFourEyes } from '../../four-eyes/record-changes.ts'
import { getMemberById, listActiveAdmins, lockMember } from '../../members/member.queries.ts'
import { isStaffAccount } from '../../members/staff-account.ts'
import type { Services } from '../../../platform/services.ts'
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
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import {
  consoleMemberLink,
  resetRequestLink,
  signInLink,
  stopLostFactorLink,
} from '../../../platform/site-links.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Keys } from '../../../platform/keys.ts'

/**
 * Removes the factors and sessions of a member whose request was confirmed a day ago. The caller has locked the
 * member.
 */
export async function endLostFactorIfDue(db: Tx, context: MailContext, memberId: string): Promise<void> {
  if (!(await isLostFactorDue(db, memberId))) return
  const id = await endOpenLostFactor(db, memberId, 'done')
  if (id === undefined) return
  await removeFactors(db, context, memberId)
  await recordLostFactor(db, context, { id, memberId, by: null }, 'lost-factor-done')
}

/** Removes the member's factors, and what was opened with them. */
async function removeFactors(db: Tx, context: MailContext, memberId: string): Promise<void> {
  await notingFourEyes(db, context, await getMemberById(db, memberId), () => deleteFactors(db, memberId))
  await deleteSessionsOfMember(db, memberId)
  await deleteDevices(db, memberId)
}

/**
 * Does the same at once for a command on the server, which nobody in the console approves. The member and every
 * administrator are notified. The caller has locked the member.
 */
export async function removeFactorsByCommand(db: Tx, context: MailContext, memberId: string): Promise<void> {
  const { keys, config } = context
  await endOpenLostFactor(db, memberId, 'done')
  await removeFactors(db, context, memberId)
  const member = await getMemberById(db, memberId)
  await sendMail(db, keys, member, 'lost-factor-done', {
    resetLink: resetRequestLink(config),
    link: signInLink(config),
  })
  await recordAudit(db, {
    actorId: null,
    action: 'factors-removed-by-command',
    subjectKind: 'member',
    subjectId: memberId,
  })
  if (!isStaffAccount(member)) return
  for (const admin of await listActiveAdmins(db))
    await sendMail(db, keys, admin, 'staff-factors-by-command', {
      name: member.display_name || member.email,
      email: member.email,
      link: consoleMemberLink(config, member.id),
    })
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

type Step =
  | 'lost-factor-asked'
  | 'lost-factor-opened'
  | 'lost-factor-confirmed'
  | 'lost-factor-declined'
  | 'lost-factor-stopped'
  | 'lost-factor-done'

/** Every step is emailed to the member, with the link that stops it, and written to the audit log. */
export async function recordLostFactor(
  db: Tx,
  { keys, config }: MailContext,
  { id, memberId, by }: { id: string; memberId: string; by: string | null },
  step: Step,
): Promise<void> {
  const member = await getMemberById(db, memberId)
  const values = {
    stopLink: stopLinkOf(keys, config, id, member.email),
    resetLink: resetRequestLink(config),
    link: signInLink(config),
  }
  await sendMail(db, keys, member, step, values)
  await recordAudit(db, {
    actorId: by,
    action: step,
    subjectKind: 'member',
    subjectId: memberId,
  })
}

/**
 * The same in every email about the request, so it is derived and not stored. It becomes invalid with another
 * address.
 */
const stopCodeOf = (keys: Keys, id: string, email: string): string => keys.blind(`lost factor ${id} ${email}`)

export const stopLinkOf = (keys: Keys, config: Config, id: string, email: string): string =>
  stopLostFactorLink(config, id, stopCodeOf(keys, id, email))

export function isStopCode(keys: Keys, id: string, email: string, given: string): boolean {
  const [right, code] = [Buffer.from(stopCodeOf(keys, id, email)), Buffer.from(given)]
  return right.length === code.length && timingSafeEqual(right, code)
}
