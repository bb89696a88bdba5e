import type { Tx } from '../../db/database.ts'
import type { Caller } from '../../http/caller.ts'
import { Refused } from '../../refused.ts'
import { lockApplications, type LockedApplication } from './board.queries.ts'

/** Locks an application until the transaction ends; rejects its own sender. */
export async function lockApplication(db: Tx, id: string, caller: Caller): Promise<LockedApplication> {
  const [row] = await lockApplications(db, [id], caller.memberId)
  if (!row) throw new Refused('not_found')
  if (row.is_own) throw new Refused('forbidden')
  return row
}

/** Whether the application is unchanged since the caller read it. */
export const isAsRead = (row: LockedApplication, lastUpdated: string): boolean =>
  row.updated_at.toISOString() === lastUpdated
