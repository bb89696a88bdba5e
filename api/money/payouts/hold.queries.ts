import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { nameOfOfficerIn } from '../orders/order-officer.queries.ts'

const now = sql<Date>`now()`

export const findOpenHold = (db: Tx) =>
  db.selectFrom('payout_hold').select('id').where('released_at', 'is', null).executeTakeFirst()

export const findShownHold = (db: Tx) =>
  db
    .selectFrom('payout_hold')
    .selectAll()
    .select([
      nameOfOfficerIn('payout_hold.opened_by').as('opened_name'),
      nameOfOfficerIn('payout_hold.first_released_by').as('released_name'),
    ])
    .where('released_at', 'is', null)
    .executeTakeFirst()

export const lockOpenHold = (db: Tx) =>
  db.selectFrom('payout_hold').selectAll().where('released_at', 'is', null).forUpdate().executeTakeFirst()

type Opening = { since: string; note: string; by: string }

/** Opens a hold. One that is open takes the earlier time, and loses a first release. */
export async function openHold(db: Tx, { since, note, by }: Opening): Promise<void> {
  await db
    .insertInto('payout_hold')
    .values({ cause: 'staff', since, note, opened_by: by })
    .onConflict((conflict) =>
      conflict
        .expression(sql`(true)`)
        .where('released_at', 'is', null)
        .doUpdateSet({
          since: sql<Date>`least(payout_hold.since, excluded.since)`,
          note: sql<string>`case when payout_hold.note = '' then excluded.note else payout_hold.note end`,
          first_released_by: null,
          first_released_at: null,
        }),
    )
    .execute()
}

export const proposeRelease = (db: Tx, id: string, by: string, note: string) =>
  db
    .updateTable('payout_hold')
    .set({ first_released_by: by, first_released_at: now, release_note: note })
    .where('id', '=', id)
    .execute()

export const releaseHold = (db: Tx, id: string, by: string, note: string) =>
  db
    .updateTable('payout_hold')
    .set({ released_by: by, released_at: now, second_release_note: note })
    .where('id', '=', id)
    .execute()
