import { sql } from 'kysely'
import type { FourEyesArea } from '#contract/people/four-eyes.ts'
import type { Tx } from '../../platform/db/database.ts'

/** Lists the state that was recorded last. */
export const listKnownFourEyes = (db: Tx) => db.selectFrom('four_eyes').select(['area', 'is_on']).execute()

/** Stores the state. Returns the previous one; undefined if there was none. Concurrent callers wait. */
export async function setKnownFourEyes(
  db: Tx,
  area: FourEyesArea,
  isOn: boolean,
): Promise<boolean | undefined> {
  const known = await db
    .selectFrom('four_eyes')
    .select('is_on')
    .where('area', '=', area)
    .forUpdate()
    .executeTakeFirst()
  if (known?.is_on === isOn) return isOn
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('four_eyes')
    .values({ area, is_on: isOn })
    .onConflict((conflict) =>
      conflict
        .column('area')
        .doUpdateSet({ is_on: isOn, changed_at: sql<Date>`now()` })
        .where('four_eyes.is_on', '<>', isOn),
    )
    .executeTakeFirst()
  // Another instance recorded it first.
  return (numInsertedOrUpdatedRows ?? 0n) > 0n ? known?.is_on : isOn
}
