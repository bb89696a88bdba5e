import type { api } from '#contract/api.ts'
import { HOUR, MINUTE } from '#contract/platform/durations.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { hashSecret, randomSecret } from '../../../platform/keys.ts'
import { findRefusalOf } from '../../../platform/mail/bounces/mailbox-refusal.queries.ts'
import { requireEmailQuota } from '../../../platform/mail/email-quota.ts'
import { mailKinds } from '../../../platform/mail/mail-kinds.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import { requireWithinLimits } from '../../../platform/rate-limits/rate-limit.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import { emailChangeLink } from '../../../platform/site-links.ts'
import { formatMoment } from '../../../platform/text/format-time.ts'
import { findMemberByEmail, isProved, lockMember, type MemberRow } from '../../members/member.queries.ts'
import { notifyAdminsOfStaffAccount, requireAdminForStaff } from '../../members/staff-account.ts'
import { insertNote } from '../../notes/note.queries.ts'
import { findEmailChange, holdEmailChange } from '../email-change.queries.ts'
import { endEmailChange, stopEmailChangeLink, takesEffectAt } from '../email-correction.ts'
import { presentMember } from './read-member.ts'

const codeBytes = 24

/**
 * Unlike a member's own change, which needs a session and a code, it needs a click in the new mailbox and a day in which
 * nobody objects in the current one. So a single staff member who enters an address of their own can't take over the
 * account unnoticed.
 */
export const correctMemberEmail: Handler<typeof api.correctMemberEmail> = async (
  { params, body: { email, reason } },
  context,
) => {
  const { db, keys, config, caller } = context
  await transaction(db, (db) => lockCorrectable(db, context, params.id, email))
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [
    { key: `console mails ${caller.memberId}`, max: 200, window: 15 * MINUTE },
    { key: `email-change ${params.id}`, max: 10, window: HOUR },
  ])
  const client = `staff ${caller.memberId}`
  await requireEmailQuota(db, keys, { email, client, sort: 'email-change', of: 'new' })
  return transaction(db, async (db) => {
    const member = await lockCorrectable(db, context, params.id, email)
    await startEmailChange(db, context, member, email)
    await insertNote(
      db,
      { kind: 'member', id: member.id },
      { kind: 'email', authorId: caller.memberId, text: reason },
    )
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'email-change-opened',
      subjectKind: 'member',
      subjectId: member.id,
    })
    await notifyAdminsOfStaffAccount(db, context, { member, actorId: caller.memberId }, 'staff-email-change')
    return presentMember(db, config, caller, member.id)
  })
}

export const cancelMemberEmailChange: Handler<typeof api.cancelMemberEmailChange> = ({ params }, context) => {
  const { db, config, caller } = context
  return transaction(db, async (db) => {
    const member = await lockMember(db, params.id)
    if (!member || !(await findEmailChange(db, member.id))) throw new Refused('not_found')
    await endEmailChange(db, context, member, caller.memberId)
    return presentMember(db, config, caller, member.id)
  })
}

/** The member whose address the caller may change to the new one, locked. */
async function lockCorrectable(
  db: Tx,
  { caller }: MemberContext,
  id: string,
  newEmail: string,
): Promise<MemberRow> {
  const member = await lockMember(db, id)
  if (!member || member.erased_at) throw new Refused('not_found')
  // Staff change their own address like all members.
  if (id === caller.memberId) throw new Refused('conflict')
  requireAdminForStaff(caller, member)
  if (!member.active || (await findEmailChange(db, id))) throw new Refused('conflict')
  // Nobody at the current address would learn of the change or could stop it.
  if (await findRefusalOf(db, id)) throw new Refused('conflict')
  const holder = await findMemberByEmail(db, newEmail)
  if (holder && isProved(holder)) throw refusedField('email', 'email_taken')
  return member
}

/** Stores the change, and emails the links that confirm and stop it. */
async function startEmailChange(
  db: Tx,
  { keys, config, caller }: MemberContext,
  member: MemberRow,
  newEmail: string,
): Promise<void> {
  const code = randomSecret(codeBytes)
  await holdEmailChange(db, {
    memberId: member.id,
    newEmail,
    codeHash: hashSecret(code),
    life: mailKinds['email-change-confirm'].expiresAfter,
    openedBy: caller.memberId,
  })
  const change = (await findEmailChange(db, member.id))!
  await sendMail(db, keys, { email: newEmail, language: member.language }, 'email-change-confirm', {
    link: emailChangeLink(config, 'confirm', member.id, code),
  })
  await sendMail(db, keys, member, 'email-change-opened', {
    time: formatMoment(takesEffectAt(change), member.language),
    stopLink: stopEmailChangeLink(keys, config, member, change),
  })
}
