import { randomBytes } from 'node:crypto'
import { openDatabase, type Database } from '#api/platform/db/database.ts'
import { makeKeys, type Keys } from '#api/platform/keys.ts'
import { makePasswordHasher } from '#api/platform/password-hasher.ts'
import type { TestApi } from './start-api.ts'
import { startOnCopy, startProduct, type Product } from './start-product.ts'
import { removeTemporary } from './temporary.ts'

export type Opened = {
  product: Product
  db: Database
  keys: Keys
  /** For builders that write to the database. It has no endpoints. */
  api: TestApi
  /** The settings it was started with, for another program on the same database, key, and files. */
  settings: Record<string, string>
  /** Starts another instance of it. */
  startAnother: () => Promise<Product>
  close: () => Promise<void>
}

/** The built product, with its database and keys to insert data that would take many pages to create. */
export async function startWithDatabase(settings: Record<string, string> = {}): Promise<Opened> {
  const masterKey = randomBytes(32)
  const given = {
    STAFF_SECOND_FACTOR: 'optional',
    ENCRYPTION_KEY: masterKey.toString('base64'),
    ...settings,
  }
  const product = await startOnCopy(given)
  const ofBoth = { ...given, DATABASE_URL: product.databaseUrl }
  const db = openDatabase(product.databaseUrl, () => {})
  const keys = makeKeys(masterKey)
  const config = { isStaffSecondFactorRequired: false }
  const api = { services: { db, keys, config, passwords: await makePasswordHasher() } } as TestApi
  return {
    product,
    db,
    keys,
    api,
    settings: { ...ofBoth, DATA_DIR: product.dataDir },
    startAnother: () => startProduct({ dataDir: product.dataDir, settings: ofBoth }),
    async close() {
      await db.destroy()
      const code = await product.stop()
      if (code !== 0) throw new Error(`the product ended with ${code}`)
      await removeTemporary(product.dataDir)
    },
  }
}
