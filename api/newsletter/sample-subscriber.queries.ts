import { sql, type Insertable } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { DB } from '../db/rows.ts'

export type SampleSubscriber = Insertable<DB['subscriber']>

export async function insertSampleSubscriberRows(db: Tx, rows: readonly SampleSubscriber[]): Promise<void> {
  await db
    .insertInto('subscriber')
    .values([...rows])
    .execute()
}

/** One for each post that is public, as if it had gone to those who had confirmed by then; and the digests of three weeks. */
export async function insertSampleIssues(db: Tx): Promise<void> {
  const had = sql`(
    select count(*)::int from subscriber s
    where s.language = i.language and s.rhythm = i.rhythm and s.consented_at < i.created_at
      and (i.rhythm = 'weekly' or a.category = any (s.categories)))`
  await sql`
    with ended as (
      select 'each'::news_rhythm as rhythm, a.id, a.language, a.posted_at as created_at, null::timestamptz as from_at, null::timestamptz as until_at
      from announcement a where a.state = 'published'
      union all
      select 'weekly', null, language, until_at + interval '1 minute', until_at - interval '7 days', until_at
      from unnest(enum_range(null::language)) as language
      cross join lateral (
        select date_trunc('week', now()) + interval '9 hours' - make_interval(weeks => week) as until_at
        from generate_series(1, 3) as week) as due)
    insert into newsletter_issue (rhythm, announcement_id, language, from_at, until_at, created_at, fed_at, queued, sent, failed)
    select rhythm, id, language, from_at, until_at, created_at, created_at + interval '4 minutes', queued, queued - failed, failed
    from (
      select i.*, ${had} as queued, least(1, ${had})::int as failed
      from ended i left join announcement a on a.id = i.id) counted`.execute(db)
  await sql`
    insert into newsletter_digest_post (announcement_id, issue_id)
    select a.id, i.id from announcement a
    join newsletter_issue i on i.rhythm = 'weekly' and i.language = a.language and a.posted_at > i.from_at and a.posted_at <= i.until_at
    where a.state = 'published'`.execute(db)
}
