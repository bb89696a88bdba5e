import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** Returns the number of unused codes. */
export async function countRecoveryCodes(db: Tx, memberId: string): Promise<number> {
  const row = await db
    .selectFrom('recovery_code')
    .select((select) => select.fn.countAll().as('count'))
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function replaceRecoveryCodes(
  db: Tx,
  memberId: string,
  codeHashes: readonly string[],
): Promise<void> {
  await deleteRecoveryCodes(db, memberId)
  await db
    .insertInto('recovery_code')
    .values(codeHashes.map((hash) => ({ member_id: memberId, code_hash: hash })))
    .execute()
}

export async function deleteRecoveryCodes(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('recovery_code').where('member_id', '=', memberId).execute()
}

export async function consumeRecoveryCode(db: Tx, memberId: string, codeHash: string): Promise<boolean> {
  const row = await db
    .updateTable('recovery_code')
    .set({ used_at: sql<Date>`now()` })
    .where('member_id', '=', memberId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .returning('member_id')
    .executeTakeFirst()
  return row !== undefined
}
