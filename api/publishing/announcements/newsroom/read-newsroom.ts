import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { eachPage } from '../../../platform/db/each-page.ts'
import { csvDownload, utc, type CsvColumns } from '../../../platform/http/csv-download.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { requireWithinLimits } from '../../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../../platform/refused.ts'
import { findNewsroomRowWhole, listNewsroomRows, type NewsroomRow } from './newsroom.queries.ts'
import { presentNewsroomPost, presentNewsroomPosts } from './present-newsroom-post.ts'

const pageSize = 500
const perHourMax = 30

/** Stable columns for programs that read the file: new ones are added at the end, and none is renamed. */
const columns: CsvColumns<NewsroomRow> = [
  ['id', ({ id }) => id],
  ['title', ({ title }) => title],
  ['state', ({ state }) => state],
  ['category', ({ category }) => category],
  ['language', ({ language }) => language],
  ['slug', ({ slug }) => slug],
  ['author', ({ author_name: name }) => name ?? ''],
  ['lastEditor', ({ editor_name: name }) => name ?? ''],
  // For a draft, the column contains its creation time.
  ['published', ({ state, posted_at }) => (state === 'published' ? utc(posted_at) : '')],
  ['publishAt', ({ publish_at }) => utc(publish_at)],
  ['edited', ({ edited_at }) => utc(edited_at)],
  ['changed', ({ changed_at }) => utc(changed_at)],
  ['inTrashSince', ({ deleted_at }) => utc(deleted_at)],
  ['versions', ({ version }) => String(version)],
  ['translation', ({ sibling_language: language }) => language ?? ''],
  ['translationState', ({ sibling_state: state }) => state ?? ''],
]

export const exportNewsroomPosts: Handler<typeof api.exportNewsroomPosts> = async (
  { query },
  { db, keys, caller },
) => {
  await requireWithinLimits(db, keys, [
    { key: `post files ${caller.memberId}`, max: perHourMax, window: HOUR },
  ])
  const rows = eachPage((after) => listNewsroomRows(db, { ...query, limit: pageSize, after }))
  return csvDownload('posts', columns, rows)
}

export const listNewsroomPosts: Handler<typeof api.listNewsroomPosts> = async ({ query }, { db, answer }) => {
  const page = await listNewsroomRows(db, query)
  answer.setNext(page.next)
  return presentNewsroomPosts(db, page.rows)
}

export const getNewsroomPost: Handler<typeof api.getNewsroomPost> = async ({ params }, { db }) => {
  const row = await findNewsroomRowWhole(db, params.id)
  if (!row) throw new Refused('not_found')
  return { ...(await presentNewsroomPost(db, row)), content: row.content }
}
