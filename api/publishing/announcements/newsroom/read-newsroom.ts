import { newsroomPosts } from '#contract/publishing/newsroom.ts'
import { utc, type CsvColumns } from '../../../platform/http/csv-download.ts'
import { serveResource } from '../../../platform/resource/serve-resource.ts'
import { cardPictureOf } from '../../pictures/card-picture.ts'
import { bylineOf } from '../present-announcement.ts'
import { findNewsroomRowWhole, listNewsroomRows, type NewsroomRow } from './newsroom.queries.ts'
import { presentNewsroomPost, presentNewsroomPosts } from './present-newsroom-post.ts'

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

export const {
  list: listNewsroomPosts,
  file: exportNewsroomPosts,
  get: getNewsroomPost,
} = serveResource(newsroomPosts, {
  read: ({ db }, filters, page) => listNewsroomRows(db, filters, page),
  present: ({ db }, rows) => presentNewsroomPosts(db, rows),
  file: { name: 'posts', columns, lines: (_, rows) => rows, limit: { name: 'post' } },
  detail: async ({ db }, id) => {
    const row = await findNewsroomRowWhole(db, id)
    return (
      row && {
        ...(await presentNewsroomPost(db, row)),
        content: row.content,
        picture: cardPictureOf(row),
        byline: bylineOf(row.byline, row.byline_name),
      }
    )
  },
})
