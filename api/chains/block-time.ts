import { HOUR } from '#contract/durations.ts'

/**
 * Tolerance for block times, in milliseconds: nodes accept any time later than the median of the last eleven blocks.
 */
export const blockTimeTolerance = 2 * HOUR
