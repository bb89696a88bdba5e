import { categories } from '#contract/announcements.ts'
import { DAY, HOUR } from '#contract/durations.ts'
import { newsletterWording, type NewsRhythm, type SubscriberEnd } from '#contract/newsletter.ts'
import type { Language } from '#contract/languages.ts'
import type { Tx } from '../db/database.ts'
import { sampleHash, type SampleWorld } from '../sample-world.ts'
import {
  insertSampleIssues,
  insertSampleSubscriberRows,
  type SampleSubscriber,
} from './sample-subscriber.queries.ts'

type Sample = {
  language: Language
  rhythm: NewsRhythm
  /** How many of the categories, from the first on. */
  wants?: number
  askedDaysAgo: number
  hasAccount?: true
  isPending?: true
  endedBy?: SubscriberEnd
  reason?: string
}

/** Of every state, end, language, rhythm and way some. */
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
]

/** Before a subscription ends. */
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
