import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { makeKeys } from '../keys.ts'
import { StartRefused } from '../start-refused.ts'
import { dropNextKey, makeNextKey, readKeyFiles, adoptNextKey } from './key-file.ts'
import { canOpen, reEncrypt } from './re-encrypt.ts'

type Settings = Pick<Config, 'dataDir' | 'encryptionKey' | 'nextEncryptionKey'>

/**
 * Changes the master key and returns how many values were re-encrypted. A key in a file is replaced by a new one, which is on the
 * disk before anything is sealed with it, so that a run interrupted at any point is completed by another. A key from the settings is
 * replaced by the next one from the settings.
 */
export async function rotateMasterKey(db: Database, settings: Settings): Promise<number> {
  const { encryptionKey, nextEncryptionKey, dataDir } = settings
  if (!encryptionKey) return rotateFile(db, dataDir)
  if (!nextEncryptionKey)
    throw new StartRefused('Give the key that follows ENCRYPTION_KEY as NEXT_ENCRYPTION_KEY.')
  if (nextEncryptionKey.equals(encryptionKey))
    throw new StartRefused('NEXT_ENCRYPTION_KEY is the key in use; give another one.')
  const [now, next] = [makeKeys(encryptionKey), makeKeys(nextEncryptionKey)]
  if (!(await canOpen(db, now)))
    throw new StartRefused(
      (await canOpen(db, next))
        ? 'The change is done already: the database is sealed with NEXT_ENCRYPTION_KEY; start with it as ENCRYPTION_KEY.'
        : 'ENCRYPTION_KEY is not the key that this database was sealed with; give that one, and the key that follows it as NEXT_ENCRYPTION_KEY.',
    )
  return reEncrypt(db, now, next)
}

async function rotateFile(db: Database, dataDir: string): Promise<number> {
  const { now, next } = readKeyFiles(dataDir)
  if (next) {
    if (await canOpen(db, makeKeys(now))) dropNextKey(dataDir)
    else {
      adoptNextKey(dataDir)
      return 0
    }
  }
  if (!(await canOpen(db, makeKeys(now))))
    throw new StartRefused(
      `The key in ${dataDir}/keys is not the one that this database was sealed with; put that one there and try again.`,
    )
  const made = makeNextKey(dataDir)
  try {
    const count = await reEncrypt(db, makeKeys(now), makeKeys(made))
    adoptNextKey(dataDir)
    return count
  } catch (error) {
    // Only if the old key still opens the values is it certain that they were not re-encrypted.
    if (await canOpen(db, makeKeys(now)).catch(() => false)) dropNextKey(dataDir)
    throw error
  }
}
