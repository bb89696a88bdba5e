import { Readable } from 'node:stream'
import type { api } from '#contract/api.ts'
import type { ApplicationFilters } from '#contract/console-ambassadors.ts'
import { csvLine, csvStart } from '#contract/csv.ts'
import { HOUR } from '#contract/durations.ts'
import type { Database } from '../../db/database.ts'
import { eachPage } from '../../db/each-page.ts'
import { staffNameWithAddress } from '../../db/staff-name.ts'
import type { Handler } from '../../http/handler.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { listApplications, type ShownRow } from './board.queries.ts'

const pageSize = 500
const perHourMax = 20

const columns: readonly (readonly [name: string, value: (row: ShownRow) => string])[] = [
  ['id', (row) => row.id],
  ['state', (row) => row.status],
  ['name', (row) => row.full_name],
  ['email', (row) => row.email],
  ['city', (row) => row.city],
  ['country', (row) => row.country],
  ['language', (row) => row.language],
  ['socialMedia', (row) => (row.social_media as string[]).join('; ')],
  ['description', (row) => row.description],
  ['sent', (row) => row.created_at.toISOString()],
  ['stateSince', (row) => row.state_at.toISOString()],
  [
    'assignee',
    ({ assignee_display_name: name, assignee_email: email }) =>
      email === null ? '' : staffNameWithAddress({ display_name: name ?? '', email }),
  ],
  ['reason', (row) => row.reason],
]

export const exportAmbassadorApplications: Handler<typeof api.exportAmbassadorApplications> = async (
  { query },
  { db, keys, caller },
) => {
  // Data of many others at once.
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [
    { key: `ambassador files ${caller.memberId}`, max: perHourMax, window: HOUR },
  ])
  return {
    contentType: 'text/csv; charset=utf-8',
    fileName: `ambassador-applications-${new Date().toISOString().slice(0, 10)}.csv`,
    stream: Readable.from(linesOf(db, caller.memberId, query)),
  }
}

/** Page by page, so that only one page is in memory at a time. */
async function* linesOf(db: Database, readerId: string, filters: ApplicationFilters) {
  yield csvStart + csvLine(columns.map(([name]) => name))
  const rows = eachPage((after) => listApplications(db, readerId, filters, { limit: pageSize, after }))
  for await (const row of rows) yield csvLine(columns.map(([, value]) => value(row)))
}
