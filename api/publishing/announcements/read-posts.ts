import type { api } from '#contract/api.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import {
  browsePublished,
  listAddresses,
  listPublished,
  readPostsAt,
  type AnnouncementRow,
} from './reading.queries.ts'
import { presentAnnouncement, presentCard, sharePictureOf } from './present-announcement.ts'
import { listRelated } from './related.queries.ts'
import { searchFor } from './search-text.ts'
import { listMovedFrom } from './slug.queries.ts'

export const listAnnouncements: Handler<typeof api.listAnnouncements> = async (
  { params, query },
  { db, answer },
) => {
  const page = await listPublished(db, languageIn(params.lang), query)
  answer.setNext(page.next)
  return page.rows.map(presentAnnouncement)
}

export const browseAnnouncements: Handler<typeof api.browseAnnouncements> = async (
  { params, query },
  { db },
) => {
  const { rows, hasMore } = await browsePublished(db, {
    language: languageIn(params.lang),
    category: query.category,
    search: searchFor(query.q ?? ''),
    page: query.page,
  })
  return { posts: rows.map(presentAnnouncement), hasMore }
}

/** Returns a post. A former address still finds it: the `slug` in the response then differs from the requested one. */
export const getPost: Handler<typeof api.getPost> = async ({ params }, { db }) => {
  const asked = languageIn(params.lang)
  const inAsked = (rows: readonly AnnouncementRow[]) => rows.find(({ language }) => language === asked)
  let rows = await readPostsAt(db, params.slug)
  if (!inAsked(rows)) {
    const moved = await listMovedFrom(db, params.slug)
    const found =
      moved.find(({ language }) => language === asked) ?? (rows.length === 0 ? moved[0] : undefined)
    if (found) rows = await readPostsAt(db, found.slug)
  }
  const row = inAsked(rows) ?? rows[0]
  if (!row) throw new Refused('not_found')
  return {
    post: presentAnnouncement(row),
    languages: rows.map(({ language }) => language),
    related: (await listRelated(db, row)).map(presentCard),
    sharePicture: sharePictureOf(row),
  }
}

export const listPostAddresses: Handler<typeof api.listPostAddresses> = async (_input, { db }) =>
  (await listAddresses(db)).map((row) => ({
    slug: row.slug,
    language: row.language,
    // A draft may have been edited before it was published.
    changedAt: (row.edited_at && row.edited_at > row.posted_at ? row.edited_at : row.posted_at).toISOString(),
  }))

export function languageIn(lang: string): Language {
  const language = languages.find((known) => known === lang)
  if (!language) throw new Refused('not_found')
  return language
}
