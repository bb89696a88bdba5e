import { Readable } from 'node:stream'
import type { api } from '#contract/api.ts'
import { csvLine, csvStart } from '#contract/csv.ts'
import { HOUR } from '#contract/durations.ts'
import type { ConsoleSubscriber, SubscriberFilters } from '#contract/newsletter.ts'
import type { Tx } from '../../db/database.ts'
import { eachPage } from '../../db/each-page.ts'
import type { Download, Handler } from '../../http/handler.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { listConsoleSubscribers } from './console-subscriber.queries.ts'
import { presentSubscriber } from './present-subscriber.ts'

const pageSize = 500
const perHourMax = 30

const columns: readonly (readonly [name: string, value: (row: ConsoleSubscriber) => string])[] = [
  ['id', ({ id }) => id],
  ['email', ({ email }) => email],
  ['state', ({ state }) => state],
  ['language', ({ language }) => language],
  ['categories', ({ categories }) => categories.join('; ')],
  ['rhythm', ({ rhythm }) => rhythm],
  ['askedAt', ({ askedAt }) => askedAt],
  ['consentedAt', ({ consentedAt }) => consentedAt ?? ''],
  ['wording', ({ wording }) => wording ?? ''],
  ['way', ({ way }) => way ?? ''],
  ['endedAt', ({ endedAt }) => endedAt ?? ''],
  ['endedBy', ({ endedBy }) => endedBy ?? ''],
]

export const exportSubscribers: Handler<typeof api.exportSubscribers> = async (
  { query },
  { db, keys, caller },
): Promise<Download> => {
  // Addresses of many others at once.
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [
    { key: `subscriber files ${caller.memberId}`, max: perHourMax, window: HOUR },
  ])
  return {
    contentType: 'text/csv; charset=utf-8',
    fileName: `subscribers-${new Date().toISOString().slice(0, 10)}.csv`,
    stream: Readable.from(linesOf(db, query)),
  }
}

async function* linesOf(db: Tx, filters: SubscriberFilters) {
  yield csvStart + csvLine(columns.map(([name]) => name))
  const rows = eachPage((after) => listConsoleSubscribers(db, filters, { limit: pageSize, after }))
  for await (const row of rows) {
    const shown = presentSubscriber(row)
    yield csvLine(columns.map(([, value]) => value(shown)))
  }
}
