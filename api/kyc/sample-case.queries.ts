import type { Insertable } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { DB } from '../db/rows.ts'

export type SampleCaseRow = Insertable<DB['kyc_application']> & { id: string }
export type SampleCasePhoto = Insertable<DB['kyc_photo']>
export type SampleCaseStep = Insertable<DB['kyc_step']> & { at: Date }

/** Steps are listed in the order of their insertion. */
export async function insertSampleCaseRows(
  db: Tx,
  cases: {
    rows: readonly SampleCaseRow[]
    photos: readonly SampleCasePhoto[]
    steps: readonly SampleCaseStep[]
  },
): Promise<void> {
  await db
    .insertInto('kyc_application')
    .values([...cases.rows])
    .execute()
  await db
    .insertInto('kyc_photo')
    .values([...cases.photos])
    .execute()
  await db
    .insertInto('kyc_step')
    .values(cases.steps.toSorted((a, b) => a.at.getTime() - b.at.getTime()))
    .execute()
}

export const listSampleCases = (db: Tx, ids: readonly string[]) =>
  db.selectFrom('kyc_application').selectAll().where('id', 'in', ids).execute()
