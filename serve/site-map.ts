import type { Language } from '#contract/fields.ts'
import type { Served } from '#web/entry.server.tsx'
import { htmlLanguage, languageOfAddress, withoutPrefix, withPrefix } from '#web/i18n/language.ts'

type PostAddress = { slug: string; language: Language; changedAt: string }

/**
 * A sitemap (https://www.sitemaps.org/protocol.html) that lists each page with its versions in other complete
 * languages. `changedAt` returns the ISO time of a page's last change if known.
 */
export function siteMap(
  served: readonly Served[],
  origin: string,
  languages: readonly Language[],
  items: {
    changedAt: ReadonlyMap<string, string>
    posts: readonly PostAddress[]
    /** The URL paths of single items, in every language. */
    ofOne: readonly string[]
  },
): string {
  const { changedAt, ofOne } = items
  const posts = items.posts.filter(({ language }) => languages.includes(language))
  const listed = served
    .flatMap((entry) => ('isListed' in entry && entry.isListed ? [entry.path] : []))
    .filter((path) => languages.includes(languageOfAddress(path) ?? 'en'))
  const paths = [
    ...listed,
    ...ofOne.flatMap((path) => languages.map((language) => withPrefix(language, path))),
  ]
  const entries = paths.map((path) => {
    const common = withoutPrefix(path)
    const spoken = languages.map((language) => [htmlLanguage[language], withPrefix(language, common)])
    const alternates = [...spoken, ['x-default', common]].map(
      ([lang, to]) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${origin}${to}"/>`,
    )
    const changed = changedAt.get(path)
    const lastmod = changed ? `<lastmod>${changed}</lastmod>` : ''
    return `<url><loc>${origin}${path}</loc>${lastmod}${alternates.join('')}</url>`
  })
  const slugs = new Map<string, PostAddress[]>()
  for (const post of posts) slugs.set(post.slug, [...(slugs.get(post.slug) ?? []), post])
  const articles = posts.map((post) => articleEntry(post, slugs.get(post.slug) ?? [], origin))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${entries.join('')}${articles.join('')}</urlset>\n`
}

/** A post is listed with its translation, if there is one. */
function articleEntry(post: PostAddress, siblings: readonly PostAddress[], origin: string): string {
  const addressOf = ({ slug, language }: PostAddress) => {
    const path = `/news/${encodeURIComponent(slug)}`
    return origin + withPrefix(language, path)
  }
  const alternates =
    siblings.length < 2
      ? []
      : siblings.map(
          (each) =>
            `<xhtml:link rel="alternate" hreflang="${htmlLanguage[each.language]}" href="${addressOf(each)}"/>`,
        )
  return `<url><loc>${addressOf(post)}</loc><lastmod>${post.changedAt}</lastmod>${alternates.join('')}</url>`
}
