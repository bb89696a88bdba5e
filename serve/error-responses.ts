import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { SECOND } from '#contract/platform/durations.ts'
import { languageOfAddress, withPrefix } from '#web/kernel/i18n/language.ts'

/** When to retry during an outage. */
export const unavailableFor = 5 * SECOND

/** Clients check that an unknown well-known address gets a 404 before they trust the others (change-password-url). */
const filePlaces = ['/assets/', '/data/', '/.well-known/']

/**
 * Redirects people to the home page with a notice. Requests for files, and all requests from other clients, get a 404.
 */
export function respondNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isFile = filePlaces.some((place) => request.url.startsWith(place))
  const isPerson = request.method === 'GET' && request.headers.accept?.includes('text/html') === true
  void reply.header('x-robots-tag', 'noindex').header('cache-control', 'no-store').header('vary', 'Accept')
  if (isPerson && !isFile) {
    const home = withPrefix(languageOfAddress(request.url) ?? 'en', '/')
    return reply.redirect(`${home}?notice=not-found`, 302)
  }
  return reply.code(404).type('text/plain; charset=utf-8').send(STATUS_CODES[404])
}

/** Whether the error is the response of an API request in the same process. */
export const isOfCall = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && error.status === 503

/** The cause of an error is only logged. During an outage, the response says when to retry. */
export const failureAnswerer =
  (isOutage: (error: unknown) => boolean = () => false) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const status = error.statusCode ?? (isOutage(error) || isOfCall(error) ? 503 : 500)
    if (status === 503) {
      request.log.debug({ code: error.code }, 'a dependency is unavailable')
      void reply.header('retry-after', String(unavailableFor / SECOND))
    } else if (status >= 500) request.log.error({ error }, 'unexpected')
    return reply
      .code(status)
      .header('cache-control', 'no-store')
      .type('text/plain; charset=utf-8')
      .send(STATUS_CODES[status])
  }
