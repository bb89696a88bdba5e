import type { Served } from '#web/entry.server.tsx'
import { withoutPrefix, withPrefix } from './language-choice.ts'

/**
 * https://www.sitemaps.org/protocol.html, with the other language of each page beside it. `changedAt` gives the ISO
 * time of a page's last change where it is known.
 */
export function siteMap(
  served: readonly Served[],
  origin: string,
  changedAt: ReadonlyMap<string, string>,
): string {
  const paths = served.flatMap((entry) => ('isPublic' in entry && entry.isPublic ? [entry.path] : []))
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
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${entries.join('')}</urlset>\n`
}
