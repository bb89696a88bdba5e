import type { api } from '#contract/api.ts'
import type { KnownEntry } from '#contract/console-official.ts'
import { HOUR } from '#contract/durations.ts'
import { levelOf } from '#contract/level-of.ts'
import { eachPage } from '../db/each-page.ts'
import { csvDownload, type CsvColumns } from '../http/csv-download.ts'
import type { Handler } from '../http/handler.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { listKnown } from './known-entry.queries.ts'
import { presentKnown } from './present-known.ts'
import { readOurs } from './read-ours.ts'

const pageSize = 500
const perHourMax = 30

export const listKnownEntries: Handler<typeof api.listKnownEntries> = async ({ query }, { db, answer }) => {
  const { limit, after, ...filters } = query
  const page = await listKnown(db, filters, { limit, after })
  answer.setNext(page.next)
  return page.rows.map(presentKnown)
}

/** Receiving addresses are for those who read the settings of the sale. */
export const listOfficialSources: Handler<typeof api.listOfficialSources> = async (_input, context) => {
  const seesAddresses = levelOf(context.caller.rights, 'coins') >= 1
  const entries = await readOurs(context.db, context)
  return entries.map(({ kind, role, name, value }) => ({
    kind,
    role,
    name,
    value: role === 'receiving' && !seesAddresses ? '' : value,
  }))
}

const columns: CsvColumns<KnownEntry> = [
  ['id', ({ id }) => id],
  ['standing', ({ standing }) => standing],
  ['kind', ({ kind }) => kind],
  ['value', ({ value }) => value],
  ['note', ({ note }) => note],
  ['evidence', ({ evidence }) => evidence],
  ['added', ({ addedAt }) => addedAt],
  ['by', ({ addedBy }) => addedBy?.name ?? ''],
  ['withdrawn', ({ withdrawnAt }) => withdrawnAt ?? ''],
]

export const exportKnownEntries: Handler<typeof api.exportKnownEntries> = async (
  { query },
  { db, keys, caller },
) => {
  await requireWithinLimits(db, keys, [
    { key: `official files ${caller.memberId}`, max: perHourMax, window: HOUR },
  ])
  const rows = eachPage((after) => listKnown(db, query, { limit: pageSize, after }))
  return csvDownload('official-or-not', columns, rows, presentKnown)
}
