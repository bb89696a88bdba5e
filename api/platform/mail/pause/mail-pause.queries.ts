import { sql, type SqlBool } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** For the claims of emails. An email that is being sent already is finished. */
export const isDeliveryOn = sql<SqlBool>`not exists (select from mail_pause)`

/** Since when the delivery of emails is paused; undefined if it isn't. */
export async function findMailPause(db: Tx): Promise<Date | undefined> {
  const row = await db.selectFrom('mail_pause').select('paused_at').executeTakeFirst()
  return row?.paused_at
}

/** Returns whether anything changed. */
export async function insertMailPause(db: Tx): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('mail_pause')
    .defaultValues()
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Returns whether anything changed. */
export async function deleteMailPause(db: Tx): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('mail_pause').executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}
