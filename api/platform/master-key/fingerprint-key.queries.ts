import type { Tx } from '../db/database.ts'

export const fingerprintKeyId = 'of this installation'

/** Of several concurrent starts the first one decides. */
export async function insertFingerprintKeyOnce(db: Tx, sealed: Buffer): Promise<void> {
  await db
    .insertInto('fingerprint_key')
    .values({ id: fingerprintKeyId, sealed_key: sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findFingerprintKey(db: Tx): Promise<Buffer | undefined> {
  const row = await db.selectFrom('fingerprint_key').select('sealed_key').executeTakeFirst()
  return row?.sealed_key
}
