import { sql } from 'kysely'
import { DAY } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import { ago, fromNow } from '../db/time.ts'
import type { MailKind } from './render-mail.ts'

export async function insertMail(
  db: Tx,
  mail: { id: string; toAddress: string; kind: string; sealedMessage: Buffer },
): Promise<void> {
  await db
    .insertInto('mail')
    .values({ id: mail.id, to_address: mail.toAddress, kind: mail.kind, sealed_message: mail.sealedMessage })
    .execute()
}

/** Claims one due mail for `lease` milliseconds: other workers skip it, and after a crash it becomes due again. */
export const claimDueMail = (db: Tx, lease: number) =>
  db
    .updateTable('mail')
    .set({
      attempts: sql`attempts + 1`,
      next_try_at: fromNow(lease),
    })
    .where('id', '=', (query) =>
      query
        .selectFrom('mail')
        .select('id')
        .where('state', '=', 'waiting')
        .where('next_try_at', '<=', sql<Date>`now()`)
        .orderBy('next_try_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()

/** The message contains codes and names, so it is deleted once delivered. */
export async function markMailSent(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('mail')
    .set({ state: 'sent', sent_at: sql<Date>`now()`, sealed_message: null, last_error: null })
    .where('id', '=', id)
    .execute()
}

export async function postponeMail(db: Tx, id: string, wait: number, error: string): Promise<void> {
  await db
    .updateTable('mail')
    .set({ next_try_at: fromNow(wait), last_error: error })
    .where('id', '=', id)
    .execute()
}

export async function markMailFailed(db: Tx, id: string, error: string): Promise<void> {
  await db
    .updateTable('mail')
    .set({ state: 'failed', sealed_message: null, last_error: error })
    .where('id', '=', id)
    .execute()
}

export const listLatestMails = (db: Tx, limit: number) =>
  db
    .selectFrom('mail')
    .selectAll()
    .where('sealed_message', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()

/** The mails to an address, without their messages: those are deleted once sent. */
export const listMailsTo = (db: Tx, address: string) =>
  db
    .selectFrom('mail')
    .select(['kind', 'state', 'created_at', 'sent_at'])
    .where('to_address', '=', address)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const deleteOldMails = (db: Tx) =>
  db
    .deleteFrom('mail')
    .where('created_at', '<', ago(30 * DAY))
    .execute()

/** Deletes the mails, sent and pending, to the address of an erased or forgotten member. */
export async function deleteMailsTo(db: Tx, address: string, exceptKind?: MailKind): Promise<void> {
  await db
    .deleteFrom('mail')
    .where('to_address', '=', address)
    .$if(exceptKind !== undefined, (query) => query.where('kind', '!=', exceptKind!))
    .execute()
}
