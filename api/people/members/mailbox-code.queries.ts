import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { fromNow } from '../../platform/db/expressions.ts'

/** A new code replaces the previous one. */
export async function holdMailboxCode(
  db: Tx,
  memberId: string,
  codeHash: string,
  life: number,
): Promise<void> {
  const expires_at = fromNow(life)
  await db
    .insertInto('mailbox_code')
    .values({ member_id: memberId, code_hash: codeHash, expires_at })
    .onConflict((conflict) =>
      conflict
        .column('member_id')
        .doUpdateSet({ code_hash: codeHash, expires_at, created_at: sql<Date>`now()` }),
    )
    .execute()
}

export async function consumeMailboxCode(db: Tx, memberId: string, codeHash: string): Promise<boolean> {
  const row = await db
    .deleteFrom('mailbox_code')
    .where('member_id', '=', memberId)
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('member_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteMailboxCode(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('mailbox_code').where('member_id', '=', memberId).execute()
}

export const deleteDeadMailboxCodes = (db: Tx) =>
  db
    .deleteFrom('mailbox_code')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
