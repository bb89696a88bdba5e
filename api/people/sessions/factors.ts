import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import type { SecondFactorRequest } from '#contract/platform/errors.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { notingFourEyes } from '../four-eyes/record-changes.ts'
import { hashSecret } from '../../platform/keys.ts'
import { consumeEmailQuota } from '../../platform/mail/email-quota.ts'
import { isLastAdmin } from '../members/is-last-admin.ts'
import { mailMailboxCode } from '../members/send-verification-code.ts'
import { getMemberById, lockMember } from '../members/member.queries.ts'
import { newRecoveryCode, normalizeCode } from '../../platform/text/readable-codes.ts'
import { countPasskeys, deletePasskeys } from './passkeys/passkey.queries.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import { deleteDeviceProofs } from './known-device.queries.ts'
import { notifyMember, type MailContext, type NoticeValues } from './notify-member.ts'
import {
  countRecoveryCodes,
  deleteRecoveryCodes,
  replaceRecoveryCodes,
  deleteTotp,
  hasConfirmedTotp,
} from './second-factor.queries.ts'
import { deleteFactorProofs } from './session.queries.ts'

const recoveryCodesCount = 10

export const hasAnyFactor = async (db: Tx, memberId: string): Promise<boolean> =>
  (await hasConfirmedTotp(db, memberId)) || (await countPasskeys(db, memberId)) > 0

/** The kinds of second factor of the account; recovery codes can replace any of them. */
export async function kindsOfFactor(db: Tx, memberId: string): Promise<SecondFactorRequest['kinds']> {
  const hasTotp = await hasConfirmedTotp(db, memberId)
  const hasPasskey = (await countPasskeys(db, memberId)) > 0
  const hasRecovery = (await countRecoveryCodes(db, memberId)) > 0
  return [
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(hasTotp ? (['totp'] as const) : []),
    ...(hasRecovery ? (['recovery'] as const) : []),
  ]
}

export const getFactors: Handler<typeof api.getFactors> = async (_, { db, caller }) => ({
  totp: await hasConfirmedTotp(db, caller.memberId),
  passkeys: await countPasskeys(db, caller.memberId),
  recoveryCodesLeft: await countRecoveryCodes(db, caller.memberId),
  mailboxProved: (await getMemberById(db, caller.memberId)).address_proved_at !== null,
})

export const renewRecoveryCodes: Handler<typeof api.renewRecoveryCodes> = async (_, context) => {
  const { db, keys, caller } = context
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [
    { key: `recovery-codes ${caller.memberId}`, max: 10, window: 15 * MINUTE },
  ])
  const recoveryCodes = await transaction(db, async (db) => {
    await lockMember(db, caller.memberId)
    if (!(await hasAnyFactor(db, caller.memberId))) throw new Refused('conflict')
    const codes = await issueRecoveryCodes(db, caller.memberId)
    await recordFactorChange(db, context, caller.memberId, 'recovery-codes-renewed')
    return codes
  })
  return { recoveryCodes }
}

/**
 * With the first factor, emails a code if the email address is unverified: until then a reset by email would
 * remove the factor. If no email may be sent, Security offers the code.
 */
export async function followFirstFactor(db: Tx, context: MailContext, memberId: string): Promise<void> {
  const member = await getMemberById(db, memberId)
  if (member.address_proved_at) return
  const asked = { email: member.email, client: memberId, sort: 'email-change', ownerId: memberId } as const
  if (await consumeEmailQuota(db, context.keys, { ...asked, of: 'account' }))
    await mailMailboxCode(db, context, member)
}

/** Replaces all recovery codes with ten new ones. Only their hashes are stored. */
export async function issueRecoveryCodes(db: Tx, memberId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodesCount }, newRecoveryCode)
  await replaceRecoveryCodes(
    db,
    memberId,
    codes.map((code) => hashSecret(normalizeCode(code))),
  )
  return codes
}

/** Removed with the last factor: its recovery codes, and proofs of it in sessions and browsers. */
export async function followLastFactor(db: Tx, memberId: string, isNeeded = false): Promise<void> {
  if (await hasAnyFactor(db, memberId)) return
  if (isNeeded) throw new Refused('last_admin')
  await deleteRecoveryCodes(db, memberId)
  await deleteFactorProofs(db, memberId)
  await deleteDeviceProofs(db, memberId)
}

/** Whether the last administrator's right depends on a factor. Call this before locking any row. */
export const needsFactorAsLastAdmin = async (db: Tx, config: Config, memberId: string): Promise<boolean> =>
  config.isStaffSecondFactorRequired && (await isLastAdmin(db, config, memberId))

/** For the erasure of an account: removes everything that can sign in to it. */
export async function deleteFactors(db: Tx, memberId: string): Promise<void> {
  await deleteTotp(db, memberId)
  await deletePasskeys(db, memberId)
  await deleteRecoveryCodes(db, memberId)
}

type FactorChange =
  | 'second-factor-added'
  | 'second-factor-removed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'recovery-codes-renewed'

/** Notifies the member and writes to the audit log, in the transaction of the change. */
export async function recordFactorChange<Change extends FactorChange>(
  db: Tx,
  mailContext: MailContext,
  memberId: string,
  kind: Change,
  ...values: NoticeValues<Change>
): Promise<void> {
  await notifyMember(db, mailContext, memberId, kind, ...values)
  await recordAudit(db, { actorId: memberId, action: kind, subjectKind: 'member', subjectId: memberId })
}

/** Removes all factors; the member is notified if there were any. */
export async function revokeFactors(db: Tx, context: MailContext, memberId: string): Promise<void> {
  const hadAny = await hasAnyFactor(db, memberId)
  await notingFourEyes(db, context, await getMemberById(db, memberId), () => deleteFactors(db, memberId))
  await followLastFactor(db, memberId)
  if (!hadAny) return
  await notifyMember(db, context, memberId, 'factors-ended')
  await recordAudit(db, {
    actorId: memberId,
    action: 'factors-ended',
    subjectKind: 'member',
    subjectId: memberId,
  })
}
