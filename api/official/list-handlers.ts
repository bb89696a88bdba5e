import { Readable } from 'node:stream'
import type { api } from '#contract/api.ts'
import type { KnownFilters } from '#contract/console-official.ts'
import { csvLine, csvStart } from '#contract/csv.ts'
import { HOUR } from '#contract/durations.ts'
import { levelOf } from '#contract/level-of.ts'
import type { Database } from '../db/database.ts'
import { eachPage } from '../db/each-page.ts'
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

const columns = ['id', 'standing', 'kind', 'value', 'note', 'evidence', 'added', 'by', 'withdrawn']

export const exportKnownEntries: Handler<typeof api.exportKnownEntries> = async (
  { query },
  { db, keys, caller },
) => {
  await requireWithinLimits(db, keys, [
    { key: `official files ${caller.memberId}`, max: perHourMax, window: HOUR },
  ])
  return {
    contentType: 'text/csv; charset=utf-8',
    fileName: `official-or-not-${new Date().toISOString().slice(0, 10)}.csv`,
    stream: Readable.from(linesOf(db, query)),
  }
}

async function* linesOf(db: Database, filters: KnownFilters) {
  yield csvStart + csvLine(columns)
  for await (const row of eachPage((after) => listKnown(db, filters, { limit: pageSize, after }))) {
    const { id, standing, kind, value, note, evidence, addedAt, addedBy, withdrawnAt } = presentKnown(row)
    yield csvLine([
      id,
      standing,
      kind,
      value,
      note,
      evidence,
      addedAt,
      addedBy?.name ?? '',
      withdrawnAt ?? '',
    ])
  }
}
