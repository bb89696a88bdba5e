import type { api } from '#contract/api.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction, type Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { deleteAmbassadorMailsTo } from '../../mail/mail.queries.ts'
import { Refused } from '../../refused.ts'
import { lockAmbassador } from '../profiles/ambassador.queries.ts'
import { deleteApplication, isAddressKnown } from './application.queries.ts'
import type { LockedApplication } from './board.queries.ts'
import { eraseInvitation } from './erase-invitation.ts'
import { lockApplication } from './open-application.ts'

/** Erases an application, as the receipt promises to people who did not apply themselves. */
export const eraseAmbassadorApplication: Handler<typeof api.eraseAmbassadorApplication> = (
  { params },
  { db, caller },
) =>
  transaction(db, async (db) => {
    const row = await lockApplication(db, params.id, caller)
    await erase(db, row, caller.memberId)
    // The emails may concern another application from the same address.
    if (!(await isAddressKnown(db, row.email))) await deleteAmbassadorMailsTo(db, row.email)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'ambassador-application-erased',
      subjectKind: 'ambassador-application',
      subjectId: row.id,
    })
    return { erased: true }
  })

/** Erases an application with its invitation. Members who joined can erase it with their account. */
async function erase(db: Tx, { id, ambassador_id }: LockedApplication, readerId: string): Promise<void> {
  const ambassador = ambassador_id === null ? undefined : await lockAmbassador(db, ambassador_id, readerId)
  if (ambassador && ambassador.member_id !== null) throw new Refused('conflict')
  if (ambassador) await eraseInvitation(db, ambassador.id)
  else await deleteApplication(db, id)
}
