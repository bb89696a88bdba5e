import type { FastifyReply } from 'fastify'

/**
 * Redirects within the site, whatever the URL was built from. If a browser would interpret it as another host, the
 * redirect leads to the home page.
 */
export function redirectWithin(reply: FastifyReply, address: string, status: 301 | 302 | 303): FastifyReply {
  const base = 'http://site.invalid'
  const url = URL.canParse(address, base) ? new URL(address, base) : new URL(base)
  const isOwn = url.origin === base && !url.pathname.startsWith('//')
  return reply.redirect(isOwn ? url.pathname + url.search + url.hash : '/', status)
}
