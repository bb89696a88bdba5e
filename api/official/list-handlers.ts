import type { api } from '#contract/api.ts'
import { listedChannels, type ListedChannel } from '#contract/console-official.ts'
import { levelOf } from '#contract/level-of.ts'
import type { CsvColumns } from '../http/csv-download.ts'
import type { Handler } from '../http/handler.ts'
import { serveResource } from '../resource/serve-resource.ts'
import { listKnown } from './known-entry.queries.ts'
import { presentKnown } from './present-known.ts'
import { listOfficialChannels } from './list-official-channels.ts'

const columns: CsvColumns<ListedChannel> = [
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

export const { list: listChannels, file: exportChannels } = serveResource(listedChannels, {
  read: ({ db }, filters, page) => listKnown(db, { state: 'active', ...filters }, page),
  present: (_, rows) => rows.map(presentKnown),
  file: { name: 'official-or-not', columns, lines: (_, rows) => rows.map(presentKnown) },
})

/** Lists official channels. Receiving addresses are only for people who may read the sale settings. */
export const listOfficialSources: Handler<typeof api.listOfficialSources> = async (_input, context) => {
  const seesAddresses = levelOf(context.caller.rights, 'coins') >= 1
  const entries = await listOfficialChannels(context.db, context)
  return entries.map(({ kind, role, name, value }) => ({
    kind,
    role,
    name,
    value: role === 'receiving' && !seesAddresses ? '' : value,
  }))
}
