import type { Tx } from '../db/database.ts'
import { dropMails } from '../mail/mail.queries.ts'
import { listUnsentMailsOfPost, setTakenBack } from './taken-back.queries.ts'

/**
 * In the transaction in which a post ceases to be public: what waits in the outbox is not sent, nor is what has failed sent again by the
 * staff. Who was still to get it does once it is public again, as it is then; a digest is written anew without it.
 */
export async function takeBackMails(db: Tx, announcementId: string): Promise<void> {
  const unsent = await listUnsentMailsOfPost(db, announcementId)
  const idsOf = (mails: typeof unsent) => mails.map(({ mail_id }) => mail_id)
  await setTakenBack(db, idsOf(unsent.filter(({ is_waiting }) => is_waiting)), true)
  await dropMails(db, idsOf(unsent))
}
