import { statSync } from 'node:fs'
import { join } from 'node:path'
import { canOpen } from '../master-key/re-encrypt.ts'
import { checked, type Check } from './check.ts'
import { findKeyInUse } from './health.queries.ts'

export const checkKeys: Check = async ({ db, keys, config }) => {
  const signing = await findKeyInUse(db)
  const folder = join(config.dataDir, 'keys')
  const [file, around] = config.encryptionKey
    ? []
    : [join(folder, 'master.key'), folder].map((path) => statSync(path, { throwIfNoEntry: false }))
  return checked('keys', {
    facts: {
      masterKey: config.encryptionKey ? 'environment' : 'file',
      masterKeySince: file?.mtime,
      signingKey: signing?.id,
      signingKeySince: signing?.created_at,
    },
    problems: {
      key_mismatch: !(await canOpen(db, keys)),
      key_rotation: config.nextEncryptionKey !== undefined,
      // Other accounts of the machine could read it.
      key_readable: file !== undefined && around !== undefined && (file.mode & 0o077) !== 0,
    },
  })
}
