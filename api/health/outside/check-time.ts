import type { HealthCheck } from '#contract/console-health.ts'
import { MINUTE } from '#contract/durations.ts'
import { checked } from '../check.ts'
import type { Outside } from './outside.ts'

/** Certificates, codes of authenticators and signed requests to buckets allow for about as much. */
const patience = MINUTE

/** Whether the clock of this machine is right: a proxy and a database on the same machine have the same one. */
export async function checkTime({ now, time }: Outside): Promise<HealthCheck> {
  const asked = now().getTime()
  const right = await time().catch(() => undefined)
  if (!right || Number.isNaN(right.getTime())) return checked('time', { facts: {}, isUnchecked: true })
  const apart = Math.max(asked - right.getTime(), right.getTime() - now().getTime(), 0)
  return checked('time', { facts: { clockApart: apart }, problems: { time_wrong: apart > patience } })
}
