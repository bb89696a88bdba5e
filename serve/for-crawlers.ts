import type { FastifyInstance } from 'fastify'
import type { Served } from '#web/entry.server.tsx'
import { keepBody, sendKept, type KeptBody } from './kept-body.ts'
import { withoutPrefix, withPrefix } from './language-choice.ts'

/** What browsers and search engines ask for by name: the icon, `robots.txt` and the list of public pages. */
export function serveForCrawlers(
  site: FastifyInstance,
  { icon, served, origin }: { icon: string; served: readonly Served[]; origin: string },
): void {
  for (const url of ['/favicon.svg', '/favicon.ico']) serve(site, url, keepBody('image/svg+xml', icon))
  serve(site, '/robots.txt', keepBody('text/plain; charset=utf-8', robots(origin)))
  serve(site, '/sitemap.xml', keepBody('application/xml; charset=utf-8', siteMap(served, origin)))
}

function serve(site: FastifyInstance, url: string, body: KeptBody): void {
  site.route({
    method: ['GET', 'HEAD'],
    url,
    handler: (request, reply) =>
      sendKept(request, reply.headers({ 'cache-control': 'no-cache', vary: 'Accept-Encoding' }), body),
  })
}

const robots = (origin: string): string => `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`

/** https://www.sitemaps.org/protocol.html, with the other language of each page beside it. */
function siteMap(served: readonly Served[], origin: string): string {
  const paths = served.flatMap((entry) => ('isPublic' in entry && entry.isPublic ? [entry.path] : []))
  const entries = paths.map((path) => {
    const common = withoutPrefix(path)
    const alternates = [
      ['en', common],
      ['zh-Hans', withPrefix(common)],
    ].map(([lang, to]) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${origin}${to}"/>`)
    return `<url><loc>${origin}${path}</loc>${alternates.join('')}</url>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${entries.join('')}</urlset>\n`
}
