import type { api } from '#contract/api.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { bylineOf, presentAnnouncement } from './present-announcement.ts'
import { languageIn } from './read-posts.ts'
import { browsePublished, listBylines } from './reading.queries.ts'

export const listPostAuthors: Handler<typeof api.listPostAuthors> = async (_input, { db }) =>
  (await listBylines(db)).flatMap(({ id, name, languages }) => {
    const byline = bylineOf(id, name)
    return byline ? [{ ...byline, languages }] : []
  })

export const browsePostsByAuthor: Handler<typeof api.browsePostsByAuthor> = async (
  { params, query },
  { db },
) => {
  const language = languageIn(params.lang)
  // There are few authors, and their addresses are derived from their names, so the addresses are not stored.
  const known = (await listBylines(db)).find(({ id, name }) => bylineOf(id, name)?.slug === params.slug)
  const author = known && bylineOf(known.id, known.name)
  if (!author) throw new Refused('not_found')
  const { rows, hasMore } = await browsePublished(db, { language, byline: known.id, page: query.page })
  return { author, languages: known.languages, posts: rows.map(presentAnnouncement), hasMore }
}
