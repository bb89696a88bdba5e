import { sql, type RawBuilder } from 'kysely'
import type { DigestTime } from '#contract/publishing/newsletter.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'
import { digestReach, isOurs, posts, type IssueRow } from './issue.queries.ts'

/** When the digest was last due. */
const lastDigest = ({ day, hour, zone }: DigestTime) => {
  const ofWeek = (weeks: number) =>
    sql`(date_trunc('week', now() at time zone ${zone}::text) + make_interval(weeks => ${weeks}, days => ${day - 1}, hours => ${hour})) at time zone ${zone}::text`
  // A minute later, so that everything published just before is committed.
  return sql`(case when ${ofWeek(0)} <= ${ago(60_000)} then ${ofWeek(0)} else ${ofWeek(-1)} end)`
}

const reach = sql`${digestReach}::int * interval '1 day'`

/** Owed to a reader, and public again. */
const isOwed = (language: RawBuilder<unknown>, until: RawBuilder<unknown>) => sql<boolean>`(
  a.state = 'published' and a.language = ${language} and a.posted_at > ${until} - ${reach}
  and exists (select from newsletter_owed_post o where o.announcement_id = a.id and o.issue_id is null))`

/**
 * Public, and in no digest yet: posts that were withdrawn at the time, or did not fit, go into the next digest,
 * for some weeks.
 */
const isNew = (language: RawBuilder<unknown>, until: RawBuilder<unknown>) => sql<boolean>`(
  a.state = 'published' and a.language = ${language} and a.posted_at <= ${until}
  and a.posted_at > ${until} - ${reach} and ${isOurs}
  and not exists (select from newsletter_digest_post p where p.announcement_id = a.id))`

/** Creates digests of new posts per language once due. Without posts there is none. */
export async function insertDigests(db: Tx, time: DigestTime): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into newsletter_issue (rhythm, language, from_at, until_at)
    select 'weekly', l.language, w.from_at, w.until_at
    from unnest(enum_range(null::language)) as l (language)
    cross join lateral (select ${lastDigest(time)}::timestamptz(3) as until_at) due
    cross join lateral (select due.until_at, greatest(
      due.until_at - ${reach},
      coalesce((select max(i.until_at) from newsletter_issue i where i.rhythm = 'weekly' and i.language = l.language),
        due.until_at - interval '7 days')) as from_at) w
    where w.from_at < w.until_at
      and exists (select from announcement a
        where ${isNew(sql`l.language`, sql`w.until_at`)} or ${isOwed(sql`l.language`, sql`w.until_at`)})
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** The maximum number of titles in a digest. The others go into the next one. */
export const digestMax = 60

/** Fixes the posts of a digest before its first email is written, for all its readers. */
export async function settlePosts(db: Tx, { id, language, until_at }: IssueRow): Promise<void> {
  await sql`
    insert into newsletter_digest_post (announcement_id, issue_id)
    select a.id, ${id} from announcement a
    where ${isNew(sql`${language}::language`, sql`${until_at}::timestamptz`)}
    order by a.posted_at limit ${digestMax}
    on conflict do nothing`.execute(db)
}

/** Includes posts that were withdrawn since. */
export const listPostsOfDigest = (db: Tx, { id }: IssueRow) =>
  posts(db)
    .innerJoin('newsletter_digest_post as p', 'p.announcement_id', 'a.id')
    .where('p.issue_id', '=', id)
    .orderBy('a.posted_at')
    .execute()

/** Posts that these readers received as single emails before they switched to the digest. */
export const listMailedPosts = (db: Tx, readerIds: readonly string[], postIds: readonly string[]) =>
  db
    .selectFrom('newsletter_mail')
    .innerJoin('newsletter_issue', 'newsletter_issue.id', 'issue_id')
    .select(['subscriber_id', 'announcement_id'])
    .where(sql<boolean>`subscriber_id = any (${readerIds}::text[])`)
    .where(sql<boolean>`announcement_id = any (${postIds}::text[])`)
    .execute()
