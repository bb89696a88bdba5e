import type { SubscriberEnd } from '#contract/newsletter.ts'
import type { Tx } from '../db/database.ts'
import { dropMails } from '../mail/mail.queries.ts'
import { listUnsentMailsOf } from './issue.queries.ts'
import { countAsStopped } from './outcome.queries.ts'
import { deleteSubscriber, lockSubscriber, markEnded } from './subscriber.queries.ts'

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
  await dropUnsent(db, id)
  return hasEnded
}

/** In a transaction. As if there never was one. */
export async function deleteSubscription(db: Tx, id: string): Promise<void> {
  await lockSubscriber(db, id)
  await dropUnsent(db, id)
  await countAsStopped(db, id)
  await deleteSubscriber(db, id)
}

async function dropUnsent(db: Tx, id: string): Promise<void> {
  const unsent = await listUnsentMailsOf(db, id)
  await dropMails(
    db,
    unsent.map(({ mail_id }) => mail_id),
  )
}
