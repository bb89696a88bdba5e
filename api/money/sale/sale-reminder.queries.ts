import { sql, type SqlBool } from 'kysely'
import { pendingReminderDays, reminderDays } from '#contract/money/public-sale.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { Language } from '#contract/platform/languages.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'

type NewReminder = { email: string; language: Language }

/**
 * Stores a reminder that awaits confirmation. Returns undefined if no email is needed: the address is already confirmed,
 * or an email was sent less than `wait` milliseconds ago and its link is still valid.
 */
export const askForReminder = (db: Tx, { email, language }: NewReminder, wait: number) =>
  db
    .insertInto('sale_reminder')
    .values({ email, language })
    .onConflict((conflict) =>
      conflict
        .column('email')
        .doUpdateSet({ language, asked_at: sql<Date>`now()` })
        .where('sale_reminder.confirmed_at', 'is', null)
        .where('sale_reminder.asked_at', '<=', ago(wait)),
    )
    .returning('id')
    .executeTakeFirst()

export const findReminder = (db: Tx, id: string) =>
  db
    .selectFrom('sale_reminder')
    .selectAll()
    .where('id', '=', id)
    .where(({ eb, or }) =>
      or([eb('confirmed_at', 'is not', null), eb('asked_at', '>', ago(pendingReminderDays * DAY))]),
    )
    .executeTakeFirst()

export type ReminderRow = NonNullable<Awaited<ReturnType<typeof findReminder>>>

/** Returns false if the reminder no longer exists. */
export async function confirmReminder(db: Tx, id: string): Promise<boolean> {
  const row = await db
    .updateTable('sale_reminder')
    .set({ confirmed_at: sql<Date>`coalesce(confirmed_at, now())` })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes a reminder. Returns the email that announces the sale, if it has been written. */
export async function deleteReminder(db: Tx, id: string): Promise<string | null> {
  const deleted = await db
    .deleteFrom('sale_reminder')
    .where('id', '=', id)
    .returning('mail_id')
    .executeTakeFirst()
  return deleted?.mail_id ?? null
}

/** Locks confirmed reminders whose email has not been written. Skips those that are being canceled. */
export const lockConfirmed = (db: Tx, limit: number) =>
  db
    .selectFrom('sale_reminder')
    .selectAll()
    .where('confirmed_at', 'is not', null)
    .where('mail_id', 'is', null)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

export async function setReminderMail(db: Tx, id: string, mailId: string): Promise<void> {
  await db.updateTable('sale_reminder').set({ mail_id: mailId }).where('id', '=', id).execute()
}

/** Lets only one instance at a time count and write reminders. Held until the end of the transaction. */
export const lockReminders = (db: Tx) =>
  sql`select pg_advisory_xact_lock(hashtextextended('sale reminders', 0))`.execute(db)

/** Counts the reminders in the outbox: those that no server has been offered yet, and those that are sent again later. */
export const countMailedReminders = (db: Tx): Promise<{ untried: number; postponed: number }> =>
  db
    .selectFrom('sale_reminder')
    .innerJoin('mail', 'mail.id', 'sale_reminder.mail_id')
    .select(sql<number>`(count(*) filter (where mail.attempts = 0))::int`.as('untried'))
    .select(sql<number>`(count(*) filter (where mail.attempts > 0))::int`.as('postponed'))
    .where('mail.state', '=', 'waiting')
    .executeTakeFirstOrThrow()

/** Deletes reminders whose email has been sent or has failed. */
export async function deleteMailedReminders(db: Tx): Promise<void> {
  await db
    .deleteFrom('sale_reminder')
    .where('mail_id', 'is not', null)
    .where(
      sql<SqlBool>`not exists (select from mail where mail.id = sale_reminder.mail_id and mail.state = 'waiting')`,
    )
    .execute()
}

/** Deletes unconfirmed reminders, and confirmed ones if no sale has begun for a long time. */
export async function deleteOldReminders(db: Tx): Promise<void> {
  await db
    .deleteFrom('sale_reminder')
    .where(({ and, eb, or }) =>
      or([
        and([eb('confirmed_at', 'is', null), eb('asked_at', '<=', ago(pendingReminderDays * DAY))]),
        eb('confirmed_at', '<=', ago(reminderDays * DAY)),
      ]),
    )
    .execute()
}

type Owner = { email: string; address_proved_at: Date | null }

/** A reminder belongs to a member only if the address is verified, because anyone can enter any address. */
export const listRemindersOf = (db: Tx, { email, address_proved_at }: Owner): Promise<ReminderRow[]> =>
  db
    .selectFrom('sale_reminder')
    .selectAll()
    .where(({ eb, or }) => or(address_proved_at ? [eb('email', '=', email)] : []))
    .execute()
