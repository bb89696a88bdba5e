import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** Whose case it is, and the time of the transaction that decides it. */
export const findDecided = (db: Tx, id: string) =>
  db
    .selectFrom('kyc_application')
    .select(['member_id', sql<Date>`now()`.as('at')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
