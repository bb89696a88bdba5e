import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { bareRefusals } from '../../platform/mail/mail-failure.ts'
import { newsKinds } from '../../platform/mail/mail-kinds.ts'

/**
 * Counts the outcomes of an issue's emails since the last run, each once, even with two instances. A stopped
 * email may still be sent if a server was receiving it.
 */
export async function countOutcomes(db: Tx): Promise<void> {
  await sql`
    with ended as (
      update newsletter_mail n set outcome = mail.state from mail
      where n.outcome is null and mail.id = n.mail_id and mail.state <> 'waiting'
        and (mail.claimed_until is null or mail.claimed_until < now())
      returning n.issue_id, n.outcome),
    counted as (
      select issue_id, count(*) filter (where outcome = 'sent') as sent, count(*) filter (where outcome = 'failed') as failed,
        count(*) filter (where outcome = 'stopped') as stopped
      from ended group by issue_id order by issue_id)
    update newsletter_issue i set sent = i.sent + c.sent, failed = i.failed + c.failed, stopped = i.stopped + c.stopped
    from counted c where c.issue_id = i.id`.execute(db)
}

/** Marks emails for recounting whose outcome changed: returned or resent ones. */
export async function uncountChanged(db: Tx): Promise<void> {
  await sql`
    with changed as (
      select n.mail_id, n.outcome from newsletter_mail n join mail on mail.id = n.mail_id
      where n.outcome in ('failed', 'stopped') and mail.state <> n.outcome
      union all
      select n.mail_id, n.outcome from mail join newsletter_mail n on n.mail_id = mail.id
      where mail.state = 'failed' and mail.kind = any (${newsKinds}::text[]) and n.outcome = 'sent'),
    opened as (
      update newsletter_mail n set outcome = null from changed c
      where n.mail_id = c.mail_id and n.outcome = c.outcome
      returning n.issue_id, c.outcome),
    counted as (
      select issue_id, count(*) filter (where outcome = 'sent') as sent, count(*) filter (where outcome = 'failed') as failed,
        count(*) filter (where outcome = 'stopped') as stopped
      from opened group by issue_id order by issue_id)
    update newsletter_issue i set sent = i.sent - c.sent, failed = i.failed - c.failed, stopped = i.stopped - c.stopped
    from counted c where c.issue_id = i.id`.execute(db)
}

/** Before their emails are deleted. */
export async function countAsStopped(db: Tx, subscriberId: string): Promise<void> {
  await sql`
    with gone as (
      update newsletter_mail set outcome = 'stopped'
      where outcome is null and subscriber_id = ${subscriberId}
      returning issue_id),
    counted as (select issue_id, count(*) as count from gone group by issue_id)
    update newsletter_issue i set stopped = i.stopped + c.count from counted c where c.issue_id = i.id`.execute(
    db,
  )
}

/** The mailbox explicitly does not exist (RFC 3463), as in `mail-failure.ts`. */
const saysGone = sql`mail.tries -> -1 ->> 'enhanced' ~ '^5\\.(1\\.(1|3|6|10)|2\\.1)$'`
/** The recipient was refused without a reason; blocks and full mailboxes give one. As in `isBareRefusal`. */
const saysNo = (
  mail: 'mail' | 'before',
) => sql`(${sql.ref(`${mail}.last_error`)} = any (${bareRefusals}::text[])
  and ${sql.ref(`${mail}.tries`)} -> -1 ->> 'step' = 'RCPT TO'
  and coalesce(${sql.ref(`${mail}.tries`)} -> -1 ->> 'enhanced', '5.0.0') = '5.0.0')`

/**
 * Subscribers whose mailbox permanently refuses emails: explicitly, twice without a reason at least a day apart
 * with no success in between, or as marked for a member's mailbox.
 */
export async function listRefusing(db: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from mailbox_refusal r join subscriber s on s.email = r.address
    where s.state = 'active' and r.accepted_at is null and r.refused_at > s.consented_at
    union
    select s.id from mail
    join newsletter_mail n on n.mail_id = mail.id join subscriber s on s.id = n.subscriber_id and s.email = mail.to_address
    where mail.state <> 'sent' and mail.state = 'failed' and mail.kind = any (${newsKinds}::text[])
      and s.state = 'active' and mail.created_at > s.consented_at
      and (${saysGone} or (${saysNo('mail')} and exists (
        select from mail before
        where before.to_address = mail.to_address and before.state = 'failed' and before.kind = any (${newsKinds}::text[])
          and ${saysNo('before')} and before.changed_at < mail.changed_at - interval '1 day'
          and not exists (select from mail taken where taken.to_address = mail.to_address and taken.sent_at > before.changed_at))))
    limit 1000`.execute(db)
  return rows.map(({ id }) => id)
}
