import type { Tx } from '../db/database.ts'
import { deleteSubscription } from './end-subscription.ts'
import { lockMoved, lockSubscriberByEmail, setSubscriberEmail, unmarkMoved } from './subscriber.queries.ts'

/**
 * In a transaction. News go to the address that a member has now. Where that is subscribed by itself, the old subscription goes. What
 * somebody only typed there, or what has ended, makes room: anybody may type an address.
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
