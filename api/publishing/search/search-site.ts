import type { api } from '#contract/api.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { SearchResult } from '#contract/publishing/search.ts'
import { saleFacts } from '../../money/sale/public-sale.ts'
import type { Handler } from '../../platform/http/handler.ts'
import type { Services } from '../../platform/services.ts'
import type { SiteContent } from '../../platform/site-content/site-content.ts'
import { findPublished } from '../announcements/reading.queries.ts'
import { searchFor, textOfHtml } from '../announcements/search-text.ts'
import { findWhitePaper } from '../content/white-paper.ts'
import { listEntries, type Entry } from './list-entries.ts'
import { byScore, findAll, findSome, markWords, passageOf, type Ranked, scorePosts } from './rank-entries.ts'

const pagesMax = 20
const postsMax = 10
/** The maximum number of results that contain only some of the words. */
const partialMax = 8

export const searchSite: Handler<typeof api.searchSite> = async ({ query: { language, q } }, services) => {
  const search = searchFor(q)
  if (!search) return { results: [], isPartial: false, hasMorePosts: false }
  const entries = await entriesOf(services, language)
  const posts = await findPublished(services.db, language, search, postsMax + 1)
  const found = [
    ...findAll(entries, q).toSorted(byScore).slice(0, pagesMax),
    ...scorePosts(posts.slice(0, postsMax).map(postEntry), q),
  ]
  const isPartial = found.length === 0
  const shown = isPartial
    ? findSome(entries, q).toSorted(byScore).slice(0, partialMax)
    : found.toSorted(byScore)
  return {
    results: shown.map((each) => present(each, q, isPartial)),
    isPartial: isPartial && shown.length > 0,
    hasMorePosts: posts.length > postsMax,
  }
}

/** The entries in each language, until the content changes. */
const known = new WeakMap<SiteContent, Map<Language, Entry[]>>()

async function entriesOf(services: Services, language: Language): Promise<Entry[]> {
  const { content, config } = services
  const byLanguage = known.get(content) ?? new Map<Language, Entry[]>()
  if (!known.has(content)) {
    known.set(content, byLanguage)
    content.onChange(() => byLanguage.clear())
  }
  const { days, timeZone: zone } = config.withdrawals
  const entries = byLanguage.get(language) ?? listEntries(content, language, { days: String(days), zone })
  byLanguage.set(language, entries)
  const hidden = await hiddenAddresses(services)
  return entries.filter(({ address }) => !hidden.some((each) => address.startsWith(each)))
}

/** Prefixes of addresses that don't exist, or say nothing, with the current settings and content. */
async function hiddenAddresses(services: Services): Promise<string[]> {
  const whitePaper = await findWhitePaper(services)
  const { wallet, downloads } = services.content.brand().links
  const hasWallet = downloads !== undefined || Object.values(wallet).some(Boolean)
  return [
    ...(hasWallet ? [] : ['/#wallet']),
    ...(whitePaper ? [] : ['/white-paper']),
    ...(whitePaper?.withdrawalDays === 0 ? ['/white-paper#withdrawal'] : []),
    ...(saleFacts(services).isPublic ? [] : ['/sale']),
  ]
}

const postEntry = ({
  slug,
  title,
  beginning,
  posted_at,
}: Awaited<ReturnType<typeof findPublished>>[number]): Entry => ({
  kind: 'post',
  address: `/news/${encodeURIComponent(slug)}`,
  title,
  page: null,
  // The text may end inside a tag.
  text: textOfHtml(beginning.replace(/<[^>]*$/, '')),
  postedDate: posted_at.toISOString(),
})

const present = ({ entry }: Ranked, q: string, isPartial: boolean): SearchResult => ({
  kind: entry.kind,
  address: entry.address,
  page: entry.page,
  postedDate: entry.postedDate,
  title: markWords(entry.title, q, isPartial),
  text: markWords(passageOf(entry.text, q, isPartial), q, isPartial),
})
