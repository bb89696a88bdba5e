import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { announceChange } from '../../../platform/db/changes.ts'
import { transaction, type Database, type Tx } from '../../../platform/db/database.ts'
import type { Keys } from '../../../platform/keys.ts'
import { StartRefused } from '../../../platform/start-refused.ts'
import { findKeyInUse, insertKeyOnce, retireKeyInUse } from './signing-key.queries.ts'

export type SigningKey = { id: string; privateKey: KeyObject }

/** Returns the installation's key, created when it is first needed. */
export async function getSigningKey(db: Tx, keys: Keys): Promise<SigningKey> {
  let row = await findKeyInUse(db)
  if (!row) {
    // Other instances may have cached that there is no key.
    if (await insertKeyOnce(db, makeKey(keys))) await announceChange(db, 'announcements')
    row = (await findKeyInUse(db))!
  }
  return openSigningKey(keys, row)
}

type SealedKey = { id: string; sealed_private_key: Buffer }

/** The key opened last for each set of keys, along with its encrypted form. */
const opened = new WeakMap<Keys, SealedKey & SigningKey>()

/** Decrypts a key, cached while its encrypted form stays the same: decrypting takes longer than signing. */
function openSigningKey(keys: Keys, { id, sealed_private_key }: SealedKey): SigningKey {
  const last = opened.get(keys)
  if (last?.id === id && last.sealed_private_key.equals(sealed_private_key)) return last
  const key = {
    id,
    sealed_private_key,
    privateKey: createPrivateKey(openKey(keys, { id, sealed_private_key })),
  }
  opened.set(keys, key)
  return key
}

/** Logs contain only the names of errors, so this name says what is wrong. */
class SigningKeyNotOpened extends Error {
  override name = 'SigningKeyNotOpened'
}

function openKey(keys: Keys, { id, sealed_private_key }: SealedKey): string {
  try {
    return keys.open('signing', id, sealed_private_key)
  } catch (cause) {
    throw new SigningKeyNotOpened('the master key can’t decrypt the current signing key', { cause })
  }
}

/**
 * Retires the current key and creates a new one, which signs from now on. Documents signed with the old key can still
 * be verified with its public key, which is kept. Returns the IDs of both.
 */
export const changeSigningKey = (
  db: Database,
  keys: Keys,
): Promise<{ retired: string | undefined; made: string }> =>
  transaction(db, async (db) => {
    const retired = await retireKeyInUse(db)
    if (retired) requireOpens(keys, retired)
    const made = makeKey(keys)
    if (!(await insertKeyOnce(db, made)))
      throw new StartRefused(
        'Another process changed the signing key at the same time. That change is now in effect.',
      )
    await announceChange(db, 'announcements')
    return { retired: retired?.id, made: made.id }
  })

/** Checks that the key can be decrypted: the server could not open one encrypted with another master key. */
function requireOpens(keys: Keys, row: SealedKey): void {
  try {
    openKey(keys, row)
  } catch {
    throw new StartRefused(
      'The master key can’t decrypt the current signing key. Run this command with the application’s DATA_DIR or ENCRYPTION_KEY.',
    )
  }
}

/** Creates a key whose ID is the start of the SHA-256 of its public half, so that the ID follows from the key. */
function makeKey(keys: Keys) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const id = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16)
  return {
    id,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sealedPrivateKey: keys.seal(
      'signing',
      id,
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ),
  }
}
