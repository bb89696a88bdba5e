import { categories } from '#contract/publishing/announcements.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { newsletterWording, type NewsRhythm, type SubscriberEnd } from '#contract/publishing/newsletter.ts'
import type { Language } from '#contract/platform/languages.ts'
import type { Tx } from '#api/platform/db/database.ts'
import { sampleHash, type SampleWorld } from './world.ts'
import { sql, type Insertable } from 'kysely'
import type { DB } from '#api/platform/db/rows.ts'

type Sample = {
  language: Language
  rhythm: NewsRhythm
  /** How many of the categories, starting with the first. */
  wants?: number
  askedDaysAgo: number
  hasAccount?: true
  isPending?: true
  endedBy?: SubscriberEnd
  reason?: string
}

/** Subscribers with every state, end reason, language, frequency, and origin. */
const samples: readonly Sample[] = [
  { language: 'en', rhythm: 'each', askedDaysAgo: 52 },
  { language: 'en', rhythm: 'weekly', askedDaysAgo: 47, hasAccount: true },
  { language: 'cn', rhythm: 'each', askedDaysAgo: 41 },
  { language: 'cn', rhythm: 'weekly', wants: 2, askedDaysAgo: 38 },
  { language: 'en', rhythm: 'each', wants: 1, askedDaysAgo: 33 },
  { language: 'en', rhythm: 'each', askedDaysAgo: 30, endedBy: 'left' },
  { language: 'cn', rhythm: 'each', askedDaysAgo: 26, hasAccount: true },
  {
    language: 'en',
    rhythm: 'weekly',
    askedDaysAgo: 21,
    endedBy: 'bounced',
    reason: '550 5.1.1 No such user',
  },
  { language: 'en', rhythm: 'weekly', wants: 3, askedDaysAgo: 15 },
  {
    language: 'cn',
    rhythm: 'weekly',
    askedDaysAgo: 11,
    endedBy: 'removed',
    reason: 'Asked for it by phone.',
  },
  { language: 'en', rhythm: 'each', askedDaysAgo: 3, isPending: true },
  { language: 'cn', rhythm: 'weekly', askedDaysAgo: 1, isPending: true },
  { language: 'en', rhythm: 'each', askedDaysAgo: 9, endedBy: 'complained' },
]

/** How long a subscription lasted before it ended, in milliseconds. */
const lasted = 5 * DAY

export async function insertSampleSubscribers(db: Tx, world: SampleWorld): Promise<void> {
  await insertSampleSubscriberRows(
    db,
    samples.map((sample, index) => rowOf(world, sample, index)),
  )
  await insertSampleIssues(db)
}

function rowOf({ now, people }: SampleWorld, sample: Sample, index: number): SampleSubscriber {
  const { language, rhythm, wants = categories.length, hasAccount, isPending, endedBy, reason } = sample
  const askedAt = now - sample.askedDaysAgo * DAY
  const person = hasAccount
    ? people.find(
        (each) =>
          each.language === language &&
          each.closedAt === null &&
          each.activatedAt !== null &&
          each.activatedAt < askedAt,
      )
    : undefined
  return {
    email: person?.email ?? `reader.${index + 1}@people.example`,
    member_id: person?.id ?? null,
    state: isPending ? 'pending' : endedBy ? 'ended' : 'active',
    language,
    rhythm,
    categories: categories.slice(0, wants).map(({ name }) => name),
    link_secret: sampleHash(`sample subscription ${index}`),
    asked_at: new Date(askedAt),
    consent_wording: newsletterWording,
    ...(!isPending && {
      consented_at: new Date(askedAt + HOUR),
      consent_way: person ? 'account' : 'form',
    }),
    ...(endedBy && {
      ended_at: new Date(askedAt + lasted),
      ended_by: endedBy,
      end_reason: reason ?? null,
    }),
  }
}

type SampleSubscriber = Insertable<DB['subscriber']>

async function insertSampleSubscriberRows(db: Tx, rows: readonly SampleSubscriber[]): Promise<void> {
  await db
    .insertInto('subscriber')
    .values([...rows])
    .execute()
}

/**
 * One issue per public post, as if it had been sent to everyone who was confirmed by then, and the digests of three
 * weeks.
 */
async function insertSampleIssues(db: Tx): Promise<void> {
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
