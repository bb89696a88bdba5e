import { transaction, type Tx } from '../db/database.ts'
import type { Services } from '../services.ts'
import { forgetSurplusSpent } from './refresh/refresh-token.queries.ts'
import { deleteSomeDeadAccessTokens, deleteSomeDeadSessions } from './session.queries.ts'

/** In batches: however much there is, no statement is cancelled for its length, and what one deletes stays deleted. */
export async function deleteDeadSessions({ db, lifecycle }: Services): Promise<void> {
  const batch = (work: (db: Tx) => Promise<boolean>) => transaction(db, work)
  while (!lifecycle.isStopping && (await batch(deleteSomeDeadAccessTokens))) continue
  // First, so that a session has few tokens to take with it.
  await forgetSurplusSpent(db, lifecycle)
  while (!lifecycle.isStopping && (await batch(deleteSomeDeadSessions))) continue
}
