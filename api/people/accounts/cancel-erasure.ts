import { recordAudit } from '../../platform/audit/audit.queries.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/http/handler.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { deleteErasureRequest, findErasureRequest } from './erasure-request.queries.ts'

/** Cancels an open erasure request and notifies the member; the caller holds their lock. */
export async function cancelErasure(
  db: Tx,
  { keys, caller }: Pick<MemberContext, 'keys' | 'caller'>,
  member: MemberRow,
): Promise<boolean> {
  const open = await findErasureRequest(db, member.id)
  // Includes a request that the member stopped by signing in.
  await deleteErasureRequest(db, member.id)
  if (!open) return false
  await sendMail(db, keys, member, 'erasure-dropped')
  await recordAudit(db, {
    actorId: caller.memberId,
    action: 'erasure-dropped',
    subjectKind: 'member',
    subjectId: member.id,
  })
  return true
}
