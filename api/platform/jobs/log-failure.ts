import { isOutage } from '../db/database.ts'
import { logOutage } from '../log-outage.ts'
import type { Services } from '../services.ts'

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

/** Logs why background work failed. A database outage is logged once, for all work that fails with it. */
export function logFailure({ log }: Pick<Services, 'log'>, error: unknown, message: string): void {
  if (isOutage(error)) logOutage(log, 'database', error as { code?: string })
  else log.error({ name: nameOf(error) }, message)
}
