import type { Insertable } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { DB } from '../db/rows.ts'

export type SampleSubscriber = Insertable<DB['subscriber']>

export async function insertSampleSubscriberRows(db: Tx, rows: readonly SampleSubscriber[]): Promise<void> {
  await db
    .insertInto('subscriber')
    .values([...rows])
    .execute()
}
