import type { Insertable } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { DB } from '../db/rows.ts'

export type SampleTokenRow = Insertable<DB['api_token']>

export async function insertSampleTokenRows(db: Tx, rows: readonly SampleTokenRow[]): Promise<void> {
  await db
    .insertInto('api_token')
    .values([...rows])
    .execute()
}
