import type { Brand } from '#contract/publishing/content.ts'
import { DAY } from '#contract/platform/durations.ts'

export const securityTextPath = '/.well-known/security.txt'

/** Where to report vulnerabilities (RFC 9116). Expires a year after `since`, an ISO time. */
export const securityText = (origin: string, { email }: Pick<Brand, 'email'>, since: string): string =>
  [
    `Contact: mailto:${email}`,
    `Expires: ${new Date(Date.parse(since) + 365 * DAY).toISOString()}`,
    'Preferred-Languages: en, zh',
    `Canonical: ${origin}${securityTextPath}`,
    '',
  ].join('\n')
