import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { ago } from '../db/expressions.ts'

type Key = { memberId: string; keyHash: string }

/**
 * Claims the key; true for its first call, or if the earlier claim is older than `life`. Of concurrent calls one continues,
 * and the others wait here until its transaction ends.
 */
export async function claimKey(
  db: Tx,
  { memberId, keyHash, bodyHash }: Key & { bodyHash: string },
  life: number,
): Promise<boolean> {
  const { rows } = await sql<{ key_hash: string }>`
    insert into idempotency_key (member_id, key_hash, body_hash)
    values (${memberId}, ${keyHash}, ${bodyHash})
    on conflict (member_id, key_hash) do update set
      body_hash = excluded.body_hash, answer = null, created_at = now()
      where idempotency_key.created_at < ${ago(life)}
    returning key_hash`.execute(db)
  return rows.length > 0
}

export async function storeAnswer(db: Tx, { memberId, keyHash }: Key, answer: unknown): Promise<void> {
  await db
    .updateTable('idempotency_key')
    .set({ answer: JSON.stringify(answer) })
    .where('member_id', '=', memberId)
    .where('key_hash', '=', keyHash)
    .execute()
}

export const getFirstCall = (db: Tx, { memberId, keyHash }: Key) =>
  db
    .selectFrom('idempotency_key')
    .select(['body_hash', 'answer'])
    .where('member_id', '=', memberId)
    .where('key_hash', '=', keyHash)
    .executeTakeFirstOrThrow()

export const deleteKeysOlderThan = (db: Tx, life: number) =>
  db.deleteFrom('idempotency_key').where('created_at', '<', ago(life)).execute()

/** Stored responses contain what the member typed. */
export async function deleteIdempotencyKeysOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('idempotency_key').where('member_id', '=', memberId).execute()
}
