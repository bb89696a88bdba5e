import { transaction, type Tx } from '../../../platform/db/database.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import type { Services } from '../../../platform/services.ts'
import { ambassadorProgramLink } from '../../../platform/site-links.ts'
import { deleteInvitation, lockExpiredInvitations } from '../profiles/ambassador.queries.ts'
import {
  deleteApplication,
  deleteApplicationsOfAmbassador,
  findOpenInvitation,
  lockUnanswered,
} from './application.queries.ts'

/**
 * Erases an invitation that no one accepted, together with every application that led to it. The caller holds its lock.
 */
async function eraseInvitation(db: Tx, ambassadorId: string): Promise<void> {
  await deleteApplicationsOfAmbassador(db, ambassadorId)
  await deleteInvitation(db, ambassadorId)
}

/** Erases an application, together with the invitation that it led to. */
export async function eraseApplication(db: Tx, id: string): Promise<void> {
  const invitation = await findOpenInvitation(db, id)
  if (invitation) await eraseInvitation(db, invitation.id)
  else await deleteApplication(db, id)
}

const atOnce = 200

/** Erases unanswered applications, so that they are not kept forever. The applicant is notified and may apply again. */
export const eraseUnanswered = ({ db, keys, config }: Services): Promise<void> =>
  transaction(db, async (db) => {
    for (const { id, email, language } of await lockUnanswered(db, config.ambassadorPatience, atOnce)) {
      await deleteApplication(db, id)
      await sendMail(db, keys, { email, language }, 'ambassador-unanswered', {
        link: ambassadorProgramLink(config),
      })
    }
  })

/** Erases accepted applicants who never joined, so that they are not kept forever. */
export const eraseExpiredInvitations = ({ db, config }: Services): Promise<void> =>
  transaction(db, async (db) => {
    for (const { id } of await lockExpiredInvitations(db, config.ambassadorRetention, atOnce))
      await eraseInvitation(db, id)
  })
