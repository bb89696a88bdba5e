import { createHash } from 'node:crypto'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../db/database.ts'
import { hashSecret } from '../keys.ts'
import { Refused, refusedField } from '../refused.ts'
import { claimKey, deleteKeysOlderThan, getFirstCall, storeAnswer } from './idempotency-key.queries.ts'

/** How long the response of a key is stored, in milliseconds. */
const keptFor = DAY

type Named = { memberId: string; key: string | undefined; call: string; body: unknown }

/**
 * Does the work once per idempotency key of a member, in the transaction of the work. A repeated call gets the first
 * response; concurrent calls wait for the first. A key with another body is refused. Refused work rolls back, so its key
 * can be used again.
 */
export async function idempotent<T>(db: Tx, named: Named, work: () => Promise<T>): Promise<T> {
  const { memberId, key, call, body } = named
  if (key === undefined) return work()
  if (!/^[\x21-\x7e]{1,128}$/.test(key)) throw refusedField('Idempotency-Key', 'invalid')
  const own = { memberId, keyHash: hashSecret(key) }
  const bodyHash = createHash('sha256')
    .update(`${call} ${canonical(body)}`)
    .digest('hex')
  if (await claimKey(db, { ...own, bodyHash }, keptFor)) {
    const answer = await work()
    await storeAnswer(db, own, answer)
    return answer
  }
  const first = await getFirstCall(db, own)
  if (first.body_hash !== bodyHash) throw new Refused('idempotency_conflict')
  return first.answer as T
}

/**
 * Does the same for work in several transactions. Until the first call has a response, which it never gets if the server
 * stops during the work, repeated calls are refused as unavailable.
 */
export async function onceInSteps<T>(db: Tx, named: Named, work: () => Promise<T>): Promise<T> {
  const answer = await idempotent<T | null>(db, named, work)
  if (answer === null) throw new Refused('unavailable')
  return answer
}

/** Serializes JSON with sorted keys, so that equal bodies produce equal text. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

export const deleteOldIdempotencyKeys = (db: Tx) => deleteKeysOlderThan(db, keptFor)
