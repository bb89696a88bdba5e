import { sql } from 'kysely'
import { DAY } from '#contract/durations.ts'
import type { Tx } from '../../db/database.ts'
import { ago } from '../../db/time.ts'
import type { MailFailure } from '../mail-failure.ts'
import { endOfTry } from '../mail.queries.ts'

/** Mail servers try for five days; whoever sees an old mail with its headers cannot say any more that it came back. */
const reportsFor = 7 * DAY

export const lockReturnedMail = (db: Tx, id: string) =>
  db
    .selectFrom('mail')
    .select(['to_address', 'state'])
    .where('id', '=', id)
    .where('created_at', '>', ago(reportsFor))
    .where('attempts', '>', 0)
    .forUpdate()
    .executeTakeFirst()

/** It was handed over, and did not arrive. */
export async function markMailReturned(db: Tx, id: string, failure: MailFailure): Promise<void> {
  await db
    .updateTable('mail')
    .set({
      state: 'failed',
      last_error: failure.error,
      changed_at: sql<Date>`now()`,
      tries: endOfTry(failure),
    })
    .where('id', '=', id)
    .execute()
}
