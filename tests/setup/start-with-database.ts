import { randomBytes } from 'node:crypto'
import { openDatabase, type Database } from '#api/db/database.ts'
import { makeKeys, type Keys } from '#api/keys.ts'
import { makePasswordHasher } from '#api/password-hasher.ts'
import type { TestApi } from './start-api.ts'
import { startOnCopy, type Product } from './start-product.ts'
import { removeTemporary } from './temporary.ts'

export type Opened = {
  product: Product
  db: Database
  keys: Keys
  /** For builders that write to the database: it has no calls. */
  api: TestApi
  close: () => Promise<void>
}

/** The built product, and its database and keys, to write there what would take many pages. */
export async function startWithDatabase(settings: Record<string, string> = {}): Promise<Opened> {
  const masterKey = randomBytes(32)
  const product = await startOnCopy({
    STAFF_SECOND_FACTOR: 'optional',
    ENCRYPTION_KEY: masterKey.toString('base64'),
    ...settings,
  })
  const db = openDatabase(product.databaseUrl, () => {})
  const keys = makeKeys(masterKey)
  const config = { isStaffSecondFactorRequired: false }
  const api = { services: { db, keys, config, passwords: await makePasswordHasher() } } as TestApi
  return {
    product,
    db,
    keys,
    api,
    async close() {
      await db.destroy()
      const code = await product.stop()
      if (code !== 0) throw new Error(`the product ended with ${code}`)
      await removeTemporary(product.dataDir)
    },
  }
}
