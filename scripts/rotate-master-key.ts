import { readConfig } from '#api/config.ts'
import { openDatabase } from '#api/db/database.ts'
import { rotateMasterKey } from '#api/master-key/rotate.ts'
import { StartRefused } from '#api/start-refused.ts'
import { reachDatabase } from './reach-database.ts'

try {
  const reached = await reachDatabase('write')
  const db = openDatabase(reached.url, () => undefined)
  try {
    const count = await rotateMasterKey(db, readConfig(process.env))
    console.log(`The master key was changed; ${count} keys and messages were sealed anew.`)
  } finally {
    await db.destroy()
    await reached.close()
  }
} catch (error) {
  if (!(error instanceof StartRefused)) throw error
  console.error(error.message)
  process.exitCode = 1
}
