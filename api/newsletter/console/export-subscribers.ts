import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/durations.ts'
import type { ConsoleSubscriber } from '#contract/newsletter.ts'
import { eachPage } from '../../db/each-page.ts'
import { csvDownload, type CsvColumns } from '../../http/csv-download.ts'
import type { Download, Handler } from '../../http/handler.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { listConsoleSubscribers } from './console-subscriber.queries.ts'
import { presentSubscriber } from './present-subscriber.ts'

const pageSize = 500
const perHourMax = 30

const columns: CsvColumns<ConsoleSubscriber> = [
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
  const rows = eachPage((after) => listConsoleSubscribers(db, query, { limit: pageSize, after }))
  return csvDownload('subscribers', columns, rows, presentSubscriber)
}
