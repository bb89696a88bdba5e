import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/durations.ts'
import { eachPage } from '../../db/each-page.ts'
import { staffNameWithAddress } from '../../db/staff-name.ts'
import { csvDownload, utc, type CsvColumns } from '../../http/csv-download.ts'
import type { Handler } from '../../http/handler.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { listApplications, type ShownRow } from './board.queries.ts'

const pageSize = 500
const perHourMax = 20

const columns: CsvColumns<ShownRow> = [
  ['id', (row) => row.id],
  ['state', (row) => row.status],
  ['name', (row) => row.full_name],
  ['email', (row) => row.email],
  ['city', (row) => row.city],
  ['country', (row) => row.country],
  ['language', (row) => row.language],
  ['socialMedia', (row) => (row.social_media as string[]).join('; ')],
  ['description', (row) => row.description],
  ['sent', (row) => utc(row.created_at)],
  ['stateSince', (row) => utc(row.state_at)],
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
  const rows = eachPage((after) => listApplications(db, caller.memberId, query, { limit: pageSize, after }))
  return csvDownload('ambassador-applications', columns, rows)
}
