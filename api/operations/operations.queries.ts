import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** Fails if the database does not respond. */
export const pingDatabase = (db: Tx) => sql`select 1`.execute(db)
