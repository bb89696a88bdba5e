import { sql } from 'kysely'
import type { Database } from '#api/db/database.ts'

/**
 * What a killed program was handing over comes back after its lease of eleven minutes. That time passes here, for what was begun before
 * the kill.
 */
export const passMailLeases = (db: Database, killedAt: Date) =>
  sql`
    update mail set next_try_at = now(), claimed_until = now()
    where state = 'waiting' and claimed_until > now() and changed_at < ${killedAt}`.execute(db)
