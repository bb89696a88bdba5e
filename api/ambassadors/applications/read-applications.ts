import type { api } from '#contract/api.ts'
import { ambassadorStates } from '#contract/ambassadors.ts'
import { columnCountMax, columnSorts } from '#contract/console-ambassadors.ts'
import type { Handler } from '../../http/handler.ts'
import { countApplications, listApplications, listCountryKeys } from './board.queries.ts'
import { listColleagues } from './colleague.queries.ts'
import { presentApplication, presentRows } from './present-application.ts'

const columnRows = 20
const countedMax = columnCountMax + 1

export const listAmbassadorApplications: Handler<typeof api.listAmbassadorApplications> = async (
  { query },
  { db, config, caller, answer },
) => {
  const { limit, after, ...filters } = query
  const page = await listApplications(db, caller.memberId, filters, { limit, after })
  answer.setNext(page.next)
  return presentRows(db, config, caller.memberId, page.rows)
}

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

export const getAmbassadorApplication: Handler<typeof api.getAmbassadorApplication> = (
  { params },
  { db, config, caller },
) => presentApplication(db, config, caller, params.id)
