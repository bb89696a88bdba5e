import { DAY, SECOND } from '#contract/durations.ts'

const further = {
  host: '',
  subdomains: '; includeSubDomains',
  preload: '; includeSubDomains; preload',
} as const
export type StrictTransportScope = keyof typeof further
export const strictTransportScopes = Object.keys(further) as StrictTransportScope[]

/**
 * Returns the value of the HSTS header. Subdomains are only included on request, because others may serve them without
 * TLS. Zero days revokes an earlier header.
 */
export function strictTransportOf(
  days: number,
  scope: StrictTransportScope,
  refuse: (demand: string) => never,
): string {
  // Required by the preload list of browsers (hstspreload.org).
  if (scope === 'preload' && days < 365) refuse('must be 365 or more if HSTS_SCOPE is preload')
  return `max-age=${(days * DAY) / SECOND}${further[scope]}`
}
