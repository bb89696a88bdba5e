import type { HealthCheck } from '#contract/console-health.ts'
import { MINUTE } from '#contract/durations.ts'
import { checked } from '../check.ts'
import type { Outside } from './outside.ts'

/**
 * About the tolerance of certificates, authenticator codes, and signed requests to buckets. In milliseconds.
 */
const patience = MINUTE

/** Whether the clock of this machine is correct; a proxy and a database on the same machine share it. */
export async function checkTime({ now, time }: Outside): Promise<HealthCheck> {
  const asked = now().getTime()
  const right = await time().catch(() => undefined)
  if (!right || Number.isNaN(right.getTime())) return checked('time', { facts: {}, isUnchecked: true })
  const apart = Math.max(asked - right.getTime(), right.getTime() - now().getTime(), 0)
  return checked('time', { facts: { clockApart: apart }, problems: { time_wrong: apart > patience } })
}
