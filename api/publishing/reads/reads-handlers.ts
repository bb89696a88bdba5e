import type { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { languages } from '#contract/platform/languages.ts'
import { readsDaysDefault, readsDaysMax } from '#contract/publishing/reads.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { refusedField } from '../../platform/refused.ts'
import {
  listReadsByDay,
  listReadsByItem,
  listReadsByLanguage,
  listReadsByReferrer,
  listReadsOfPosts,
} from './read-count.queries.ts'

/** How long reads are stored by day. Then the days of a month are summed up. */
const dailyFor = 400 * DAY

const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The first day of the first month that is stored by day. */
export const dailySince = (): string => `${dayAt(Date.now() - dailyFor).slice(0, 7)}-01`

export const readReads: Handler<typeof api.readReads> = async ({ query }, { db, config, content }) => {
  const to = query.to ?? dayAt(Date.now())
  const from = query.from ?? dayAt(Date.parse(to) - (readsDaysDefault - 1) * DAY)
  const length = (Date.parse(to) - Date.parse(from)) / DAY + 1
  if (length < 1) throw refusedField('to', 'invalid')
  if (length > readsDaysMax) throw refusedField('to', 'too_far', { max: readsDaysMax })
  const period = { from, to }
  const counted = new Map((await listReadsByDay(db, period)).map(({ day, reads }) => [day, reads]))
  const days = Array.from({ length }, (_, index) => dayAt(Date.parse(from) + index * DAY))
  const documents = new Map(content.documents().map((each) => [each.file, each]))
  const items = await listReadsByItem(db, period)
  return {
    ...period,
    today: dayAt(Date.now()),
    dailySince: dailySince(),
    isCounting: config.countsReads,
    total: [...counted.values()].reduce((sum, reads) => sum + reads, 0),
    days: days.map((day) => ({ day, reads: counted.get(day) ?? 0 })),
    items: items.map((each) => {
      const document = each.kind === 'document' ? documents.get(each.item) : undefined
      if (!document) return each
      const language = languages.find((known) => known === document.language) ?? null
      return { ...each, title: document.title, language }
    }),
    languages: await listReadsByLanguage(db, period),
    referrers: await listReadsByReferrer(db, period),
  }
}

/** Reads of posts by ID: in the last 28 days including today, and in total. */
export const readReadsOfPosts = (db: Tx, ids: readonly string[]) =>
  listReadsOfPosts(db, ids, dayAt(Date.now() - (readsDaysDefault - 1) * DAY))
