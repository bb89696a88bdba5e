import type { Tx } from '../db/database.ts'
import { dropMails } from '../mail/mail.queries.ts'
import { listUnsentMailsOfPost, setTakenBack } from './retracted-email.queries.ts'

/**
 * In the transaction that unpublishes a post: emails waiting in the outbox are not sent, and failed ones not
 * resent by staff. Remaining recipients get the post in its then current form once it is public again; a digest
 * is rewritten without it.
 */
export async function takeBackMails(db: Tx, announcementId: string): Promise<void> {
  const unsent = await listUnsentMailsOfPost(db, announcementId)
  const idsOf = (mails: typeof unsent) => mails.map(({ mail_id }) => mail_id)
  await setTakenBack(db, idsOf(unsent.filter(({ is_waiting }) => is_waiting)), true)
  await dropMails(db, idsOf(unsent))
}
