import { DAY } from '#contract/durations.ts'

/** Orders and approved identities of who left are kept so long, as anti-money-laundering law commonly demands. */
export const retention = 5 * 365.25 * DAY
