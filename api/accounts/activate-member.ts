import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/durations.ts'
import { staffPasswordLengthMin } from '#contract/fields.ts'
import type { Consent } from '#contract/consents.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { Config } from '../config.ts'
import type { Handler } from '../http/handler.ts'
import { hashSecret, type Keys } from '../keys.ts'
import { sendMail } from '../mail/send-mail.ts'
import { insertConsents } from '../consents/consent.queries.ts'
import { deleteSessionsOfMember } from '../sessions/session.queries.ts'
import { requireWithinLimits, refund } from '../rate-limits/rate-limit.ts'
import { normaliseCode } from '../readable-codes.ts'
import { updateMemberRow, type MemberChange, type MemberRow } from '../members/member.queries.ts'
import { resetRequestLink } from '../site-links.ts'
import { replaceSignUps, spendSignUp, wasUsed } from './sign-up.queries.ts'

/** Failed attempts count against the client and never against the code, so that others cannot lock its owner out. */
const tryLimit = (client: string) => [{ key: `activation ${client}`, max: 30, window: 15 * MINUTE }]

export const activateMember: Handler<typeof api.activateMember> = async (
  { params },
  { db, keys, config, request },
) => {
  await requireWithinLimits(db, keys, tryLimit(request.client))
  const codeHash = hashSecret(normaliseCode(params.code))
  const isActivated = await transaction(db, async (db) => {
    const signUp = await spendSignUp(db, codeHash, params.email)
    if (!signUp) return wasUsed(db, codeHash, params.email)
    const member = await updateMemberRow(db, signUp.member_id, {
      active: true,
      password_hash: signUp.password_hash,
      password_length_ok_for_staff: signUp.password_length_ok_for_staff,
      first_name: signUp.first_name,
      last_name: signUp.last_name,
      invitation_code: signUp.invitation_code,
    })
    await insertConsents(db, member.id, signUp.consents as Consent[], {
      place: 'sign-up',
      client: signUp.consented_from,
      at: signUp.consented_at,
    })
    // Codes of other sign-ups with this address, perhaps a stranger's, must not change the password of an active account.
    await replaceSignUps(db, member.id)
    await grantConfiguredRights(db, keys, config, member)
    return true
  })
  if (isActivated) await refund(db, keys, tryLimit(request.client))
  return isActivated
}

const allRights: MemberChange = {
  is_write_access_admin: true,
  manage_news: 2,
  manage_employee: 2,
  manage_finance: 2,
  manage_coins: 2,
}

/**
 * Members whose verified address is in ADMIN_EMAILS become administrators. Staff need a longer password; with a shorter one
 * the rights take effect with the next password, and a mail says so.
 */
export async function grantConfiguredRights(
  db: Tx,
  keys: Keys,
  config: Config,
  member: MemberRow,
): Promise<void> {
  if (!config.adminEmails.has(member.email) || member.is_write_access_admin) return
  if (!member.password_length_ok_for_staff) return askForStaffPassword(db, keys, config, member)
  await updateMemberRow(db, member.id, allRights)
  // A session that began earlier would keep the longer lifetime of a member's session.
  await deleteSessionsOfMember(db, member.id)
  await recordAudit(db, {
    actorId: null,
    action: 'rights-granted-by-setting',
    subjectKind: 'member',
    subjectId: member.id,
  })
}

/** Notifies the member that the rights take effect once the password has the length required of staff. */
export const askForStaffPassword = (db: Tx, keys: Keys, config: Config, member: MemberRow): Promise<void> =>
  sendMail(db, keys, member, 'staff-password-needed', {
    min: String(staffPasswordLengthMin),
    link: resetRequestLink(config),
  })
