import { transaction, type Database, type Tx } from '../db/database.ts'
import type { Keys, Purpose } from '../keys.ts'
import { StartRefused } from '../start-refused.ts'
import { commandLine } from '../command-line.ts'
import {
  countOtherConnections,
  listSealedValues,
  lockSealedValues,
  updateSealedValue,
  type SealedColumn,
} from './sealed-column.queries.ts'

type PurposedColumn = SealedColumn & { purpose: Purpose }

/** All columns sealed with the master key. */
export const sealedColumns: readonly PurposedColumn[] = [
  { table: 'kyc_application', column: 'sealed_data_key', context: 'id', purpose: 'documents' },
  { table: 'kyc_staged_photo', column: 'sealed_data_key', context: 'id', purpose: 'documents' },
  { table: 'conversation_attachment', column: 'sealed_data_key', context: 'id', purpose: 'documents' },
  { table: 'totp', column: 'sealed_secret', context: 'member_id', purpose: 'second factor' },
  { table: 'member_phrase', column: 'sealed_phrase', context: 'member_id', purpose: 'phrase' },
  { table: 'signing_key', column: 'sealed_private_key', context: 'id', purpose: 'signing' },
  { table: 'fingerprint_key', column: 'sealed_key', context: 'id', purpose: 'fingerprint key' },
  { table: 'built_file', column: 'sealed_hash', context: 'name', purpose: 'built file' },
  { table: 'webhook_endpoint', column: 'sealed_secret', context: 'id', purpose: 'webhook' },
  { table: 'webhook_endpoint', column: 'sealed_former_secret', context: 'id', purpose: 'webhook' },
  { table: 'mail', column: 'sealed_message', context: 'id', purpose: 'mail' },
]

/**
 * Re-encrypts everything with the other key, or nothing. Documents stay unchanged; only their keys are wrapped
 * again. Refused while another program is connected, because it would still use the old key. Returns the number
 * of values.
 */
export const reEncrypt = (db: Database, from: Keys, to: Keys): Promise<number> =>
  transaction(db, async (db) => {
    await requireAlone(db)
    let count = 0
    for (const column of sealedColumns) count += await reEncryptColumn(db, column, from, to)
    return count
  })

async function reEncryptColumn(db: Tx, place: PurposedColumn, from: Keys, to: Keys): Promise<number> {
  const values = await lockSealedValues(db, place)
  for (const { context, sealed } of values)
    await updateSealedValue(db, place, {
      context,
      sealed: to.seal(place.purpose, context, from.open(place.purpose, context, sealed)),
    })
  return values.length
}

/**
 * Whether these keys decrypt the stored values; one value of each column is tried. With nothing stored, any key
 * fits.
 */
export async function canOpen(db: Database, keys: Keys): Promise<boolean> {
  for (const place of sealedColumns) {
    const values = await listSealedValues(db, place, 1)
    try {
      for (const { context, sealed } of values) keys.open(place.purpose, context, sealed)
    } catch {
      return false
    }
  }
  return true
}

/** With a wrong key the existing documents would be unreadable, and new ones would be sealed with a different key. */
export async function requireFittingKey(db: Database, keys: Keys): Promise<void> {
  if (await canOpen(db, keys)) return
  throw new StartRefused(
    `The master key (ENCRYPTION_KEY, or the file in keys/ of DATA_DIR) doesn’t match this database. Restore the correct key. If a key rotation was interrupted, run ${commandLine('keys:rotate')} again.`,
  )
}

async function requireAlone(db: Tx): Promise<void> {
  if ((await countOtherConnections(db)) > 0)
    throw new StartRefused('Another process is connected to the database. Stop all instances and try again.')
}
