import type { Insertable } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { DB } from '../db/rows.ts'

export type SampleMailRow = Insertable<DB['mail']>

export async function insertSampleMailRows(db: Tx, rows: readonly SampleMailRow[]): Promise<void> {
  await db
    .insertInto('mail')
    .values([...rows])
    .execute()
}
