import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** The member of the case, and the time of the deciding transaction. */
export const findDecided = (db: Tx, id: string) =>
  db
    .selectFrom('kyc_application')
    .select(['member_id', sql<Date>`now()`.as('at')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
