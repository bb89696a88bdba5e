import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../../db/database.ts'
import type { MailState } from '../../db/rows.ts'
import { ago } from '../../db/expressions.ts'
import { complaint, type MailFailure } from '../mail-failure.ts'
import { endOfTry } from '../../outbox/outbox.queries.ts'
import { hasComeBack } from '../mail.queries.ts'

/** Handed over, or about to be: a report may arrive before the answer of the sending server. */
const mayReturn = sql<boolean>`state = 'sent' or (state = 'waiting' and claimed_until > now() and ${hasComeBack} is not true)`

const wasReachedSince = sql<boolean>`exists (
  select from mailbox_reached join member on member.id = mailbox_reached.member_id
  where member.email = mail.to_address and reached_at >= coalesce(mail.sent_at, now()))`

/** Mail servers retry for up to five days. After that, old headers can't be used to forge a report. */
const reportsFor = 7 * DAY

export const lockReturnedMail = (db: Tx, id: string) =>
  db
    .selectFrom('mail')
    .select(['to_address', mayReturn.as('may_return'), wasReachedSince.as('was_reached_since')])
    .where('id', '=', id)
    .where('created_at', '>', ago(reportsFor))
    .where('attempts', '>', 0)
    .forUpdate()
    .executeTakeFirst()

/** It did not arrive. If it is being sent, it fails once its server has answered. */
export async function markMailReturned(db: Tx, id: string, failure: MailFailure): Promise<void> {
  await db
    .updateTable('mail')
    .set({
      state: sql<MailState>`case when state = 'sent' then 'failed' else state end`,
      last_error: failure.error,
      changed_at: sql<Date>`now()`,
      tries: endOfTry(failure),
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Marks a delivered email as reported as spam, and returns its address. Each email counts once, for as long as it
 * is kept, because people report spam later than mail servers report failures.
 */
export async function markMailComplained(db: Tx, id: string): Promise<string | undefined> {
  const row = await db
    .updateTable('mail')
    .set({ last_error: complaint, changed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'sent')
    .where('last_error', 'is distinct from', complaint)
    .returning('to_address')
    .executeTakeFirst()
  return row?.to_address
}
