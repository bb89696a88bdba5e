import type { Tx } from '../../platform/db/database.ts'
import { discardEmails } from '../../platform/mail/mail.queries.ts'
import { listUnsentMailsOfPost, setRetracted } from './retracted-email.queries.ts'

/**
 * In the transaction that unpublishes a post: emails waiting in the outbox are not sent, and failed ones not
 * resent by staff. Remaining recipients get the post in its then current form once it is public again; a digest
 * is rewritten without it.
 */
export async function retractEmails(db: Tx, announcementId: string): Promise<void> {
  const unsent = await listUnsentMailsOfPost(db, announcementId)
  const idsOf = (mails: typeof unsent) => mails.map(({ mail_id }) => mail_id)
  await setRetracted(db, idsOf(unsent.filter(({ is_waiting }) => is_waiting)), true)
  await discardEmails(db, idsOf(unsent))
}
