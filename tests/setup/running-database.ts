import { findEmbedded } from '#api/platform/db/embedded/find-embedded.ts'
import { openDatabase, type Database } from '#api/platform/db/database.ts'
import { makePasswordHasher } from '#api/platform/password-hasher.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import type { TestApi } from './start-api.ts'

/** The embedded database of a running product. */
export async function withRunningDatabase<T>(
  dataDir: string,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const found = await findEmbedded(dataDir)
  if (typeof found === 'string') throw new Error(`the database is ${found}`)
  const db = openDatabase(found.url, () => {})
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** Returns its signed-in members. */
export const membersOf = (dataDir: string, count: number, rights = {}): Promise<TestMember[]> =>
  withRunningDatabase(dataDir, async (db) => {
    const config = { isStaffSecondFactorRequired: false }
    const api = { services: { db, config, passwords: await makePasswordHasher() } } as TestApi
    const members: TestMember[] = []
    for (let n = 0; n < count; n += 1) members.push(await aSignedInMember(api, rights))
    return members
  })
