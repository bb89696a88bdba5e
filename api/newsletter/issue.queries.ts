import { sql } from 'kysely'
import { DAY, MINUTE } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import { ago, fromNow } from '../db/time.ts'
import { issuesTakenBack } from './taken-back.queries.ts'

/** In days: a post stands in no digest that is later. */
export const digestReach = 35

/** A post that was published here, and not on an earlier site. */
export const isOurs = sql`(a.posted_at > (select since from newsletter_pace) and not a.is_taken_over)`

/**
 * One issue for each post that has become public and has none: the index lets no second one be, whoever finds it first, and the date of
 * a post is that of its first publication, so an edited or republished one is found no more.
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
 * One instance feeds at a time. `ready`: how many mails the pace allows by now; `waiting`: those that can be sent now; `postponed`: those
 * whose servers said "later", for which nobody else is kept waiting.
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

/** What was not used is not saved up beyond a burst. */
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

/** Of a post, only while it is public: unpublished it waits, and goes on where it stopped. Also what is to be written anew. */
const openIssues = (db: Tx) =>
  db
    .selectFrom('newsletter_issue as issue')
    .leftJoin('announcement as post', 'post.id', 'issue.announcement_id')
    .where(sql<boolean>`(issue.fed_at is null or issue.id in ${issuesTakenBack})`)
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
    ])
    .select(sql<boolean>`a.content <> a.content_summary`.as('is_cut'))

export type MailedPost = Awaited<ReturnType<ReturnType<typeof posts>['executeTakeFirstOrThrow']>>

export const findPostToMail = (db: Tx, id: string) =>
  posts(db).where('a.id', '=', id).where('a.state', '!=', 'deleted').executeTakeFirst()

/** Held: whoever takes it back meanwhile waits until its mails can be dropped. */
export const holdPublishedPost = (db: Tx, id: string) =>
  posts(db).where('a.id', '=', id).where('a.state', '=', 'published').forShare('a').executeTakeFirst()

/**
 * The next who get it, in the order of their ids; of a digest also who left it for single posts since the one before. Held, so that whoever leaves meanwhile waits until the mail can be stopped. Who
 * confirmed after it was made gets the next one.
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

export async function noteFed(
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

/** A post is gone, or was taken back days ago. */
const isStale = sql`(i.rhythm = 'each' and not exists (
  select from announcement a where a.id = i.announcement_id and (a.state = 'published' or a.changed_at > ${ago(3 * DAY)})))`

/** A post is public, and nobody gets it: a transaction for each of them cost more than the post. */
const isForNobody = sql`(i.rhythm = 'each'
  and exists (select from announcement a where a.id = i.announcement_id and a.state = 'published')
  and not exists (
    select from subscriber s where s.state = 'active' and s.rhythm = 'each' and s.language = i.language))`

/** Those whom a stale post did not reach are not mailed when it is old, and may find it in a digest. */
export async function endVainIssues(db: Tx): Promise<void> {
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

/** In days, after the last of an issue was written: longer than digests reach back, and than mails may be sent again. */
const mailedDays = 2 * digestReach

export async function deletePastMailed(db: Tx): Promise<void> {
  await sql`
    delete from newsletter_mail n using newsletter_issue i
    where i.id = n.issue_id and i.fed_at < ${ago(mailedDays * DAY)}`.execute(db)
}

/** Whatever has not left, also what has failed or was stopped, and could be sent again. */
export const listUnsentMailsOf = (db: Tx, subscriberId: string) =>
  db
    .selectFrom('newsletter_mail')
    .select('mail_id')
    .where('subscriber_id', '=', subscriberId)
    .where(({ or, eb }) => or([eb('outcome', 'is', null), eb('outcome', '!=', 'sent')]))
    .execute()
