import type { api } from '#contract/api.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { recordReached } from '../../../platform/mail/bounces/mailbox-refusal.queries.ts'
import { findMemberById } from '../../members/member.queries.ts'
import { Refused } from '../../../platform/refused.ts'
import { presentMember } from './read-member.ts'

/** Resumes emails to the mailbox. If it still refuses them, it is marked again. */
export const clearMailboxRefusal: Handler<typeof api.clearMailboxRefusal> = (
  { params },
  { db, config, caller },
) =>
  transaction(db, async (db) => {
    const member = await findMemberById(db, params.id)
    if (!member || member.erased_at) throw new Refused('not_found')
    if (await recordReached(db, params.id))
      await recordAudit(db, {
        actorId: caller.memberId,
        action: 'mailbox-mark-removed',
        subjectKind: 'member',
        subjectId: params.id,
      })
    return presentMember(db, config, caller, params.id)
  })
