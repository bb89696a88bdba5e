import { changeSigningKey } from '#api/announcements/signatures/signing-key.ts'
import { readConfig } from '#api/config.ts'
import { makeKeys } from '#api/keys.ts'
import { masterKeyOf } from '#api/master-key/key-file.ts'
import { runWithDatabase } from './reach-database.ts'

// The running product needs no restart: it signs with the current key.
await runWithDatabase('read', async (db) => {
  const keys = makeKeys(masterKeyOf(readConfig(process.env)))
  const { retired, made } = await changeSigningKey(db, keys)
  console.log(`Posts are signed with the key ${made} from now on.`)
  if (retired) console.log(`The key ${retired} is retired; what it signed can still be verified.`)
})
