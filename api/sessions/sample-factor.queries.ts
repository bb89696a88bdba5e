import type { Insertable } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { DB } from '../db/rows.ts'

export async function insertSampleTotps(
  db: Tx,
  factors: readonly { memberId: string; sealedSecret: Buffer; at: Date }[],
): Promise<void> {
  await db
    .insertInto('totp')
    .values(
      factors.map(({ memberId, sealedSecret, at }) => ({
        member_id: memberId,
        sealed_secret: sealedSecret,
        created_at: at,
        confirmed_at: at,
      })),
    )
    .execute()
}

export type SampleLostFactorRow = Insertable<DB['lost_factor']>

export async function insertSampleLostFactorRows(
  db: Tx,
  rows: readonly SampleLostFactorRow[],
): Promise<void> {
  await db
    .insertInto('lost_factor')
    .values([...rows])
    .execute()
}
