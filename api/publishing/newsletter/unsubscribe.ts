import type { SubscriberEnd } from '#contract/publishing/newsletter.ts'
import type { Tx } from '../../platform/db/database.ts'
import { discardEmails } from '../../platform/mail/mail.queries.ts'
import { listUnsentMailsOf } from './issue.queries.ts'
import { countAsStopped } from './outcome.queries.ts'
import { deleteSubscriber, findSubscriberByEmail, lockSubscriber, markEnded } from './subscriber.queries.ts'

/**
 * In a transaction. Emails in the outbox are neither sent nor resent by staff; one being handed to a mail
 * server can't be stopped anymore.
 */
export async function endSubscription(
  db: Tx,
  id: string,
  by: SubscriberEnd,
  reason?: string,
): Promise<boolean> {
  // Locks the row first, so that nothing more is written for its reader.
  const hasEnded = await markEnded(db, id, by, reason)
  await discardUnsent(db, id)
  return hasEnded
}

/** In a transaction. Ends the subscription of an address, if there is one. */
export async function unsubscribeAddress(db: Tx, address: string, by: SubscriberEnd): Promise<void> {
  const subscriber = await findSubscriberByEmail(db, address)
  if (subscriber) await endSubscription(db, subscriber.id, by)
}

/** In a transaction. Leaves no trace. */
export async function deleteSubscription(db: Tx, id: string): Promise<void> {
  await lockSubscriber(db, id)
  await discardUnsent(db, id)
  await countAsStopped(db, id)
  await deleteSubscriber(db, id)
}

async function discardUnsent(db: Tx, id: string): Promise<void> {
  const unsent = await listUnsentMailsOf(db, id)
  await discardEmails(
    db,
    unsent.map(({ mail_id }) => mail_id),
  )
}
