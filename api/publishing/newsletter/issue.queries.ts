import { sql } from 'kysely'
import { DAY, MINUTE } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago, fromNow } from '../../platform/db/expressions.ts'
import { issuesWithRetractedEmails } from './retracted-email.queries.ts'

/** In days: later digests do not include a post. */
export const digestReach = 35

/** A post that was first published here, not imported from an earlier site. */
export const isOurs = sql`(a.posted_at > (select since from newsletter_pace) and not a.is_taken_over)`

/**
 * Creates one issue per public post without one: the unique index prevents a second, and a post keeps the date
 * of its first publication, so an edited or republished one is not found again.
 */
export async function insertIssuesOfPosts(db: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into newsletter_issue (rhythm, announcement_id, language)
    select 'each', a.id, a.language from announcement a
    where a.state = 'published' and a.posted_at > ${ago(3 * DAY)} and ${isOurs}
      and not exists (select from newsletter_issue i where i.announcement_id = a.id)
    order by a.posted_at
    on conflict (announcement_id) do nothing`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

const isDue = sql`(mail.attempts = 0 or mail.next_try_at <= ${fromNow(MINUTE)})`

/**
 * One instance writes at a time. `ready`: how many emails the rate allows now; `waiting`: those that can be
 * sent now; `postponed`: those deferred by their servers, which must not delay others.
 */
export async function lockPace(
  db: Tx,
  { perMinute, burst }: { perMinute: number; burst: number },
): Promise<{ ready: number; waiting: number; postponed: number } | undefined> {
  const { rows } = await sql<{ ready: number; waiting: number; postponed: number }>`
    select least(floor(extract(epoch from clock_timestamp() - fed_at) * ${perMinute}::float8 / 60), ${burst})::int as ready,
      outbox.waiting, outbox.postponed
    from newsletter_pace
    cross join (
      select count(*) filter (where ${isDue})::int as waiting, count(*) filter (where not ${isDue})::int as postponed
      from newsletter_mail n join mail on mail.id = n.mail_id where n.outcome is null and mail.state = 'waiting') outbox
    for update of newsletter_pace skip locked`.execute(db)
  return rows[0]
}

/** Unused capacity is not saved beyond a burst. */
export async function movePace(
  db: Tx,
  { perMinute, burst, fed }: { perMinute: number; burst: number; fed: number },
): Promise<void> {
  const seconds = (mails: number) => sql`${(mails * 60) / perMinute}::float8 * interval '1 second'`
  await sql`
    update newsletter_pace set fed_at = greatest(fed_at, clock_timestamp() - ${seconds(burst)}) + ${seconds(fed)}`.execute(
    db,
  )
}

/**
 * For a post only while it is public: once unpublished it pauses, and resumes where it stopped. Includes emails
 * that must be rewritten.
 */
const openIssues = (db: Tx) =>
  db
    .selectFrom('newsletter_issue as issue')
    .leftJoin('announcement as post', 'post.id', 'issue.announcement_id')
    .where(sql<boolean>`(issue.fed_at is null or issue.id in ${issuesWithRetractedEmails})`)
    .where(sql<boolean>`(issue.rhythm = 'weekly' or post.state = 'published')`)

export async function lockNextIssue(db: Tx) {
  return openIssues(db)
    .selectAll('issue')
    .orderBy('issue.created_at')
    .orderBy('issue.id')
    .limit(1)
    .forUpdate('issue')
    .executeTakeFirst()
}

export type IssueRow = NonNullable<Awaited<ReturnType<typeof lockNextIssue>>>

export const posts = (db: Tx) =>
  db
    .selectFrom('announcement as a')
    .leftJoin('announcement_version as v', (join) =>
      join.onRef('v.announcement_id', '=', 'a.id').onRef('v.n', '=', 'a.version'),
    )
    .leftJoin('announcement_picture as card', 'card.name', 'a.card_picture')
    .select([
      'a.id',
      'a.slug',
      'a.title',
      'a.category',
      'a.language',
      'a.content_summary',
      'a.posted_at',
      'a.state',
      'v.signing_key_id as key_id',
      'a.card_picture',
      'a.card_alt',
      'card.widths as card_widths',
    ])
    .select(sql<boolean>`a.content <> a.content_summary`.as('is_cut'))

export type MailedPost = Awaited<ReturnType<ReturnType<typeof posts>['executeTakeFirstOrThrow']>>

export const findPostToMail = (db: Tx, id: string) =>
  posts(db).where('a.id', '=', id).where('a.state', '!=', 'deleted').executeTakeFirst()

/** Locked, so that a withdrawal waits until its emails can be dropped. */
export const holdPublishedPost = (db: Tx, id: string) =>
  posts(db).where('a.id', '=', id).where('a.state', '=', 'published').forShare('a').executeTakeFirst()

/**
 * The next recipients in order of their IDs; for a digest also readers who switched to single posts since the
 * last one. Locked, so that unsubscribing waits until the email can be stopped. Later subscribers get the next
 * issue.
 */
export const holdNextReaders = (
  db: Tx,
  { rhythm, language, fed_through, created_at, from_at }: IssueRow,
  category: string | undefined,
  limit: number,
) =>
  db
    .selectFrom('subscriber')
    .select(['id', 'email', 'language', 'categories', 'link_secret', 'left_weekly_at'])
    .where('state', '=', 'active')
    .where('language', '=', language)
    .where(({ or, eb }) =>
      or([eb('rhythm', '=', rhythm), ...(rhythm === 'weekly' ? [eb('left_weekly_at', '>', from_at!)] : [])]),
    )
    .where('id', '>', fed_through)
    .where('consented_at', '<=', created_at)
    .$if(category !== undefined, (query) => query.where(sql<boolean>`${category} = any (categories)`))
    .orderBy('id')
    .limit(limit)
    .forShare()
    .execute()

export type Reader = Awaited<ReturnType<typeof holdNextReaders>>[number]

export async function recordFed(
  db: Tx,
  issueId: string,
  mails: readonly { id: string; readerId: string }[],
  { through, isLast }: { through: string; isLast: boolean },
): Promise<void> {
  if (mails.length > 0)
    await db
      .insertInto('newsletter_mail')
      .values(mails.map(({ id, readerId }) => ({ mail_id: id, issue_id: issueId, subscriber_id: readerId })))
      .execute()
  await db
    .updateTable('newsletter_issue')
    .set({
      fed_through: through,
      queued: sql`queued + ${mails.length}`,
      ...(isLast && { fed_at: sql<Date>`now()` }),
    })
    .where('id', '=', issueId)
    .execute()
}

export const isAnyOpen = async (db: Tx): Promise<boolean> =>
  (await openIssues(db).select('issue.id').limit(1).executeTakeFirst()) !== undefined

/** The post was deleted, or withdrawn days ago. */
const isStale = sql`(i.rhythm = 'each' and not exists (
  select from announcement a where a.id = i.announcement_id and (a.state = 'published' or a.changed_at > ${ago(3 * DAY)})))`

/** The post is public but has no recipients: a transaction for each would cost more than the post. */
const isForNobody = sql`(i.rhythm = 'each'
  and exists (select from announcement a where a.id = i.announcement_id and a.state = 'published')
  and not exists (
    select from subscriber s where s.state = 'active' and s.rhythm = 'each' and s.language = i.language))`

/** Readers whom a stale post did not reach are not emailed late, but may find it in a digest. */
export async function endUndeliverableIssues(db: Tx): Promise<void> {
  await sql`
    update newsletter_issue i set fed_at = now()
    where i.fed_at is null and (${isStale} or ${isForNobody})`.execute(db)
  await sql`
    delete from newsletter_mail n using newsletter_issue i, mail
    where n.is_taken_back and n.outcome = 'stopped' and mail.id = n.mail_id and mail.state = 'stopped'
      and i.id = n.issue_id and ${isStale}`.execute(db)
}

export const findProgress = (db: Tx, announcementId: string) =>
  db
    .selectFrom('newsletter_issue')
    .select(['created_at', 'fed_at', 'queued', 'sent', 'failed', 'stopped'])
    .where('announcement_id', '=', announcementId)
    .executeTakeFirst()

export const deleteOldIssues = (db: Tx) =>
  db
    .deleteFrom('newsletter_issue')
    .where('fed_at', '<', ago(400 * DAY))
    .execute()

/** In days after the last email of an issue: longer than digests reach back, and than emails can be resent. */
const mailedDays = 2 * digestReach

export async function deletePastMailed(db: Tx): Promise<void> {
  await sql`
    delete from newsletter_mail n using newsletter_issue i
    where i.id = n.issue_id and i.fed_at < ${ago(mailedDays * DAY)}`.execute(db)
}

/** Everything not sent, including failed and stopped emails that could be resent. */
export const listUnsentMailsOf = (db: Tx, subscriberId: string) =>
  db
    .selectFrom('newsletter_mail')
    .select('mail_id')
    .where('subscriber_id', '=', subscriberId)
    .where(({ or, eb }) => or([eb('outcome', 'is', null), eb('outcome', '!=', 'sent')]))
    .execute()
