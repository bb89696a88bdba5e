import { Readable } from 'node:stream'
import type { api } from '#contract/api.ts'
import type { ConsoleMail, MailFilters } from '#contract/console-mails.ts'
import { csvLine, csvStart } from '#contract/csv.ts'
import { HOUR } from '#contract/durations.ts'
import type { Language } from '#contract/fields.ts'
import type { Tx } from '../../db/database.ts'
import { eachPage } from '../../db/each-page.ts'
import type { Download, Handler } from '../../http/handler.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { listConsoleMails } from './console-mail.queries.ts'
import { scopeOf, type MailScope } from './mail-scope.ts'
import { presentMail } from './present-mail.ts'

const pageSize = 500
const perHourMax = 30

const columns: readonly (readonly [name: string, value: (mail: ConsoleMail) => string])[] = [
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
  const today = new Date().toISOString().slice(0, 10)
  return {
    contentType: 'text/csv; charset=utf-8',
    fileName: `mails-${today}.csv`,
    stream: Readable.from(linesOf(db, scopeOf(caller), query, request.language)),
  }
}

async function* linesOf(db: Tx, scope: MailScope, filters: MailFilters, language: Language) {
  yield csvStart + csvLine(columns.map(([name]) => name))
  const rows = eachPage((after) => listConsoleMails(db, scope, filters, { limit: pageSize, after }))
  for await (const row of rows) {
    const mail = presentMail(row, language)
    yield csvLine(columns.map(([, value]) => value(mail)))
  }
}
