import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { languageOfAddress, withPrefix } from '#web/i18n/language.ts'

const filePlaces = ['/assets/', '/data/']

/** Redirects people to the home page with a notice; requests for files and everything else get a 404. */
export function answerUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isFile = filePlaces.some((place) => request.url.startsWith(place))
  const isPerson = request.method === 'GET' && request.headers.accept?.includes('text/html') === true
  void reply.header('x-robots-tag', 'noindex').header('cache-control', 'no-store').header('vary', 'Accept')
  if (isPerson && !isFile) {
    const home = withPrefix(languageOfAddress(request.url) ?? 'en', '/')
    return reply.redirect(`${home}?notice=not-found`, 302)
  }
  return reply.code(404).type('text/plain; charset=utf-8').send(STATUS_CODES[404])
}

/** The cause of an error goes to the log only. */
export function answerFailure(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const status = error.statusCode ?? 500
  if (status >= 500) request.log.error({ error }, 'unexpected')
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(STATUS_CODES[status])
}
