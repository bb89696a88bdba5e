import { DAY } from '#contract/platform/durations.ts'

/** How long orders and approved identities of erased members are retained, as anti-money-laundering law commonly requires. */
export const retention = 5 * 365.25 * DAY
