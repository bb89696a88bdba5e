import type { api } from '#contract/api.ts'
import { ambassadorStates } from '#contract/ambassadors.ts'
import { ambassadorApplications, columnCountMax, columnSorts } from '#contract/console-ambassadors.ts'
import { staffNameWithAddress } from '../../db/expressions.ts'
import { utc, type CsvColumns } from '../../http/csv-download.ts'
import type { Handler } from '../../http/handler.ts'
import { serveResource } from '../../resource/serve-resource.ts'
import { countApplications, listApplications, listCountryKeys, type ShownRow } from './board.queries.ts'
import { listColleagues } from './colleague.queries.ts'
import { presentApplication, presentRows } from './present-application.ts'

const columnRows = 20
const countedMax = columnCountMax + 1

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

export const {
  list: listAmbassadorApplications,
  file: exportAmbassadorApplications,
  get: getAmbassadorApplication,
} = serveResource(ambassadorApplications, {
  read: ({ db, caller }, filters, page) => listApplications(db, caller.memberId, filters, page),
  present: ({ db, config, caller }, rows) => presentRows(db, config, caller.memberId, rows),
  file: { name: 'ambassador-applications', columns, lines: (_, rows) => rows, limit: { perHour: 20 } },
  detail: ({ db, config, caller }, id) => presentApplication(db, config, caller, id),
})

export const readApplicationBoard: Handler<typeof api.readApplicationBoard> = async (
  { query },
  { db, config, caller },
) => {
  const columns = []
  for (const status of ambassadorStates) {
    const filters = { ...query, status, sort: columnSorts[status] }
    const page = await listApplications(db, caller.memberId, filters, { limit: columnRows })
    columns.push({
      status,
      count:
        page.next === undefined
          ? page.rows.length
          : await countApplications(db, caller.memberId, filters, countedMax),
      rows: await presentRows(db, config, caller.memberId, page.rows),
      next: page.next ?? null,
    })
  }
  return { columns }
}

export const listApplicationCountries: Handler<typeof api.listApplicationCountries> = async (
  _,
  { db, caller },
) => ({
  countries: await listCountryKeys(db, caller.memberId),
})

export const listApplicationColleagues: Handler<typeof api.listApplicationColleagues> = (_, { db, config }) =>
  listColleagues(db, config)
