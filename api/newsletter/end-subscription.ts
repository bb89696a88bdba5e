import type { SubscriberEnd } from '#contract/newsletter.ts'
import type { Tx } from '../db/database.ts'
import { dropWaitingMails } from '../mail/mail.queries.ts'
import { listOpenMailsOf } from './issue.queries.ts'
import { markEnded } from './subscriber.queries.ts'

/** In a transaction. What waits in the outbox is not sent; what a mail server is being given cannot be stopped any more. */
export async function endSubscription(
  db: Tx,
  id: string,
  by: SubscriberEnd,
  reason?: string,
): Promise<boolean> {
  // The row first: while it is locked nothing more is written for its reader.
  const hasEnded = await markEnded(db, id, by, reason)
  const open = await listOpenMailsOf(db, id)
  await dropWaitingMails(
    db,
    open.map(({ mail_id }) => mail_id),
  )
  return hasEnded
}
