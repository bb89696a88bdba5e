import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** A sign-up whose code still works. */
export const isPending = sql<boolean>`sign_up.expires_at > now() and sign_up.used_at is null and sign_up.replaced_at is null`

/** The password of the newest pending sign-up, so that sign-in can answer "not activated" to the person who chose it. */
export async function findPendingPasswordHash(
  db: Tx,
  memberId: string | undefined,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('sign_up')
    .select('password_hash')
    .where('member_id', '=', memberId ?? '')
    .where(isPending)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  return row?.password_hash
}
