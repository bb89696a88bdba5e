import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { makeKeys } from '../keys.ts'
import { StartRefused } from '../start-refused.ts'
import { deleteNextKey, makeNextKey, readKeyFiles, adoptNextKey } from './key-file.ts'
import { canOpen, reEncrypt } from './re-encrypt.ts'

type Settings = Pick<Config, 'dataDir' | 'encryptionKey' | 'nextEncryptionKey'>

/**
 * Changes the master key and returns the number of re-encrypted values. A key in a file is replaced by a new
 * one, which is on disk before anything is sealed with it, so that an interrupted run is completed by another
 * one. A key in the settings is replaced by the next one in the settings.
 */
export async function rotateMasterKey(db: Database, settings: Settings): Promise<number> {
  const { encryptionKey, nextEncryptionKey, dataDir } = settings
  if (!encryptionKey) return rotateFile(db, dataDir)
  if (!nextEncryptionKey) throw new StartRefused('Set NEXT_ENCRYPTION_KEY to the new key.')
  if (nextEncryptionKey.equals(encryptionKey))
    throw new StartRefused('NEXT_ENCRYPTION_KEY is the current key. Set it to a new one.')
  const [now, next] = [makeKeys(encryptionKey), makeKeys(nextEncryptionKey)]
  if (!(await canOpen(db, now)))
    throw new StartRefused(
      (await canOpen(db, next))
        ? 'The rotation is already complete: the database uses NEXT_ENCRYPTION_KEY. Start with that key as ENCRYPTION_KEY.'
        : 'ENCRYPTION_KEY doesn’t match this database. Set it to the current key, and NEXT_ENCRYPTION_KEY to the new one.',
    )
  return reEncrypt(db, now, next)
}

async function rotateFile(db: Database, dataDir: string): Promise<number> {
  const { now, next } = readKeyFiles(dataDir)
  if (next) {
    if (await canOpen(db, makeKeys(now))) deleteNextKey(dataDir)
    else {
      adoptNextKey(dataDir)
      return 0
    }
  }
  if (!(await canOpen(db, makeKeys(now))))
    throw new StartRefused(
      `The key in ${dataDir}/keys doesn’t match this database. Restore the correct key there and try again.`,
    )
  const made = makeNextKey(dataDir)
  try {
    const count = await reEncrypt(db, makeKeys(now), makeKeys(made))
    adoptNextKey(dataDir)
    return count
  } catch (error) {
    // Only if the old key still opens the values is it certain that they were not re-encrypted.
    if (await canOpen(db, makeKeys(now)).catch(() => false)) deleteNextKey(dataDir)
    throw error
  }
}
