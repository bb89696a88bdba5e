import type { api } from '#contract/api.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction, type Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { deleteAmbassadorMailsTo } from '../../mail/mail.queries.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { Refused } from '../../refused.ts'
import type { Services } from '../../services.ts'
import { ambassadorProgramLink } from '../../site-links.ts'
import { lockAmbassador } from '../profiles/ambassador.queries.ts'
import { deleteApplication, isAddressKnown, lockUnanswered } from './application.queries.ts'
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

const atOnce = 200

/** Erases unanswered applications, so that they are not kept forever. The applicant is notified and may apply again. */
export const eraseUnanswered = ({ db, keys, config }: Pick<Services, 'db' | 'keys' | 'config'>) =>
  transaction(db, async (db) => {
    for (const { id, email, language } of await lockUnanswered(db, config.ambassadorPatience, atOnce)) {
      await deleteApplication(db, id)
      await sendMail(db, keys, { email, language }, 'ambassador-unanswered', {
        link: ambassadorProgramLink(config),
      })
    }
  })
