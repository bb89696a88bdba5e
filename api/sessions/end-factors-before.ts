import { recordAudit } from '../audit/audit.queries.ts'
import type { Tx } from '../db/database.ts'
import { followLastFactor } from './factors.ts'
import { notifyMember, type MailContext } from './notify-member.ts'
import { deletePasskeysBefore } from './passkeys/passkey.queries.ts'
import { deleteRecoveryCodes } from './recovery-code.queries.ts'
import { deleteTotpBefore } from './totp.queries.ts'

/** Ends the factors that were added before that time, or all if there is none; the member is told if there were any. */
export async function endFactorsBefore(
  db: Tx,
  context: MailContext,
  memberId: string,
  time: Date | null,
): Promise<void> {
  const ended =
    (await deleteTotpBefore(db, memberId, time)) + (await deletePasskeysBefore(db, memberId, time))
  if (ended === 0) return followLastFactor(db, memberId)
  // Nobody knows which factor brought them.
  await deleteRecoveryCodes(db, memberId)
  await followLastFactor(db, memberId)
  await notifyMember(db, context, memberId, 'factors-ended')
  await recordAudit(db, {
    actorId: memberId,
    action: 'factors-ended',
    subjectKind: 'member',
    subjectId: memberId,
  })
}
