import { timingSafeEqual } from 'node:crypto'
import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import type { Config } from '../../platform/config/config.ts'
import { transaction, type Database, type Tx } from '../../platform/db/database.ts'
import type { Handler, RequestFacts } from '../../platform/http/handler.ts'
import { hashSecret, type Keys } from '../../platform/keys.ts'
import { findRefusalOf } from '../../platform/mail/bounces/mailbox-refusal.queries.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import type { Services } from '../../platform/services.ts'
import { emailChangeLink, resetRequestLink, signInLink } from '../../platform/site-links.ts'
import { findMemberById, lockMember, type MemberRow } from '../members/member.queries.ts'
import type { MailContext } from '../sessions/notify-member.ts'
import { isAddressTaken, setEmail } from './change-email.ts'
import {
  cancelEmailChange,
  emailChangeWait,
  findDueEmailChange,
  findEmailChange,
  listDueEmailChanges,
  markNewEmailProved,
  type EmailChange,
} from './email-change.queries.ts'

/** Confirms the new address by the link sent to it. A repeated click is not an error. */
export const confirmNewEmail: Handler<typeof api.confirmNewEmail> = async ({ body }, context) => {
  const { db, request } = context
  const codeHash = hashSecret(body.code)
  // Checked first, so that strangers can't lock a member.
  const known = await findEmailChange(db, body.id)
  if (known?.code_hash !== codeHash) return refuseCode(context, request)
  const isProved = await transaction(db, async (db) => {
    // A password reset and another change of the address wait.
    const member = await lockMember(db, body.id)
    return member?.active && (await markNewEmailProved(db, member.id, codeHash))
  })
  if (!isProved) throw new Refused('code_invalid')
  if (await applyEmailChange(context, body.id)) return { takesEffectAt: null }
  const change = await findEmailChange(db, body.id)
  if (change?.code_hash !== codeHash) throw new Refused('code_invalid')
  return { takesEffectAt: takesEffectAt(change).toISOString() }
}

/** Stops a change by the link sent to the current address. */
export const stopEmailChange: Handler<typeof api.stopEmailChange> = async ({ body }, context) => {
  const { db, keys, request } = context
  const isRight = async (db: Tx, member: MemberRow) => {
    const change = await findEmailChange(db, member.id)
    return change !== undefined && isStopCode(keys, member, change, body.code)
  }
  const known = await findMemberById(db, body.id)
  if (!known || !(await isRight(db, known))) return refuseCode(context, request)
  await transaction(db, async (db) => {
    const member = await lockMember(db, known.id)
    if (!member || !(await isRight(db, member))) throw new Refused('code_invalid')
    await endEmailChange(db, context, member, null)
  })
  return { stopped: true }
}

/** A correct code is not subject to the client's limit, which others may have used up. */
async function refuseCode(
  { db, keys }: { db: Database; keys: Keys },
  { client }: Pick<RequestFacts, 'client'>,
): Promise<never> {
  await requireWithinLimits(db, keys, [{ key: `email-change ${client}`, max: 30, window: 15 * MINUTE }])
  throw new Refused('code_invalid')
}

export const takesEffectAt = ({ created_at }: Pick<EmailChange, 'created_at'>): Date =>
  new Date(created_at.getTime() + emailChangeWait)

export async function applyDueEmailChanges(services: Services): Promise<void> {
  for (const { member_id } of await listDueEmailChanges(services.db))
    await applyEmailChange(services, member_id)
}

/**
 * Changes the address if the change is due, and ends a change that can't be made. Resolves to whether the address
 * changed.
 */
async function applyEmailChange(context: MailContext & { db: Database }, memberId: string): Promise<boolean> {
  const { db, keys, config } = context
  const end = async (db: Tx, member: MemberRow) => {
    await endEmailChange(db, context, member, null)
    return false
  }
  try {
    return await transaction(db, async (db) => {
      const member = await lockMember(db, memberId)
      const due = member && (await findDueEmailChange(db, memberId))
      if (!due) return false
      // The warning didn't arrive, so its reader had no chance to stop the change.
      if (await findRefusalOf(db, memberId)) return end(db, member)
      const after = await setEmail(db, { keys }, member, { newEmail: due.new_email, actorId: null })
      await sendMail(db, keys, after, 'email-change-done', { link: signInLink(config) })
      return true
    })
  } catch (error) {
    if (!isAddressTaken(error)) throw error
    return transaction(db, async (db) => {
      const member = await lockMember(db, memberId)
      return member && (await findDueEmailChange(db, memberId)) ? end(db, member) : false
    })
  }
}

/** Ends the pending change and notifies the member, whom the caller has locked. `by` is null for an emailed link. */
export async function endEmailChange(
  db: Tx,
  { keys, config }: MailContext,
  member: MemberRow,
  by: string | null,
): Promise<void> {
  await cancelEmailChange(db, member.id)
  await sendMail(db, keys, member, 'email-change-stopped', { resetLink: resetRequestLink(config) })
  await recordAudit(db, {
    actorId: by,
    action: 'email-change-stopped',
    subjectKind: 'member',
    subjectId: member.id,
  })
}

type Stoppable = Pick<EmailChange, 'code_hash'>

/** Derived and not stored. It becomes invalid with the change that it stops. */
const stopCodeOf = (keys: Keys, { id, email }: MemberRow, { code_hash }: Stoppable): string =>
  keys.blind(`email change ${id} ${email} ${code_hash}`)

export const stopEmailChangeLink = (
  keys: Keys,
  config: Config,
  member: MemberRow,
  change: Stoppable,
): string => emailChangeLink(config, 'stop', member.id, stopCodeOf(keys, member, change))

function isStopCode(keys: Keys, member: MemberRow, change: Stoppable, given: string): boolean {
  const [right, code] = [Buffer.from(stopCodeOf(keys, member, change)), Buffer.from(given)]
  return right.length === code.length && timingSafeEqual(right, code)
}
