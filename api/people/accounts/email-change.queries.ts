import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { fromNow } from '../../platform/db/expressions.ts'

export async function findPendingEmail(db: Tx, memberId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('email_change')
    .select('new_email')
    .where('member_id', '=', memberId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.new_email
}

export async function holdEmailChange(
  db: Tx,
  {
    memberId,
    newEmail,
    codeHash,
    life,
  }: { memberId: string; newEmail: string; codeHash: string; life: number },
): Promise<void> {
  const expires_at = fromNow(life)
  await db
    .insertInto('email_change')
    .values({ member_id: memberId, new_email: newEmail, code_hash: codeHash, expires_at })
    .onConflict((conflict) =>
      conflict
        .column('member_id')
        .doUpdateSet({ new_email: newEmail, code_hash: codeHash, expires_at, created_at: sql`now()` }),
    )
    .execute()
}

export async function consumeEmailChange(
  db: Tx,
  memberId: string,
  codeHash: string,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('email_change')
    .where('member_id', '=', memberId)
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('new_email')
    .executeTakeFirst()
  return row?.new_email
}

export async function cancelEmailChange(db: Tx, memberId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('email_change')
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const deleteDeadEmailChanges = (db: Tx) =>
  db
    .deleteFrom('email_change')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
