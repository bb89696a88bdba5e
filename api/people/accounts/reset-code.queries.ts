import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { fromNow } from '../../platform/db/expressions.ts'

export async function insertResetCode(
  db: Tx,
  memberId: string,
  codeHash: string,
  life: number,
): Promise<void> {
  await db
    .insertInto('reset_code')
    .values({
      member_id: memberId,
      code_hash: codeHash,
      expires_at: fromNow(life),
    })
    .execute()
}

/** Whether the code is currently valid. */
export async function isValidResetCode(db: Tx, memberId: string, codeHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('reset_code')
    .select('member_id')
    .where('code_hash', '=', codeHash)
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether any emailed code of the member is currently valid. */
export async function hasValidResetCode(db: Tx, memberId: string): Promise<boolean> {
  const row = await db
    .selectFrom('reset_code')
    .select('member_id')
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}

/** Consumes the code and invalidates the member's other codes; for a wrong member it stays valid. */
export async function consumeResetCode(db: Tx, memberId: string, codeHash: string): Promise<boolean> {
  const row = await db
    .updateTable('reset_code')
    .set({ used_at: sql<Date>`now()` })
    .where('code_hash', '=', codeHash)
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('member_id')
    .executeTakeFirst()
  if (!row) return false
  await deleteResetCodes(db, memberId)
  return true
}

export async function deleteResetCodes(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('reset_code').where('member_id', '=', memberId).execute()
}

export const deleteDeadResetCodes = (db: Tx) =>
  db
    .deleteFrom('reset_code')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
