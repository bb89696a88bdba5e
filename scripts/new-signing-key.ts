import { changeSigningKey } from '#api/publishing/announcements/signatures/signing-key.ts'
import { readConfig } from '#api/platform/config/config.ts'
import { makeKeys } from '#api/platform/keys.ts'
import { readOrMakeMasterKey } from '#api/platform/master-key/key-file.ts'
import { runWithDatabase } from './reach-database.ts'

// The running product needs no restart, because it always signs with the current key.
await runWithDatabase('read', async (db) => {
  const { encryptionKey, dataDir } = readConfig(process.env)
  const keys = makeKeys(encryptionKey ?? readOrMakeMasterKey(dataDir))
  const { retired, made } = await changeSigningKey(db, keys)
  console.log(`New posts will be signed with the key ${made}.`)
  if (retired) console.log(`The key ${retired} is retired. Its signatures can still be verified.`)
})
