import { sql } from 'kysely'
import type { Database } from '#api/platform/db/database.ts'

/**
 * Emails that a killed program was sending are released after a lease of eleven minutes. This lets that time pass for
 * those started before the kill.
 */
export const passMailLeases = (db: Database, killedAt: Date) =>
  sql`
    update mail set next_try_at = now(), claimed_until = now()
    where state = 'waiting' and claimed_until > now() and changed_at < ${killedAt}`.execute(db)
