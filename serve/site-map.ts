import type { Language } from '#contract/fields.ts'
import type { Served } from '#web/entry.server.tsx'
import { withoutPrefix, withPrefix } from './language-choice.ts'

export type PostAddress = { slug: string; language: Language; changedAt: string }

/**
 * https://www.sitemaps.org/protocol.html, with the other language of each page beside it. `changedAt` gives the ISO
 * time of a page's last change where it is known.
 */
export function siteMap(
  served: readonly Served[],
  origin: string,
  changedAt: ReadonlyMap<string, string>,
  posts: readonly PostAddress[],
): string {
  const paths = served.flatMap((entry) => ('isListed' in entry && entry.isListed ? [entry.path] : []))
  const entries = paths.map((path) => {
    const common = withoutPrefix(path)
    const alternates = [
      ['en', common],
      ['zh-Hans', withPrefix(common)],
      ['x-default', common],
    ].map(([lang, to]) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${origin}${to}"/>`)
    const changed = changedAt.get(path)
    const lastmod = changed ? `<lastmod>${changed}</lastmod>` : ''
    return `<url><loc>${origin}${path}</loc>${lastmod}${alternates.join('')}</url>`
  })
  const slugs = new Map<string, PostAddress[]>()
  for (const post of posts) slugs.set(post.slug, [...(slugs.get(post.slug) ?? []), post])
  const articles = posts.map((post) => articleEntry(post, slugs.get(post.slug) ?? [], origin))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${entries.join('')}${articles.join('')}</urlset>\n`
}

/** A post stands in the list with its translation, where there is one. */
function articleEntry(post: PostAddress, siblings: readonly PostAddress[], origin: string): string {
  const addressOf = ({ slug, language }: PostAddress) => {
    const path = `/news/${encodeURIComponent(slug)}`
    return origin + (language === 'cn' ? withPrefix(path) : path)
  }
  const alternates =
    siblings.length < 2
      ? []
      : siblings.map(
          (each) =>
            `<xhtml:link rel="alternate" hreflang="${each.language === 'cn' ? 'zh-Hans' : 'en'}" href="${addressOf(each)}"/>`,
        )
  return `<url><loc>${addressOf(post)}</loc><lastmod>${post.changedAt}</lastmod>${alternates.join('')}</url>`
}
