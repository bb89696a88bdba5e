import type { Tx } from '../db/database.ts'
import { fingerprintsUnder, type Keys } from '../keys.ts'
import { fingerprintKeyId, findFingerprintKey, insertFingerprintKeyOnce } from './fingerprint-key.queries.ts'

/**
 * The keys, with fingerprints under the key that the database keeps: those of a person who was refused for good must still
 * match when the master key has been changed. At first it is the one derived from the master key, which releases before
 * this table used.
 */
export async function withFingerprintKey(db: Tx, keys: Keys): Promise<Keys> {
  let sealed = await findFingerprintKey(db)
  if (!sealed) {
    await insertFingerprintKeyOnce(
      db,
      keys.seal('fingerprint key', fingerprintKeyId, keys.firstFingerprintKey.toString('base64')),
    )
    sealed = (await findFingerprintKey(db))!
  }
  const key = Buffer.from(keys.open('fingerprint key', fingerprintKeyId, sealed), 'base64')
  return { ...keys, fingerprint: fingerprintsUnder(key) }
}
