import { HOUR, MINUTE, SECOND } from '#contract/durations.ts'

/**
 * Delays after failed attempts, as recommended by Standard Webhooks; after the last one the delivery has
 * failed. Three days in total.
 */
export const retryWaits: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  20 * HOUR,
]
const jitter = 0.2

/**
 * The delay after this many failures; `undefined` ends the retries. Randomized, so that retries do not
 * coincide.
 */
export function waitAfter(failed: number, random: () => number = Math.random): number | undefined {
  const wait = retryWaits[failed - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 + jitter * random()))
}

/** An endpoint without a successful delivery for this long is disabled, in milliseconds. */
export const disabledAfter = 70 * HOUR
