import { changeSigningKey } from '#api/announcements/signatures/signing-key.ts'
import { readConfig } from '#api/config.ts'
import { openDatabase } from '#api/db/database.ts'
import { makeKeys } from '#api/keys.ts'
import { readOrMakeMasterKey } from '#api/master-key/key-file.ts'
import { StartRefused } from '#api/start-refused.ts'
import { reachDatabase } from './reach-database.ts'

try {
  const { encryptionKey, dataDir } = readConfig(process.env)
  // The running product may be left as it is: it signs with whatever key is in use.
  const reached = await reachDatabase('read')
  const db = openDatabase(reached.url, () => undefined)
  try {
    const keys = makeKeys(encryptionKey ?? readOrMakeMasterKey(dataDir))
    const { retired, made } = await changeSigningKey(db, keys)
    console.log(`Posts are signed with the key ${made} from now on.`)
    if (retired) console.log(`The key ${retired} is retired; what it signed can still be verified.`)
  } finally {
    await db.destroy()
    await reached.close()
  }
} catch (error) {
  if (!(error instanceof StartRefused)) throw error
  console.error(error.message)
  process.exitCode = 1
}
