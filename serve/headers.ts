const policy = (apiOrigin: string | null): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${apiOrigin ? ` ${apiOrigin}` : ''}`,
    "media-src 'self'",
    // Proofs of work are found beside the page.
    "worker-src 'self'",
    "manifest-src 'self'",
    // Of this site, previews only: every other page of it refuses to stand in a frame.
    "frame-src 'self' https://www.youtube-nocookie.com",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The second belongs to the editor: it reads what is pasted in a document where nothing runs. The third is for mails in
    // the console, in a frame where nothing runs either. The last is the address of one script of ours.
    'trusted-types announcement ProseMirrorClipboard mail-frame work-solver',
  ].join('; ')

type Site = {
  publicUrl: URL
  endpointBase: string
  isProduction: boolean
  /** What Strict-Transport-Security says where the site is https. */
  strictTransport?: string
}

/** The headers of every answer of the site. In development Vite needs inline scripts, so the policy is left out. */
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

/** What browsers heed of documents and workers only: more than half of what stands before a script on the wire. */
const ofDocuments = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'referrer-policy',
  'x-frame-options',
]

/**
 * Scripts, styles and fonts are parts of a document, whose policies hold for them. A worker (so the build names its script) has
 * those it comes with, and a picture may be a document.
 */
export const headersInVain = (file: string): readonly string[] =>
  /^(?!work).*\.(?:css|js|woff2)$/.test(file) ? ofDocuments : []
