import type { Tx } from '../../db/database.ts'
import { Refused } from '../../refused.ts'
import { lockKyc, type KycRow } from '../kyc.queries.ts'

/** Locks a case that the officer may work on: not their own application and not a case assigned to another officer. */
export async function requireOwnCase(db: Tx, id: string, officerId: string): Promise<KycRow> {
  const row = await lockKyc(db, id)
  if (!row) throw new Refused('not_found')
  if (row.member_id === officerId) throw new Refused('forbidden')
  if (row.assignee_id !== null && row.assignee_id !== officerId) throw new Refused('conflict')
  return row
}
