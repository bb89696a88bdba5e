import type { api } from '#contract/api.ts'
import type { ConsoleMail } from '#contract/console-mails.ts'
import { HOUR } from '#contract/durations.ts'
import { eachPage } from '../../db/each-page.ts'
import { csvDownload, type CsvColumns } from '../../http/csv-download.ts'
import type { Download, Handler } from '../../http/handler.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { listConsoleMails } from './console-mail.queries.ts'
import { scopeOf } from './mail-scope.ts'
import { presentMail } from './present-mail.ts'

const pageSize = 500
const perHourMax = 30

const columns: CsvColumns<ConsoleMail> = [
  ['id', ({ id }) => id],
  ['to', ({ to }) => to],
  ['kind', ({ kind }) => kind],
  ['state', ({ state }) => state],
  ['trouble', ({ trouble }) => trouble ?? ''],
  ['code', ({ code }) => code ?? ''],
  ['attempts', ({ attempts }) => String(attempts)],
  ['createdAt', ({ createdAt }) => createdAt],
  ['changedAt', ({ changedAt }) => changedAt],
  ['sentAt', ({ sentAt }) => sentAt ?? ''],
  ['nextTryAt', ({ nextTryAt }) => nextTryAt ?? ''],
]

export const exportMails: Handler<typeof api.exportMails> = async ({ query }, context): Promise<Download> => {
  const { db, keys, caller, request } = context
  // Addresses of many others at once.
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [
    { key: `mail files ${caller.memberId}`, max: perHourMax, window: HOUR },
  ])
  const scope = scopeOf(caller)
  const rows = eachPage((after) => listConsoleMails(db, scope, query, { limit: pageSize, after }))
  return csvDownload('mails', columns, rows, (row) => presentMail(row, request.language))
}
