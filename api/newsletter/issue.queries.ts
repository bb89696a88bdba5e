import { sql } from 'kysely'
import { DAY } from '#contract/durations.ts'
import type { DigestTime } from '#contract/newsletter.ts'
import type { Tx } from '../db/database.ts'
import { ago } from '../db/time.ts'

/** A post that was published here, and not taken over from an earlier site with the date that it had there. */
const isOurs = sql`a.posted_at > (select since from newsletter_pace) and not exists (
  select from announcement_version v where v.announcement_id = a.id and v.published_at < v.saved_at - interval '1 minute')`

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

/** When the digest was last due. */
const lastDigest = ({ day, hour, zone }: DigestTime) => {
  const ofWeek = (weeks: number) =>
    sql`(date_trunc('week', now() at time zone ${zone}::text) + make_interval(weeks => ${weeks}, days => ${day - 1}, hours => ${hour})) at time zone ${zone}::text`
  // A minute later, so that what was published just before is committed.
  return sql`(case when ${ofWeek(0)} <= ${ago(60_000)} then ${ofWeek(0)} else ${ofWeek(-1)} end)`
}

/** The posts since the last digest of a language, once its time has come. Without posts there is none. */
export async function insertDigests(db: Tx, time: DigestTime): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into newsletter_issue (rhythm, language, from_at, until_at)
    select 'weekly', l.language, w.from_at, w.until_at
    from unnest(enum_range(null::language)) as l (language)
    cross join lateral (select ${lastDigest(time)}::timestamptz(3) as until_at) due
    cross join lateral (select due.until_at, greatest(
      due.until_at - interval '35 days',
      coalesce((select max(i.until_at) from newsletter_issue i where i.rhythm = 'weekly' and i.language = l.language),
        due.until_at - interval '7 days')) as from_at) w
    where w.from_at < w.until_at and exists (select from announcement a
      where a.state = 'published' and a.language = l.language and a.posted_at > w.from_at and a.posted_at <= w.until_at and ${isOurs})
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** One instance feeds at a time. `ready`: how many mails the pace allows by now. */
export async function lockPace(
  db: Tx,
  { perMinute, burst }: { perMinute: number; burst: number },
): Promise<{ ready: number; waiting: number } | undefined> {
  const { rows } = await sql<{ ready: number; waiting: number }>`
    select least(floor(extract(epoch from clock_timestamp() - fed_at) * ${perMinute}::float8 / 60), ${burst})::int as ready,
      (select count(*) from newsletter_mail where outcome is null)::int as waiting
    from newsletter_pace for update skip locked`.execute(db)
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

/** Of a post, only while it is public: unpublished it waits, and goes on where it stopped. */
export async function lockNextIssue(db: Tx) {
  return db
    .selectFrom('newsletter_issue as issue')
    .leftJoin('announcement as post', 'post.id', 'issue.announcement_id')
    .selectAll('issue')
    .where('issue.fed_at', 'is', null)
    .where(sql<boolean>`(issue.rhythm = 'weekly' or post.state = 'published')`)
    .orderBy('issue.created_at')
    .orderBy('issue.id')
    .limit(1)
    .forUpdate('issue')
    .executeTakeFirst()
}

export type IssueRow = NonNullable<Awaited<ReturnType<typeof lockNextIssue>>>

const posts = (db: Tx) =>
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

export type MailedPost = Awaited<ReturnType<ReturnType<typeof posts>['executeTakeFirstOrThrow']>>

export const findPostToMail = (db: Tx, id: string) =>
  posts(db).where('a.id', '=', id).where('a.state', '!=', 'deleted').executeTakeFirst()

const digestMax = 50

export const listPostsOfDigest = (db: Tx, { language, from_at, until_at }: IssueRow) =>
  posts(db)
    .where('a.state', '=', 'published')
    .where('a.language', '=', language)
    .where('a.posted_at', '>', from_at!)
    .where('a.posted_at', '<=', until_at!)
    .where(sql<boolean>`${isOurs}`)
    .orderBy('a.posted_at')
    .limit(digestMax)
    .execute()

/**
 * The next who get it, in the order of their ids. Held, so that whoever leaves meanwhile waits until the mail can be stopped. Who
 * confirmed after it was made gets the next one.
 */
export const holdNextReaders = (
  db: Tx,
  { rhythm, language, fed_through, created_at }: IssueRow,
  category: string | undefined,
  limit: number,
) =>
  db
    .selectFrom('subscriber')
    .select(['id', 'email', 'language', 'categories', 'link_secret'])
    .where('state', '=', 'active')
    .where('language', '=', language)
    .where('rhythm', '=', rhythm)
    .where('id', '>', fed_through)
    .where('consented_at', '<=', created_at)
    .$if(category !== undefined, (query) => query.where(sql<boolean>`${category} = any (categories)`))
    .orderBy('id')
    .limit(limit)
    .forShare()
    .execute()

export type Reader = Awaited<ReturnType<typeof holdNextReaders>>[number]

/** Posts that these readers were mailed by themselves, before they wanted them weekly. */
export const listMailedPosts = (db: Tx, readerIds: readonly string[], postIds: readonly string[]) =>
  db
    .selectFrom('newsletter_mail')
    .innerJoin('newsletter_issue', 'newsletter_issue.id', 'issue_id')
    .select(['subscriber_id', 'announcement_id'])
    .where(sql<boolean>`subscriber_id = any (${readerIds}::text[])`)
    .where(sql<boolean>`announcement_id = any (${postIds}::text[])`)
    .execute()

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

export const isAnyUnfed = async (db: Tx): Promise<boolean> =>
  (await db
    .selectFrom('newsletter_issue')
    .select('id')
    .where('fed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined

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

/** Of whom the issues still wait for an answer, such as readers who are erased. */
export const listOpenMailsOf = (db: Tx, subscriberId: string) =>
  db
    .selectFrom('newsletter_mail')
    .select('mail_id')
    .where('subscriber_id', '=', subscriberId)
    .where('outcome', 'is', null)
    .execute()
