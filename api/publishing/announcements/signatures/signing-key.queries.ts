import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'

/** Locks the current key until the transaction ends, so that it is not retired while it is used for signing. */
export const findKeyInUse = (db: Tx) =>
  db
    .selectFrom('signing_key')
    .select(['id', 'sealed_private_key'])
    .where('retired_at', 'is', null)
    .forShare()
    .executeTakeFirst()

type NewKey = { id: string; publicKey: string; sealedPrivateKey: Buffer }

/** Inserts the first key. If several instances need it at once, one creates it; the others wait and find it. */
export async function insertKeyOnce(db: Tx, { id, publicKey, sealedPrivateKey }: NewKey): Promise<boolean> {
  const row = await db
    .insertInto('signing_key')
    .values({ id, public_key: publicKey, sealed_private_key: sealedPrivateKey })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Retires the key at the current clock time instead of the start of the transaction: documents that others signed while
 * this one waited are earlier.
 */
export async function retireKeyInUse(db: Tx) {
  const row = await db
    .selectFrom('signing_key')
    .select(['id', 'sealed_private_key'])
    .where('retired_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return undefined
  await db
    .updateTable('signing_key')
    .set({ retired_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', row.id)
    .execute()
  return row
}

/** Lists keys: the current one first, then the last retired. */
export const listKeys = (db: Tx) =>
  db
    .selectFrom('signing_key')
    .select(['id', 'public_key', 'created_at', 'retired_at'])
    .orderBy('retired_at', (order) => order.desc().nullsFirst())
    .orderBy('created_at', 'desc')
    .execute()
