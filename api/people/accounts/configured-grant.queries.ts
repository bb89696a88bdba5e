import type { Tx } from '../../platform/db/database.ts'
import { hashSecret } from '../../platform/keys.ts'

/** False if it was already recorded. Of two concurrent calls one waits for the other. */
export async function recordConfiguredGrant(db: Tx, email: string): Promise<boolean> {
  const row = await db
    .insertInto('configured_grant')
    .values({ address_hash: hashSecret(email) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('address_hash')
    .executeTakeFirst()
  return row !== undefined
}

export async function hasConfiguredGrant(db: Tx, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('configured_grant')
    .select('address_hash')
    .where('address_hash', '=', hashSecret(email))
    .executeTakeFirst()
  return row !== undefined
}
