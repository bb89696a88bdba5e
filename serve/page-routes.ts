import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SECOND } from '#contract/platform/durations.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import type { Served } from '#web/entry.server.tsx'
import { htmlLanguage, isLanguage, languageOfAddress, withoutPrefix } from '#web/kernel/i18n/language.ts'
import { sendCached } from './response-cache/cached-body.ts'
import { languageCookie, languageInCookies } from './language-choice.ts'
import type { CachedPage, GetPage, Place } from './response-cache/cached-pages.ts'
import { redirectWithin } from './redirect.ts'
import { unavailableFor } from './error-responses.ts'

export function languagesAt(path: string): readonly Language[] {
  const fixed = languageOfAddress(path)
  return fixed ? [fixed] : languages
}

/** The routes of every page: GET and HEAD, and `?language=` to choose a language without JavaScript. */
export function mountPages(
  site: FastifyInstance,
  served: readonly Served[],
  { publicUrl, clientOf }: { publicUrl: URL; clientOf: (ip: string) => string },
  getPage: GetPage,
): void {
  const isSecure = publicUrl.protocol === 'https:'
  for (const entry of served) {
    const acceptsForm = 'acceptsForm' in entry
    site.route({
      method: [...(acceptsForm ? [] : ['POST']), 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: entry.path,
      onRequest: async (_request, reply) =>
        reply
          .code(405)
          .header('allow', acceptsForm ? 'GET, HEAD, POST' : 'GET, HEAD')
          .send(),
      handler: (_request, reply) => reply,
    })
    const fixed = languageOfAddress(entry.path)
    site.route({
      method: ['GET', 'HEAD'],
      url: entry.path,
      handler: async (request, reply) => {
        if ('redirect' in entry) return redirectWithin(reply, entry.redirect + queryOf(request), 302)
        const requestedLanguage = (request.query as Record<string, unknown>)['language']
        if (isLanguage(requestedLanguage)) return chooseLanguage(request, reply, requestedLanguage, isSecure)
        const known = languageInCookies(request.headers.cookie)
        const language = fixed ?? known ?? 'en'
        const page = await getPage(placeOf(entry, request), language, clientOf(request.ip))
        const { status, body, location, retryAfterSeconds, isOld } = page
        noteShown(page, entry, request, language)
        // A page with its own not-found message is sent instead.
        if (status === 404 && body.identity.length === 0) return reply.callNotFound()
        if (location !== undefined)
          return redirectWithin(
            reply.headers({ 'cache-control': 'no-cache', vary: 'Cookie' }),
            location + queryOf(request),
            301,
          )
        const chosen = known ?? fixed
        if (chosen) void reply.header('set-cookie', languageCookie(chosen, isSecure))
        if (status === 503)
          void reply.header('retry-after', String(retryAfterSeconds ?? unavailableFor / SECOND))
        // The URL of such a page may contain an emailed code. A form that works without JavaScript has it in its query.
        if (!entry.isReady || acceptsForm) void reply.header('referrer-policy', 'no-referrer')
        void reply.code(status).headers({
          'cache-control': isOld ? 'no-store' : 'no-cache',
          'content-language': htmlLanguage[language],
          vary: 'Cookie, Accept-Encoding',
        })
        return sendCached(request, reply, body)
      },
    })
  }
}

/**
 * The cache key of a page: its path and the part of the query that the page depends on. A page that loads its data in
 * the browser is the same for every query.
 */
function placeOf(entry: Exclude<Served, { redirect: string }>, request: FastifyRequest): Place {
  const queryParams = request.query as Record<string, unknown>
  const query = new URLSearchParams()
  for (const name of entry.query) {
    const value = queryParams[name]
    if (typeof value === 'string' && value) query.set(name, value)
  }
  const path = entry.isReady ? filled(entry.path, request.params as Record<string, string>) : entry.path
  return {
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    topic: entry.topic,
    isOpen: entry.isReady && entry.path.includes(':'),
  }
}

/**
 * Notes what a public page shows, so that it is counted as read. A page with parameters counts as one page, because the
 * profile of an ambassador is about a person. Posts count separately.
 */
function noteShown(
  { status, body }: CachedPage,
  entry: Exclude<Served, { redirect: string }>,
  request: FastifyRequest,
  language: Language,
): void {
  if (status !== 200 || !entry.isPublic) return
  const { slug = '' } = request.params as { slug?: string }
  body.shows ??= entry.isPost
    ? { kind: 'post', item: slug, language }
    : { kind: 'page', item: withoutPrefix(entry.path), language }
}

const filled = (path: string, params: Record<string, string>): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

const queryOf = (request: FastifyRequest): string => {
  const at = request.url.indexOf('?')
  return at < 0 ? '' : request.url.slice(at)
}

/** Stores the choice in the cookie and redirects to the same page, from the URL of one language to the common one. */
function chooseLanguage(
  request: FastifyRequest,
  reply: FastifyReply,
  language: Language,
  isSecure: boolean,
): FastifyReply {
  const [path = '/', query = ''] = request.url.split('?', 2)
  const search = new URLSearchParams(query)
  search.delete('language')
  const address = withoutPrefix(path).replace(/^\/{2,}/, '/')
  void reply.header('set-cookie', languageCookie(language, isSecure)).header('cache-control', 'no-store')
  return redirectWithin(reply, search.size > 0 ? `${address}?${search.toString()}` : address, 303)
}
