import { DAY, SECOND } from '#contract/platform/durations.ts'

/** For files whose address contains a hash of their content, so that they never change. */
export const immutable = `public, max-age=${(365 * DAY) / SECOND}, immutable`

const policy = (apiOrigin: string | null): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${apiOrigin ? ` ${apiOrigin}` : ''}`,
    "media-src 'self'",
    // A worker computes proofs of work, and a service worker serves the offline page.
    "worker-src 'self'",
    "manifest-src 'self'",
    // This site only frames previews; all other pages refuse to be framed.
    "frame-src 'self' https://www.youtube-nocookie.com",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The second policy belongs to the editor, which parses pasted text in an inert document. The third is for emails
    // in the console, which are also shown in an inert frame. The last two each allow the URL of one of our scripts.
    'trusted-types announcement ProseMirrorClipboard mail-frame work-solver offline-page',
  ].join('; ')

type Site = {
  publicUrl: URL
  endpointBase: string
  isProduction: boolean
  /** Value of Strict-Transport-Security if the site uses HTTPS. */
  strictTransport?: string
}

/**
 * Headers of every response of the site. In development the Content-Security-Policy is omitted, because Vite needs
 * inline scripts.
 */
export function securityHeaders({
  publicUrl,
  endpointBase,
  isProduction,
  strictTransport,
}: Site): Record<string, string> {
  const api = new URL(endpointBase, publicUrl)
  return {
    ...(isProduction
      ? { 'content-security-policy': policy(api.origin === publicUrl.origin ? null : api.origin) }
      : {}),
    ...(publicUrl.protocol === 'https:' && strictTransport
      ? { 'strict-transport-security': strictTransport }
      : {}),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
  }
}

/** Headers that browsers apply only to documents and workers. They make up more than half of a script's headers. */
const ofDocuments = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'referrer-policy',
  'x-frame-options',
]

/**
 * Headers that can be omitted for a file. Scripts, styles, and fonts follow the policies of their document. A worker,
 * whose file name is set by the build, has its own policy, and a picture may be opened as a document.
 */
export const headersInVain = (file: string): readonly string[] =>
  /^(?!work).*\.(?:css|js|woff2)$/.test(file) ? ofDocuments : []
