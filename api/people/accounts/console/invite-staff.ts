import type { api } from '#contract/api.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { staffPasswordLengthMin } from '#contract/platform/fields.ts'
import { hasAnyStaffRight, type Rights } from '#contract/people/level-of.ts'
import { invitationDays, staffInvitations, type StaffInvitation } from '#contract/people/staff-invitations.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import { staffNameWithAddress } from '../../../platform/db/expressions.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import { requireWithinLimits } from '../../../platform/rate-limits/rate-limit.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import { serveResource } from '../../../platform/resource/serve-resource.ts'
import { choosePasswordLink, invitationsLink } from '../../../platform/site-links.ts'
import { lockOrInsertMember } from '../../members/lock-or-insert-member.queries.ts'
import {
  getMemberById,
  isProved,
  listActiveAdmins,
  lockMember,
  type MemberRow,
} from '../../members/member.queries.ts'
import { rightsOf } from '../../members/rights.ts'
import { isStaffAccount } from '../../members/staff-account.ts'
import { newResetCode } from '../emailed-codes.ts'
import { deleteResetCodes } from '../reset-code.queries.ts'
import {
  findInvitedMember,
  getInvitation,
  insertInvitation,
  listInvitations,
  renewInvitation,
  revokeInvitations,
  type InvitationRow,
} from '../staff-invitation.queries.ts'

const life = invitationDays * DAY
const sentPerDayMax = 50

const presentInvitation = (row: InvitationRow): StaffInvitation => ({
  id: row.id,
  memberId: row.member_id,
  email: row.email,
  ...rightsOf(row),
  state: row.state,
  invitedBy: row.inviter_name,
  sentAt: row.sent_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
})

export const { list: listStaffInvitations } = serveResource(staffInvitations, {
  read: ({ db }, filters, page) => listInvitations(db, filters, page),
  present: (_, rows) => rows.map(presentInvitation),
})

export const createStaffInvitation: Handler<typeof api.createStaffInvitation> = async ({ body }, context) => {
  const { email, language, isWriteAccessAdmin = false, manageNews = 0, manageEmployee = 0 } = body
  const { manageFinance = 0, manageCoins = 0 } = body
  const rights: Rights = { isWriteAccessAdmin, manageNews, manageEmployee, manageFinance, manageCoins }
  if (!hasAnyStaffRight(rights)) throw refusedField('isWriteAccessAdmin', 'required')
  const { db, caller } = context
  caller.requireStepUp()
  await requireSendingLimit(context)
  return transaction(db, async (db) => {
    const { member } = await lockOrInsertMember(db, email, language)
    requireNoAccount(member)
    await revokeInvitations(db, member.id, caller.memberId)
    const id = await insertInvitation(db, { member, rights, inviterId: caller.memberId, life })
    await mailInvitation(db, context, { email, language, id: member.id })
    await record(db, context, member, 'staff-invited')
    await notifyOtherAdmins(db, context, email)
    return presentInvitation(await findInvitation(db, id))
  })
}

/** The rights of an account are changed on its page, where its history is. */
function requireNoAccount(member: MemberRow): void {
  if (isProved(member) || member.closed_at || isStaffAccount(member))
    throw refusedField('email', 'has_account')
}

export const resendStaffInvitation: Handler<typeof api.resendStaffInvitation> = async (
  { params: { id } },
  context,
) => {
  const { db, caller } = context
  const { state } = await findInvitation(db, id)
  if (state !== 'open' && state !== 'expired') throw new Refused('conflict')
  caller.requireStepUp()
  await requireSendingLimit(context)
  return transaction(db, async (db) => {
    const member = await lockInvited(db, id)
    if (!(await renewInvitation(db, id, caller.memberId, life))) throw new Refused('conflict')
    await deleteResetCodes(db, member.id)
    await mailInvitation(db, context, member)
    await record(db, context, member, 'staff-invited')
    return presentInvitation(await findInvitation(db, id))
  })
}

export const revokeStaffInvitation: Handler<typeof api.revokeStaffInvitation> = (
  { params: { id } },
  context,
) =>
  transaction(context.db, async (db) => {
    const member = await lockInvited(db, id)
    const { state } = await findInvitation(db, id)
    if (state !== 'open' && state !== 'expired') throw new Refused('conflict')
    await revokeInvitations(db, member.id, context.caller.memberId)
    await deleteResetCodes(db, member.id)
    await record(db, context, member, 'staff-invitation-revoked')
    return presentInvitation(await findInvitation(db, id))
  })

async function findInvitation(db: Tx, id: string): Promise<InvitationRow> {
  const found = await getInvitation(db, id)
  if (!found) throw new Refused('not_found')
  return found
}

/** Accepting, sending again, and revoking all lock the member first, so that only one of them succeeds. */
async function lockInvited(db: Tx, id: string): Promise<MemberRow> {
  const found = await findInvitedMember(db, id)
  const member = found && (await lockMember(db, found.member_id))
  if (!member) throw new Refused('not_found')
  return member
}

const requireSendingLimit = ({ db, keys, caller }: MemberContext) =>
  requireWithinLimits(db, keys, [
    { key: `staff-invitations ${caller.memberId}`, max: sentPerDayMax, window: 24 * HOUR },
  ])

async function mailInvitation(
  db: Tx,
  { keys, config, caller }: MemberContext,
  member: Pick<MemberRow, 'id' | 'email' | 'language'>,
): Promise<void> {
  await sendMail(db, keys, { email: member.email, language: member.language }, 'staff-invitation', {
    by: staffNameWithAddress(await getMemberById(db, caller.memberId), member.language),
    min: String(staffPasswordLengthMin),
    link: choosePasswordLink(config, member.id, await newResetCode(db, member.id, life)),
  })
}

async function notifyOtherAdmins(
  db: Tx,
  { keys, config, caller }: MemberContext,
  email: string,
): Promise<void> {
  const actor = await getMemberById(db, caller.memberId)
  for (const admin of await listActiveAdmins(db))
    if (admin.id !== caller.memberId)
      await sendMail(db, keys, admin, 'staff-invited', {
        by: staffNameWithAddress(actor, admin.language),
        email,
        link: invitationsLink(config),
      })
}

const record = (
  db: Tx,
  { caller }: MemberContext,
  member: Pick<MemberRow, 'id'>,
  action: 'staff-invited' | 'staff-invitation-revoked',
) =>
  recordAudit(db, {
    actorId: caller.memberId,
    action,
    subjectKind: 'member',
    subjectId: member.id,
  })
