import { HOUR, MINUTE, SECOND } from '#contract/durations.ts'

/** After failed attempts, as Standard Webhooks proposes; after the last one the delivery has failed. Three days in total. */
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

/** How long one waits that has failed so often; `undefined`: it is not tried again. Spread, so that not everything comes at once. */
export function waitAfter(failed: number, random: () => number = Math.random): number | undefined {
  const wait = retryWaits[failed - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 + jitter * random()))
}

/** Whatever was given up without anything having been delivered for so long: nobody is there any more. */
export const disabledAfter = 70 * HOUR
