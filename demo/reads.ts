import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '#api/platform/db/database.ts'
import type { SampleWorld } from './world.ts'

/** Readers per day of each page and document, on average. */
const shown = [
  { kind: 'page', item: '/', readers: 60 },
  { kind: 'page', item: '/project', readers: 22 },
  { kind: 'page', item: '/news', readers: 18 },
  { kind: 'page', item: '/white-paper', readers: 9 },
  { kind: 'page', item: '/ambassador-program', readers: 7 },
  { kind: 'page', item: '/ambassadors/:slug', readers: 4 },
  { kind: 'page', item: '/help', readers: 6 },
  { kind: 'document', item: 'white-paper-en.pdf', readers: 5 },
  { kind: 'document', item: 'white-paper-cn.pdf', readers: 3 },
] as const
const referrers = [
  { referrer: '', share: 0.6 },
  { referrer: 'search.example', share: 0.25 },
  { referrer: 'forum.example.org', share: 0.1 },
  { referrer: 'other', share: 0.05 },
] as const
const languages = [
  { language: 'en', share: 0.7 },
  { language: 'cn', share: 0.3 },
] as const

const daysOfReads = 70
/** A post has most of its readers in its first days. */
const readersOfPost = (age: number): number => (age < 0 ? 0 : 2 + 40 / (1 + age))

/** Reads of the last ten weeks. They grow slowly, and weekends are quieter. */
export async function insertSampleReads(db: Tx, { now, dice }: SampleWorld): Promise<void> {
  const posts = await db
    .selectFrom('announcement')
    .select(['id', 'posted_at', 'language'])
    .where('state', '=', 'published')
    .execute()
  const rows = Array.from({ length: daysOfReads }, (_, ago) => now - ago * DAY).flatMap((at) => {
    const isWeekend = [0, 6].includes(new Date(at).getUTCDay())
    const busy = (isWeekend ? 0.6 : 1) * (1 - (now - at) / (2 * daysOfReads * DAY))
    const items = [
      ...shown.flatMap((each) =>
        languages
          .filter(({ language }) => each.kind === 'page' || each.item.endsWith(`-${language}.pdf`))
          .map(({ language, share }) => ({
            kind: each.kind,
            item: each.item as string,
            language,
            readers: each.kind === 'page' ? each.readers * share : each.readers,
          })),
      ),
      ...posts.map(({ id, posted_at, language }) => ({
        kind: 'post' as const,
        item: id,
        language,
        readers: readersOfPost((at - posted_at.getTime()) / DAY),
      })),
    ]
    return items.flatMap(({ kind, item, language, readers }) =>
      referrers.map(({ referrer, share }) => ({
        day: new Date(at).toISOString().slice(0, 10),
        kind,
        item,
        language,
        referrer,
        reads: Math.round(readers * share * busy * (0.7 + 0.6 * dice.next())),
      })),
    )
  })
  const read = rows.filter(({ reads }) => reads > 0)
  for (let from = 0; from < read.length; from += 1000)
    await db
      .insertInto('read_count')
      .values(read.slice(from, from + 1000))
      .execute()
}
