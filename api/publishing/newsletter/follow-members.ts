import type { Tx } from '../../platform/db/database.ts'
import { deleteSubscription } from './unsubscribe.ts'
import { lockMoved, lockSubscriberByEmail, setSubscriberEmail, unmarkMoved } from './subscriber.queries.ts'

/**
 * In a transaction. News is sent to a member's current address. If that is subscribed separately, the old
 * subscription is removed. An unconfirmed or ended one is replaced, because anyone can type an address.
 */
export async function followMembers(db: Tx, memberId?: string): Promise<void> {
  for (const moved of await lockMoved(db, memberId)) {
    const other = await lockSubscriberByEmail(db, moved.email)
    const isTaken = other !== undefined && (other.state === 'active' || moved.state !== 'active')
    if (isTaken) await deleteSubscription(db, moved.id)
    else {
      if (other) await deleteSubscription(db, other.id)
      await setSubscriberEmail(db, moved.id, moved.email)
    }
  }
  if (memberId === undefined) await unmarkMoved(db)
}
