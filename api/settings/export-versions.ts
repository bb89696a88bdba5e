import { Readable } from 'node:stream'
import type { api } from '#contract/api.ts'
import { csvLine, csvStart } from '#contract/csv.ts'
import { HOUR } from '#contract/durations.ts'
import type { SettingVersion, VersionFilters } from '#contract/settings.ts'
import { eachPage } from '../db/each-page.ts'
import type { Tx } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { presentVersion } from './present-version.ts'
import { listVersions } from './setting-version.queries.ts'

const pageSize = 500
const perHourMax = 30

const columns = ['id', 'at', 'by', 'confirmedBy', 'subject', 'restoredId', 'setting', 'from', 'to']

export const exportSettingVersions: Handler<typeof api.exportSettingVersions> = async (
  { query },
  { db, keys, caller },
) => {
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [
    { key: `sale history files ${caller.memberId}`, max: perHourMax, window: HOUR },
  ])
  const today = new Date().toISOString().slice(0, 10)
  return {
    contentType: 'text/csv; charset=utf-8',
    fileName: `sale-changes-${today}.csv`,
    stream: Readable.from(linesOf(db, query)),
  }
}

async function* linesOf(db: Tx, { sort, ...filter }: VersionFilters) {
  yield csvStart + csvLine(columns)
  const rows = eachPage((after) => listVersions(db, filter, { limit: pageSize, after, sort }))
  for await (const row of rows) yield* linesOfVersion(presentVersion(row))
}

/** What was kept without a change, as the first version of a subject is, has one line as well. */
function* linesOfVersion({ id, at, by, confirmedBy, subject, restoredId, changes }: SettingVersion) {
  const version = [id, at, by?.name ?? '', confirmedBy?.name ?? '', subject, restoredId ?? '']
  if (changes.length === 0) yield csvLine([...version, '', '', ''])
  for (const { path, from, to } of changes) yield csvLine([...version, path, from ?? '', to ?? ''])
}
