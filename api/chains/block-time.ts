import { HOUR } from '#contract/durations.ts'

/** The time of a block may be so far from the true one: blocks are taken in with any that is after the median of eleven. */
export const blockTimeTolerance = 2 * HOUR
