import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { KIB } from '#contract/platform/fields.ts'
import type { Language } from '#contract/platform/languages.ts'
import { pastedLengthMax } from '#contract/publishing/official.ts'
import type * as Entry from '#web/entry.server.tsx'
import type { FormPage, Rendered, Served } from '#web/entry.server.tsx'
import { htmlLanguage, languageOfAddress } from '#web/kernel/i18n/language.ts'
import { languageInCookies } from './language-choice.ts'
import { busyHtml } from './response-cache/cached-pages.ts'
import { Busy, makeRenderQueue } from './response-cache/render-queue.ts'
import { redirectWithin } from './redirect.ts'

export type Posted = NonNullable<Parameters<typeof Entry.render>[0]['posted']>
type Sender = { ip: string; language: Language }
type Answer = { posted: Posted; status: number; retryAfter?: string | undefined }

/** What the API answers to a form of a client: a result, or the message of its error. */
export type PostedFormOptions = {
  checkOfficial: (text: string, sender: Sender) => Promise<Answer>
  sendContact: (fields: Fields, sender: Sender) => Promise<Answer>
  sendReminder: (fields: Fields, sender: Sender) => Promise<Answer>
}

type Options = PostedFormOptions & {
  publicUrl: URL
  clientOf: (ip: string) => string
  messagesIn: (language: Language) => Readonly<Record<string, string>>
}
type Render = (path: string, language: Language, posted: Posted) => Promise<Pick<Rendered, 'status' | 'html'>>

/** A text of the maximum length in UTF-8, form-encoded. */
const bodyBytesMax = 64 * KIB
/** Milliseconds by which each error is delayed for a client that keeps sending requests. */
export const errorDelay = 250
const formType = 'application/x-www-form-urlencoded'

/** Nobody is signed in by a form, so it is enough to reject those that other sites post. */
function isFromHere({ headers }: FastifyRequest, origin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return headers.origin === undefined || headers.origin === origin || headers.origin === 'null'
}

/**
 * The forms of `/official`, `/contact`, and `/sale/reminder` without JavaScript. The result is a separate page that is
 * not cached. Requests are checked and rendered in turn, so that one client does not delay others.
 */
export async function servePostedForms(
  site: FastifyInstance,
  served: readonly Served[],
  { publicUrl, clientOf, messagesIn, ...handlers }: Options,
  render: Render,
): Promise<void> {
  const pages = served.flatMap((entry) =>
    'acceptsForm' in entry ? [{ url: entry.path, page: entry.acceptsForm }] : [],
  )
  const pageOf = new Map(pages.map(({ url, page }) => [url, page]))
  const { answer, rejectTooLong } = makeAnswers(handlers, messagesIn)
  const sendInTurn = makeSender({ clientOf, messagesIn }, render)

  await site.register(async (forms) => {
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser(formType, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    forms.setErrorHandler((error: { statusCode?: number }, request, reply) => {
      if (error.statusCode !== 413) throw error
      // The body was not read to its end.
      void reply.header('connection', 'close')
      const page = pageOf.get(pathOf(request))
      return sendInTurn(request, reply, (language) => rejectTooLong(page, language, 413))
    })
    for (const { url, page } of pages)
      forms.route({
        method: 'POST',
        url,
        bodyLimit: bodyBytesMax,
        handler: (request, reply) =>
          isFromHere(request, publicUrl.origin)
            ? sendInTurn(request, reply, (language) =>
                answer(page, fieldsOf(request), { ip: request.ip, language }),
              )
            : redirectWithin(reply, pathOf(request), 303),
      })
  })
}

/**
 * Sends pages in turn. Rejecting a request must cost almost nothing, so the queue comes before the check, which queries
 * the database.
 */
function makeSender({ clientOf, messagesIn }: Pick<Options, 'clientOf' | 'messagesIn'>, render: Render) {
  const queue = makeRenderQueue()
  return async function sendInTurn(
    request: FastifyRequest,
    reply: FastifyReply,
    check: (language: Language) => Answer | Promise<Answer>,
  ): Promise<FastifyReply> {
    const language = languageOf(request)
    const page = await queue
      .enter(clientOf(request.ip), async () => {
        const { posted, ...answer } = await check(language)
        const { html, status } = await render(pathOf(request), language, posted)
        // A page that could not be rendered as a whole has a status of its own.
        return { ...answer, html, ...(status !== 200 && { status }) }
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
}

/** Answers forms. Texts that can't be checked are rejected without querying the list. */
function makeAnswers(
  { checkOfficial, sendContact, sendReminder }: PostedFormOptions,
  messagesIn: Options['messagesIn'],
) {
  const refuse = (problem = '', status: number): Answer => ({ posted: { problem, text: '' }, status })
  function rejectTooLong(page: FormPage | undefined, language: Language, status: number): Answer {
    const messages = messagesIn(language)
    if (page !== 'official') {
      const refused = { problems: { '': messages['errors.payload_too_large'] ?? '' }, given: {} }
      return { posted: page === 'saleReminder' ? { reminder: refused } : refused, status }
    }
    const max = pastedLengthMax.toLocaleString(htmlLanguage[language])
    return refuse(messages['official.form.long']?.replace('{max}', max), status)
  }
  function answer(page: FormPage, fields: Fields, sender: Sender): Answer | Promise<Answer> {
    if (page === 'saleReminder') return sendReminder(fields, sender)
    if (page !== 'official') return sendContact(fields, sender)
    const { text = '' } = fields
    if (text.length > pastedLengthMax) return rejectTooLong(page, sender.language, 400)
    if (text.trim() === '') return refuse(messagesIn(sender.language)['official.form.empty'], 400)
    return checkOfficial(text, sender)
  }
  return { answer, rejectTooLong }
}

const fixedHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}
type Fields = Readonly<Record<string, string>>
/** The fields of the form, and the codes in the address of the page that an email links to. */
const fieldsOf = ({ body, query }: FastifyRequest): Fields => {
  const { code, answer, cancel } = query as Record<string, unknown>
  return {
    ...Object.fromEntries(new URLSearchParams(typeof body === 'string' ? body : '')),
    ...(typeof code === 'string' && { code }),
    ...(typeof answer === 'string' && { answer }),
    ...(typeof cancel === 'string' && { cancel }),
  }
}
const pathOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? '/'
const languageOf = (request: FastifyRequest): Language =>
  languageOfAddress(pathOf(request)) ?? languageInCookies(request.headers.cookie) ?? 'en'
