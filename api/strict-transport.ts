import { DAY, SECOND } from '#contract/durations.ts'

const further = {
  host: '',
  subdomains: '; includeSubDomains',
  preload: '; includeSubDomains; preload',
} as const
export type StrictTransportScope = keyof typeof further
export const strictTransportScopes = Object.keys(further) as StrictTransportScope[]

/** Of sub-domains nothing is said by itself: others may serve them, and without TLS. Zero days take back what was said. */
export function strictTransportOf(
  days: number,
  scope: StrictTransportScope,
  refuse: (demand: string) => never,
): string {
  // As the list that browsers are shipped with demands (hstspreload.org).
  if (scope === 'preload' && days < 365) refuse('must be 365 or more if HSTS_SCOPE is preload')
  return `max-age=${(days * DAY) / SECOND}${further[scope]}`
}
