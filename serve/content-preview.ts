import type { FastifyInstance } from 'fastify'
import type { Language } from '#contract/platform/fields.ts'
import type { Call } from '#web/kernel/call/call.ts'
import type { Rendered, Served } from '#web/entry.server.tsx'
import { languageOfAddress } from '#web/kernel/i18n/language.ts'

/** Returns an API client that applies all drafts, for a preview token. */
export type PreviewCall = (token: string, ip: string) => Promise<Call | undefined>
type Render = (path: string, language: Language, call: Call) => Promise<Rendered>

/** Forbids scripts, framing by other sites, and caching. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': [
    'sandbox allow-same-origin',
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'SAMEORIGIN',
  'x-robots-tag': 'noindex, nofollow',
}

/** Serves pages with the editors' drafts applied. */
export function servePreviews(
  site: FastifyInstance,
  served: readonly Served[],
  previewCall: PreviewCall,
  render: Render,
): void {
  const pages = served.flatMap((entry) =>
    'isPublic' in entry && entry.isPublic && entry.isReady
      ? [{ ...entry, pattern: patternOf(entry.path) }]
      : [],
  )
  // The preview of the home page has nothing after the token, and trailing slashes don't matter.
  for (const url of ['/content-preview/:token', '/content-preview/:token/*'])
    site.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        const { token, '*': rest = '' } = request.params as { token: string; '*'?: string }
        const requestedPath = `/${rest.replace(/^\/+/, '')}`
        const page = pages.find(({ pattern }) => pattern.test(requestedPath))
        const call = page && (await previewCall(token, request.ip))
        if (!call) return reply.callNotFound()
        const path = page.path.endsWith('/') ? page.path : requestedPath
        const rendered = await render(path, languageOfAddress(path) ?? 'en', call)
        if (rendered.status === 301 || rendered.status === 404) return reply.callNotFound()
        return reply
          .headers(headers)
          .code(rendered.status)
          .type('text/html; charset=utf-8')
          .send(within(rendered.html, token))
      },
    })
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\/$/, '').replaceAll(/:\w+/g, '[^/]+')}/?$`)

/** Rewrites links so that they stay within the preview, and removes scripts, which the policy would block anyway. */
const within = (html: string, token: string): string =>
  html
    .replaceAll(/<script\b[^>]*\bsrc=[^>]*><\/script>|<link\b[^>]*\brel="modulepreload"[^>]*>/g, '')
    .replaceAll(/(<a\b[^>]*?\shref=")\/(?!\/|assets\/)/g, `$1/content-preview/${token}/`)
