import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** Fails where the database does not answer. */
export const pingDatabase = (db: Tx) => sql`select 1`.execute(db)
