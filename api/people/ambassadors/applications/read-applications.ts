import type { api } from '#contract/api.ts'
import { ambassadorStates } from '#contract/people/ambassadors.ts'
import {
  ambassadorApplications,
  applicationDetail,
  applicationStep,
  applicationWaitMax,
  columnCountMax,
  columnSorts,
  duplicateApplication,
  duplicatesMax,
  listedApplication,
  shownMax,
  type ApplicationDetail,
  type ListedApplication,
} from '#contract/people/console-ambassadors.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { project } from '../../../platform/db/project.ts'
import { staffNameWithAddress } from '../../../platform/db/expressions.ts'
import { utc, type CsvColumns } from '../../../platform/http/csv-download.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import { serveResource } from '../../../platform/resource/serve-resource.ts'
import { listColleagues } from '../../members/colleague.queries.ts'
import { presentNotes } from '../../notes/present-notes.ts'
import { isOpen, listSteps } from './application.queries.ts'
import {
  countApplications,
  findApplication,
  findDuplicates,
  listApplications,
  listCountryKeys,
  listDuplicated,
  type ShownRow,
} from './board.queries.ts'
import { presentAssignee } from '../../members/present-assignee.ts'

type Presented = Omit<ShownRow, 'assignee_display_name' | 'assignee_email'>
type Reading = Pick<MemberContext, 'config' | 'caller'> & { db: Tx }

function presentRow(row: Presented, config: Config, hasDuplicate: boolean): ListedApplication {
  return {
    ...project(listedApplication, row),
    lastUpdated: row.updated_at.toISOString(),
    assignee: presentAssignee(row),
    hasDuplicate,
    waitsLong: isOpen(row.status) && Date.now() - row.created_at.getTime() > applicationWaitMax,
    erasedAt: erasureOf(row, config)?.toISOString() ?? null,
  }
}

/** Returns when the application will be erased. An accepted one is kept as long as its ambassador. */
function erasureOf({ status, state_at }: Presented, config: Config): Date | null {
  if (status === 'accepted') return null
  const life = status === 'declined' ? config.ambassadorRetention : config.ambassadorPatience
  return new Date(state_at.getTime() + life)
}

async function presentRows({ db, config, caller }: Reading, rows: readonly ShownRow[]) {
  const ids = rows.map(({ id }) => id)
  const duplicated = await listDuplicated(db, caller.memberId, ids)
  return rows.map((row) => presentRow(row, config, duplicated.has(row.id)))
}

/** Presents an application. For their own application, staff are treated as its subject. */
export async function presentApplication(
  { db, config, caller }: Reading,
  id: string,
): Promise<ApplicationDetail> {
  const row = await findApplication(db, id, caller.memberId)
  if (!row) throw new Refused('not_found')
  if (row.is_own) throw new Refused('forbidden')
  const duplicates = await findDuplicates(db, id, caller.memberId, duplicatesMax)
  const steps = await listSteps(db, id, shownMax)
  return {
    ...project(applicationDetail, row),
    ...presentRow(row, config, duplicates.length > 0),
    socialMedia: row.social_media as string[],
    notes: await presentNotes(db, caller, { kind: 'ambassador-application', id }),
    steps: steps.map((step) => project(applicationStep, step)),
    duplicates: duplicates.map((other) => project(duplicateApplication, other)),
  }
}

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
      email === null ? '' : staffNameWithAddress({ display_name: name ?? '', email }, 'en'),
  ],
  ['reason', (row) => row.reason],
]

export const {
  list: listAmbassadorApplications,
  file: exportAmbassadorApplications,
  get: getAmbassadorApplication,
} = serveResource(ambassadorApplications, {
  read: ({ db, caller }, filters, page) => listApplications(db, caller.memberId, filters, page),
  present: presentRows,
  file: { name: 'ambassador-applications', columns, lines: (_, rows) => rows, limit: { perHour: 20 } },
  detail: presentApplication,
})

export const readApplicationBoard: Handler<typeof api.readApplicationBoard> = async ({ query }, context) => {
  const { db, caller } = context
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
      rows: await presentRows(context, page.rows),
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
  listColleagues(db, config, 'employee')
