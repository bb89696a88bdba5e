import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { DAY, SECOND } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import { hashSecret } from '../keys.ts'
import { Refused, refusedField } from '../refused.ts'

/** How long a name keeps its answer. */
const keptFor = DAY

type Named = { memberId: string; key: string | undefined; call: string; body: unknown }

/**
 * Does the work once for each name that a member's client gives the call, in the transaction of the work: sent again it
 * gets the first answer, and of several at the same moment one works while the others wait for it. A name that comes
 * with another body is refused. Refused work leaves no trace, so the name can be used again.
 */
export async function idempotent<T>(
  db: Tx,
  { memberId, key, call, body }: Named,
  work: () => Promise<T>,
): Promise<T> {
  if (key === undefined) return work()
  if (!/^[\x21-\x7e]{1,128}$/.test(key)) throw refusedField('Idempotency-Key', 'invalid')
  const keyHash = hashSecret(key)
  const bodyHash = createHash('sha256')
    .update(`${call} ${canonical(body)}`)
    .digest('hex')
  const { rows } = await sql<{ key_hash: string }>`
    insert into idempotency_key (member_id, key_hash, body_hash)
    values (${memberId}, ${keyHash}, ${bodyHash})
    on conflict (member_id, key_hash) do update set
      body_hash = excluded.body_hash, answer = null, created_at = now()
      where idempotency_key.created_at < now() - ${keptFor / SECOND} * interval '1 second'
    returning key_hash`.execute(db)
  const own = db
    .updateTable('idempotency_key')
    .where('member_id', '=', memberId)
    .where('key_hash', '=', keyHash)
  if (rows.length > 0) {
    const answer = await work()
    await own.set({ answer: JSON.stringify(answer) }).execute()
    return answer
  }
  const first = await db
    .selectFrom('idempotency_key')
    .select(['body_hash', 'answer'])
    .where('member_id', '=', memberId)
    .where('key_hash', '=', keyHash)
    .executeTakeFirstOrThrow()
  if (first.body_hash !== bodyHash) throw new Refused('idempotency_conflict')
  return first.answer as T
}

/** JSON whose members are in the order of their names: the same body is the same text however it was written. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

export const deleteOldIdempotencyKeys = (db: Tx) =>
  db
    .deleteFrom('idempotency_key')
    .where('created_at', '<', sql<Date>`now() - ${keptFor / SECOND} * interval '1 second'`)
    .execute()

/** The answers repeat what the member typed. */
export async function deleteIdempotencyKeysOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('idempotency_key').where('member_id', '=', memberId).execute()
}
