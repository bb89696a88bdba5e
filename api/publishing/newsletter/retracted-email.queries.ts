import { sql, type SqlBool } from 'kysely'
import { discardEmails } from '../../platform/mail/mail.queries.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { IssueRow } from './issue.queries.ts'

/** Unsent emails of a post, and of digests with it. */
async function listUnsentMailsOfPost(
  db: Tx,
  announcementId: string,
): Promise<{ mail_id: string; is_waiting: boolean }[]> {
  const { rows } = await sql<{ mail_id: string; is_waiting: boolean }>`
    select n.mail_id, mail.state = 'waiting' as is_waiting
    from newsletter_issue i join newsletter_mail n on n.issue_id = i.id join mail on mail.id = n.mail_id
    where mail.state <> 'sent' and (i.announcement_id = ${announcementId} or i.id = (
      select p.issue_id from newsletter_digest_post p where p.announcement_id = ${announcementId}))
    order by n.mail_id`.execute(db)
  return rows
}

export async function setRetracted(db: Tx, mailIds: readonly string[], isTakenBack: boolean): Promise<void> {
  await db
    .updateTable('newsletter_mail')
    .set({ is_taken_back: isTakenBack })
    .where(sql<SqlBool>`mail_id = any (${mailIds}::text[])`)
    .execute()
}

/** An email that a server may be receiving is left until the result is known. */
const isPaymentDropped = sql<SqlBool>`(mail.state = 'stopped' and (mail.claimed_until is null or mail.claimed_until < now()))`

export const issuesWithRetractedEmails = sql`(
  select n.issue_id from newsletter_mail n join mail on mail.id = n.mail_id where n.is_taken_back and ${isPaymentDropped})`

/** Readers whose emails of the issue were dropped, locked. `is_theirs`: they still get the issue. */
export const lockRetracted = (db: Tx, { id, language, created_at }: IssueRow, limit: number) =>
  db
    .selectFrom('newsletter_mail as n')
    .innerJoin('mail', 'mail.id', 'n.mail_id')
    .innerJoin('subscriber as s', 's.id', 'n.subscriber_id')
    .select([
      'n.mail_id',
      's.id',
      's.email',
      's.language',
      's.categories',
      's.link_secret',
      's.left_weekly_at',
    ])
    .select(
      sql<boolean>`(s.state = 'active' and s.language = ${language} and s.consented_at <= ${created_at})`.as(
        'is_theirs',
      ),
    )
    .where('n.issue_id', '=', id)
    .where('n.is_taken_back', '=', true)
    .where(isPaymentDropped)
    .orderBy('s.id')
    .limit(limit)
    .forShare('s')
    .execute()

/**
 * In the transaction that unpublishes a post: emails waiting in the outbox are not sent, and failed ones not
 * resent by staff. Remaining recipients get the post in its then current form once it is public again; a digest
 * is rewritten without it.
 */
export async function retractEmails(db: Tx, announcementId: string): Promise<void> {
  const unsent = await listUnsentMailsOfPost(db, announcementId)
  const idsOf = (mails: typeof unsent) => mails.map(({ mail_id }) => mail_id)
  await setRetracted(db, idsOf(unsent.filter(({ is_waiting }) => is_waiting)), true)
  await discardEmails(db, idsOf(unsent))
}
