import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { KIB } from '#contract/platform/fields.ts'
import type { Language } from '#contract/platform/languages.ts'
import { pastedLengthMax } from '#contract/publishing/official.ts'
import type * as Entry from '#web/entry.server.tsx'
import type { Served } from '#web/entry.server.tsx'
import { htmlLanguage, languageOfAddress } from '#web/kernel/i18n/language.ts'
import { languageInCookies } from './language-choice.ts'
import { busyHtml } from './response-cache/cached-pages.ts'
import { Busy, makeRenderQueue } from './response-cache/render-queue.ts'
import { redirectWithin } from './redirect.ts'

export type Posted = NonNullable<Parameters<typeof Entry.render>[0]['posted']>
/** The API's response for a client, or the message of its error. */
export type CheckOfficial = (
  text: string,
  asker: { ip: string; language: Language },
) => Promise<{ posted: Posted; status: number; retryAfter?: string | undefined }>

type Options = {
  publicUrl: URL
  clientOf: (ip: string) => string
  checkOfficial: CheckOfficial
  messagesIn: (language: Language) => Readonly<Record<string, string>>
}
type Render = (path: string, language: Language, posted: Posted) => Promise<{ html: string }>

/** A text of the maximum length in UTF-8, form-encoded. */
const bodyBytesMax = 32 * KIB
/** Milliseconds by which each error is delayed for a client that keeps sending requests. */
export const errorDelay = 250
const formType = 'application/x-www-form-urlencoded'

/** The page changes nothing, so it is enough to reject forms that other sites post. */
function isFromHere({ headers }: FastifyRequest, origin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return headers.origin === undefined || headers.origin === origin || headers.origin === 'null'
}

type Answer = { posted: Posted; status: number; retryAfter?: string | undefined }

/**
 * The form of `/official` without JavaScript. The result is a separate page that is not cached. Requests are checked
 * and rendered in turn, so that one client does not delay others.
 */
export async function servePostedChecks(
  site: FastifyInstance,
  served: readonly Served[],
  { publicUrl, clientOf, checkOfficial, messagesIn }: Options,
  render: Render,
): Promise<void> {
  const paths = served.flatMap((entry) => ('acceptsForm' in entry ? [entry.path] : []))
  const queue = makeRenderQueue()
  const { check, rejectTooLong } = makeChecks(checkOfficial, messagesIn)

  /** Rejecting a request must cost almost nothing, so the queue comes before the check, which queries the database. */
  async function sendInTurn(
    request: FastifyRequest,
    reply: FastifyReply,
    check: (language: Language) => Answer | Promise<Answer>,
  ): Promise<FastifyReply> {
    const language = languageOf(request)
    const page = await queue
      .enter(clientOf(request.ip), async () => {
        const { posted, ...answer } = await check(language)
        return { ...answer, ...(await render(pathOf(request), language, posted)) }
      })
      .catch(async (failure: unknown) => {
        if (!(failure instanceof Busy)) throw failure
        await wait(errorDelay)
        const html = busyHtml(language, messagesIn(language)['errors.unavailable'] ?? '')
        return { html, status: 503, retryAfter: String(failure.retryAfterSeconds) }
      })
    if (page.retryAfter !== undefined) void reply.header('retry-after', page.retryAfter)
    return reply
      .code(page.status)
      .headers({ ...fixedHeaders, 'content-language': htmlLanguage[language] })
      .type('text/html; charset=utf-8')
      .send(page.html)
  }

  await site.register(async (forms) => {
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser(formType, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    forms.setErrorHandler((error: { statusCode?: number }, request, reply) => {
      if (error.statusCode !== 413) throw error
      // The body was not read to its end.
      void reply.header('connection', 'close')
      return sendInTurn(request, reply, (language) => rejectTooLong(language, 413))
    })
    for (const url of paths)
      forms.route({
        method: 'POST',
        url,
        bodyLimit: bodyBytesMax,
        handler: (request, reply) =>
          isFromHere(request, publicUrl.origin)
            ? sendInTurn(request, reply, (language) => check(textOf(request), request.ip, language))
            : redirectWithin(reply, pathOf(request), 303),
      })
  })
}

/** Checks readable texts; others are rejected without querying the list. */
function makeChecks(checkOfficial: CheckOfficial, messagesIn: Options['messagesIn']) {
  const refuse = (problem = '', status: number): Answer => ({ posted: { problem, text: '' }, status })
  function rejectTooLong(language: Language, status: number): Answer {
    const max = pastedLengthMax.toLocaleString(htmlLanguage[language])
    return refuse(messagesIn(language)['official.form.long']?.replace('{max}', max), status)
  }
  function check(text: string, ip: string, language: Language): Answer | Promise<Answer> {
    if (text.length > pastedLengthMax) return rejectTooLong(language, 400)
    if (text.trim() === '') return refuse(messagesIn(language)['official.form.empty'], 400)
    return checkOfficial(text, { ip, language })
  }
  return { check, rejectTooLong }
}

const fixedHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}
const textOf = ({ body }: FastifyRequest): string =>
  new URLSearchParams(typeof body === 'string' ? body : '').get('text') ?? ''
const pathOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? '/'
const languageOf = (request: FastifyRequest): Language =>
  languageOfAddress(pathOf(request)) ?? languageInCookies(request.headers.cookie) ?? 'en'
