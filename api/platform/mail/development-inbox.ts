import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { isLoopbackName } from '../is-loopback-name.ts'
import type { Services } from '../services.ts'
import { listLatestMails } from './mail.queries.ts'
import { linkify } from './mail-html.ts'
import type { RenderedMail } from './render-mail.ts'
import { openMail } from './encrypted-email.ts'
import { escapeHtml } from '../text/escape-html.ts'

const shownMax = 100

/**
 * The outbox as a page, for trying the product without SMTP. Emails contain valid codes, so it exists only on a
 * local site and only for requests from the same machine; for all others it is 404.
 */
export function mountDevelopmentInbox(
  app: FastifyInstance,
  { db, keys, config }: Services,
  headers: Record<string, string>,
): void {
  if (!hasDevelopmentInbox(config)) return
  app.get('/dev/inbox', { exposeHeadRoute: false }, async (request, reply) => {
    if (!isFromThisMachine(request)) return reply.callNotFound()
    const mails = (await listLatestMails(db, shownMax)).map((mail) => ({
      id: mail.id,
      to: mail.to_address,
      kind: mail.kind,
      at: mail.created_at.toISOString(),
      ...openMail(keys, { id: mail.id, sealed_message: mail.sealed_message! }),
    }))
    reply.headers(headers).header('cache-control', 'no-store').header('x-robots-tag', 'noindex')
    if (request.headers.accept?.includes('application/json')) return mails
    return reply.type('text/html; charset=utf-8').send(pageOf(mails))
  })
}

export const hasDevelopmentInbox = ({ isProduction, isLocal, smtpUrl }: Config): boolean =>
  isLocal && !isProduction && !smtpUrl

/** Headers that proxies add. Other proxies use HTTP/1.0 or identify themselves in `Via` (RFC 9110, 7.6.3). */
const isOfProxy = (header: string): boolean =>
  /^(x-forwarded-|forwarded$|via$|x-real-ip$|x-client-ip$|true-client-ip$|cf-|x-original-)/.test(header)

/**
 * Whether a person on this machine makes the request, with nothing in between. Only the connection and the raw
 * headers count, not TRUST_PROXY, which may be too wide.
 */
function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  const address = raw.socket.remoteAddress ?? ''
  const isLocalClient = address === '::1' || /^(::ffff:)?127\./.test(address)
  const host = `http://${headers.host ?? ''}`
  return (
    isLocalClient &&
    raw.httpVersion !== '1.0' &&
    !Object.keys(headers).some(isOfProxy) &&
    URL.canParse(host) &&
    isLoopbackName(new URL(host).hostname)
  )
}

type ShownMail = { id: string; to: string; kind: string; at: string } & RenderedMail

const pageOf = (mails: ShownMail[]) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Inbox (development)</title></head>` +
  `<body><main><h1>Inbox (development)</h1><p>Emails aren’t sent because SMTP_URL isn’t set. Newest first.</p>` +
  mails.map(articleOf).join('') +
  `</main></body></html>`

const articleOf = (mail: ShownMail) =>
  `<article id="${escapeHtml(mail.id)}"><h2>${escapeHtml(mail.subject)}</h2>` +
  `<p>To: ${escapeHtml(mail.to)} · <time>${escapeHtml(mail.at)}</time></p>${paragraphsOf(mail.text)}</article><hr>`

/** Paragraphs wrap on a phone; preformatted text would not. */
const paragraphsOf = (text: string): string =>
  linkify(escapeHtml(text))
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`)
    .join('')
