import type { SubscriberEnd } from '#contract/newsletter.ts'
import type { Tx } from '../db/database.ts'
import { dropMails } from '../mail/mail.queries.ts'
import { listUnsentMailsOf } from './issue.queries.ts'
import { markEnded } from './subscriber.queries.ts'

/**
 * In a transaction. What is in the outbox is not sent, nor sent again by the staff; what a mail server is being given cannot be
 * stopped any more.
 */
export async function endSubscription(
  db: Tx,
  id: string,
  by: SubscriberEnd,
  reason?: string,
): Promise<boolean> {
  // The row first: while it is locked nothing more is written for its reader.
  const hasEnded = await markEnded(db, id, by, reason)
  const unsent = await listUnsentMailsOf(db, id)
  await dropMails(
    db,
    unsent.map(({ mail_id }) => mail_id),
  )
  return hasEnded
}
