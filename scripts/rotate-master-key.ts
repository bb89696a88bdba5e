import { readConfig } from '#api/platform/config/config.ts'
import { rotateMasterKey } from '#api/platform/master-key/rotate.ts'
import { runWithDatabase } from './reach-database.ts'

await runWithDatabase('write', async (db) => {
  const count = await rotateMasterKey(db, readConfig(process.env))
  console.log(`The master key was rotated. ${count} keys and messages were re-encrypted.`)
})
