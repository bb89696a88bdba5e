import { api } from '#contract/api.ts'
import type { ConsoleMemberDetail, MemberNote } from '#contract/people/console-members.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction, type Database, type Tx } from '../../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { requireEmailQuota, type MailSort } from '../../../platform/mail/email-quota.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import { findMemberById, isProved, lockMember, type MemberRow } from '../../members/member.queries.ts'
import { insertNote } from '../../notes/note.queries.ts'
import { requireWithinLimits } from '../../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../../platform/refused.ts'
import { serveBulk } from '../../../platform/resource/serve-bulk.ts'
import { accountLink, resetLink, signInLink } from '../../../platform/site-links.ts'
import { hasAnyFactor } from '../../sessions/factors.ts'
import { findOpenLostFactor } from '../../sessions/lost-factors/lost-factor.queries.ts'
import { newResetCode } from '../emailed-codes.ts'
import { mailActivation } from '../resend-activation.ts'
import { listUnusedSignUps } from '../sign-up.queries.ts'
import { presentMember } from './read-member.ts'

export const resendMemberActivation: Handler<typeof api.resendMemberActivation> = async (
  { params },
  context,
) => {
  await mailTo(context, params.id, 'activation', async (db, member) => {
    if (isProved(member)) throw new Refused('conflict')
    await mailActivation(db, context, member, await listUnusedSignUps(db, member.id))
    await record(db, context, member, 'activation-sent')
  })
  return { sent: true }
}

export const resendMemberActivations = serveBulk(api.resendMemberActivations, api.resendMemberActivation, {
  handle: resendMemberActivation,
  input: ({ id }) => ({ params: { id } }),
})

export const sendMemberReset: Handler<typeof api.sendMemberReset> = async ({ params }, context) => {
  const { keys, config } = context
  await mailTo(context, params.id, 'reset', async (db, member) => {
    // A new password would not open it, and a never activated account has none.
    if (!member.active) throw new Refused('conflict')
    const link = resetLink(config, member.id, await newResetCode(db, member.id))
    await sendMail(db, keys, member, 'password-reset', { link })
    await record(db, context, member, 'reset-sent')
  })
  return { sent: true }
}

/**
 * Staff never receive a member's data, which includes identity pictures: the member is told how to export it.
 */
export const offerMemberExport: Handler<typeof api.offerMemberExport> = (input, context) =>
  mailInstructions(context, input, {
    mail: 'data-export-offered',
    link: accountLink(context.config),
    note: 'export',
    action: 'export-offered',
  })

/**
 * Staff can't request the recovery themselves: it requires the password, so that convincing staff isn't enough to get
 * access.
 */
export const offerMemberRecovery: Handler<typeof api.offerMemberRecovery> = (input, context) =>
  mailInstructions(context, input, {
    mail: 'recovery-offered',
    link: signInLink(context.config),
    note: 'recovery',
    action: 'recovery-offered',
    // Without a factor, the password signs in.
    isNeeded: async (db, id) => (await hasAnyFactor(db, id)) && !(await findOpenLostFactor(db, id)),
  })

type Instructions = {
  mail: 'data-export-offered' | 'recovery-offered'
  link: string
  note: MemberNote['kind']
  action: 'export-offered' | 'recovery-offered'
  isNeeded?: (db: Tx, memberId: string) => Promise<boolean>
}

/** Emails an active member how to do something themselves, and notes why. */
async function mailInstructions(
  context: MemberContext,
  { params, body }: { params: { id: string }; body: { reason: string } },
  { mail, link, note, action, isNeeded }: Instructions,
): Promise<ConsoleMemberDetail> {
  const { db, keys, config, caller } = context
  await mailTo(context, params.id, 'reset', async (db, member) => {
    if (!member.active) throw new Refused('conflict')
    if (isNeeded && !(await isNeeded(db, member.id))) throw new Refused('conflict')
    caller.requireStepUp()
    await sendMail(db, keys, member, mail, { link })
    await insertNote(
      db,
      { kind: 'member', id: member.id },
      { kind: note, authorId: caller.memberId, text: body.reason },
    )
    await record(db, context, member, action)
  })
  return presentMember(db, config, caller, params.id)
}

/** Within the limits of emails to one address, and of one staff member. */
async function mailTo(
  { db, keys, caller }: MemberContext,
  id: string,
  sort: MailSort,
  write: (db: Tx, member: MemberRow) => Promise<void>,
): Promise<void> {
  await requireWithinLimits(db, keys, [
    { key: `console mails ${caller.memberId}`, max: 200, window: 15 * MINUTE },
  ])
  const known = await living(db, id)
  const { email } = known
  const of = isProved(known) ? 'account' : 'new'
  await requireEmailQuota(db, keys, { email, client: `staff ${caller.memberId}`, sort, of })
  await transaction(db, async (db) => {
    const member = await lockMember(db, id)
    // The permit was for that address.
    if (!member || member.email !== email) throw new Refused('conflict')
    await write(db, member)
  })
}

async function living(db: Database, id: string): Promise<MemberRow> {
  const member = await findMemberById(db, id)
  if (!member || member.erased_at) throw new Refused('not_found')
  return member
}

const record = (
  db: Tx,
  { caller }: MemberContext,
  { id }: MemberRow,
  action: 'activation-sent' | 'reset-sent' | 'export-offered' | 'recovery-offered',
) => recordAudit(db, { actorId: caller.memberId, action, subjectKind: 'member', subjectId: id })
