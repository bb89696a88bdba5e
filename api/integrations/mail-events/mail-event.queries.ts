import { sql } from 'kysely'
import { MINUTE } from '#contract/platform/durations.ts'
import type { MailProvider } from '../../platform/config/read-mail-events.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'

/** Written once a minute at most, because thousands of events may arrive at once. */
export async function recordSource(db: Tx, provider: MailProvider): Promise<void> {
  await db
    .insertInto('mail_event_source')
    .values({ provider })
    .onConflict((conflict) =>
      conflict
        .column('provider')
        .doUpdateSet({ received_at: sql<Date>`now()` })
        .where('mail_event_source.received_at', '<', ago(MINUTE)),
    )
    .execute()
}

/** When each provider last sent an event. */
export const listSources = (db: Tx) => db.selectFrom('mail_event_source').selectAll().execute()
