import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { KIB } from '#contract/fields.ts'
import type { Language } from '#contract/languages.ts'
import { pastedLengthMax } from '#contract/official.ts'
import type * as Entry from '#web/entry.server.tsx'
import type { Served } from '#web/entry.server.tsx'
import { htmlLanguage, languageOfAddress } from '#web/i18n/language.ts'
import { languageInCookies } from './language-choice.ts'
import { busyHtml } from './page-cache.ts'
import { Busy, makePageQueue } from './page-queue.ts'
import { redirectWithin } from './redirect.ts'

export type Posted = NonNullable<Parameters<typeof Entry.render>[0]['posted']>
/** The API's answer for a client, or the sentence of its refusal. */
export type CheckOfficial = (
  text: string,
  asker: { ip: string; language: Language },
) => Promise<{ posted: Posted; status: number; retryAfter?: string | undefined }>

type Options = {
  publicUrl: URL
  clientOf: (ip: string) => string
  checkOfficial: CheckOfficial
  wordsIn: (language: Language) => Readonly<Record<string, string>>
}
type Render = (path: string, language: Language, posted: Posted) => Promise<{ html: string }>

/** A text of the longest length in UTF-8, written as a form sends it. */
const bodyBytesMax = 32 * KIB
const formType = 'application/x-www-form-urlencoded'

/** Of a page that changes nothing all that matters is that nobody else's page asks in a visitor's name. */
function isFromHere({ headers }: FastifyRequest, origin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return headers.origin === undefined || headers.origin === origin || headers.origin === 'null'
}

/**
 * The form of `/official` without script. The answer is a page of its own, which nobody keeps; it is rendered in turn, so that one client
 * does not hold up the others.
 */
export async function servePostedChecks(
  site: FastifyInstance,
  served: readonly Served[],
  { publicUrl, clientOf, checkOfficial, wordsIn }: Options,
  render: Render,
): Promise<void> {
  const paths = served.flatMap((entry) => ('takesForm' in entry ? [entry.path] : []))
  const queue = makePageQueue()
  await site.register(async (forms) => {
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser(formType, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    const sendPage = async (request: FastifyRequest, reply: FastifyReply, posted: Posted, status: number) => {
      const language = languageOf(request)
      const path = pathOf(request)
      const page = await queue
        .enter(clientOf(request.ip), () => render(path, language, posted))
        .catch((failure: unknown) => {
          if (!(failure instanceof Busy)) throw failure
          void reply.header('retry-after', String(failure.retryAfterSeconds))
          return undefined
        })
      return reply
        .code(page ? status : 503)
        .headers({
          'cache-control': 'no-store',
          'content-language': htmlLanguage[language],
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex',
        })
        .type('text/html; charset=utf-8')
        .send(page?.html ?? busyHtml(language, wordsIn(language)['errors.unavailable'] ?? ''))
    }
    const tooLong = (language: Language) =>
      (wordsIn(language)['official.form.long'] ?? '').replace(
        '{max}',
        pastedLengthMax.toLocaleString(htmlLanguage[language]),
      )
    forms.setErrorHandler((error: { statusCode?: number }, request, reply) => {
      if (error.statusCode !== 413) throw error
      // Of a body that is not read to its end.
      void reply.header('connection', 'close')
      return sendPage(request, reply, { problem: tooLong(languageOf(request)), text: '' }, 413)
    })
    for (const url of paths)
      forms.route({
        method: 'POST',
        url,
        bodyLimit: bodyBytesMax,
        handler: async (request, reply) => {
          if (!isFromHere(request, publicUrl.origin)) return redirectWithin(reply, pathOf(request), 303)
          const language = languageOf(request)
          const text =
            new URLSearchParams(typeof request.body === 'string' ? request.body : '').get('text') ?? ''
          if (text.length > pastedLengthMax)
            return sendPage(request, reply, { problem: tooLong(language), text: '' }, 400)
          if (text.trim() === '') {
            const problem = wordsIn(language)['official.form.empty'] ?? ''
            return sendPage(request, reply, { problem, text: '' }, 400)
          }
          const { posted, status, retryAfter } = await checkOfficial(text, { ip: request.ip, language })
          if (retryAfter !== undefined) void reply.header('retry-after', retryAfter)
          return sendPage(request, reply, posted, status)
        },
      })
  })
}

const pathOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? '/'
const languageOf = (request: FastifyRequest): Language =>
  languageOfAddress(pathOf(request)) ?? languageInCookies(request.headers.cookie) ?? 'en'
