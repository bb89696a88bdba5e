import { transaction } from '../../db/database.ts'
import { sendMail } from '../../mail/send-mail.ts'
import type { Services } from '../../services.ts'
import { ambassadorProgramLink } from '../../site-links.ts'
import { deleteApplication, lockUnanswered } from './application.queries.ts'

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
