import type { Tx } from '../db/database.ts'
import { fingerprintsUnder, type Keys } from '../keys.ts'
import { fingerprintKeyId, findFingerprintKey, insertFingerprintKeyOnce } from './fingerprint-key.queries.ts'

/**
 * The keys, with fingerprints under a key stored in the database: those of a finally refused person must still
 * match after the master key has changed. Initially it is derived from the master key, as in releases before
 * this table.
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
