import type { Tx } from '../../../platform/db/database.ts'
import { Refused } from '../../../platform/refused.ts'
import { sharesWithOwnRejection } from '../fingerprint.queries.ts'
import { lockCase, lockKyc, type KycRow } from '../kyc.queries.ts'

/**
 * Locks a case that the officer may work on: not their own application, not one that shares strong evidence
 * with their own final refusal, and not a case assigned to another officer.
 */
export async function requireOwnCase(db: Tx, id: string, officerId: string): Promise<KycRow> {
  return requireWorkable(db, await lockKyc(db, id), officerId)
}

/** The same, including deleted applications with an open proposal of a final refusal. */
export async function requireOwnCaseOrProposal(db: Tx, id: string, officerId: string): Promise<KycRow> {
  return requireWorkable(db, await lockCase(db, id), officerId)
}

async function requireWorkable(db: Tx, row: KycRow | undefined, officerId: string): Promise<KycRow> {
  if (!row) throw new Refused('not_found')
  requireOthersCase(row, officerId)
  if (await sharesWithOwnRejection(db, officerId, row.id)) throw new Refused('forbidden')
  if (row.assignee_id !== null && row.assignee_id !== officerId) throw new Refused('conflict')
  return row
}

/** Officers are the subject of their own application, and see neither notes nor proposals about it. */
export function requireOthersCase({ member_id }: Pick<KycRow, 'member_id'>, officerId: string): void {
  if (member_id === officerId) throw new Refused('forbidden')
}
