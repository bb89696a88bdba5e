import { SECOND } from '#contract/platform/durations.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import type { Changes } from '../db/changes.ts'
import { onCommitted } from '../db/committed-changes.ts'
import type { Database } from '../db/database.ts'
import { Refused } from '../refused.ts'
import { findMaintenance, type MaintenanceRow } from './maintenance.queries.ts'

/** What this instance knows about maintenance. Reading it costs no statement while changes are announced. */
export type KnownMaintenance = {
  /** Maintenance that is on, as last read. */
  current(): MaintenanceRow | undefined
  /** The same. If an announcement may have been missed, it is read again first, at most once a second. */
  check(): Promise<MaintenanceRow | undefined>
  reload(): Promise<void>
  /** Follows the announcements of other instances from now on. */
  follow(changes: Pick<Changes, 'on' | 'onListening'>): void
}

/** How old a reading may be while announcements may be missed, in milliseconds. */
const ageMax = SECOND

export function makeKnownMaintenance(db: Database): KnownMaintenance {
  let known: MaintenanceRow | undefined
  let readAt = -Infinity
  let isHeard = true
  let hasFailed = false
  let last: Promise<unknown> = Promise.resolve()

  async function read(): Promise<void> {
    hasFailed = true
    known = await findMaintenance(db)
    hasFailed = false
    readAt = performance.now()
  }
  /** One after the other, so that the last reading is the newest. */
  function reload(): Promise<void> {
    const reading = last.then(read)
    last = reading.catch(() => {})
    return reading
  }
  const hear = (topic: string) => void (topic === 'maintenance' && reload().catch(() => {}))
  onCommitted(db, hear)

  return {
    current: () => known,
    async check() {
      if ((!isHeard || hasFailed) && performance.now() - readAt > ageMax) await reload()
      return known
    },
    reload,
    follow(changes) {
      changes.on(hear)
      changes.onListening((next) => (isHeard = next))
    },
  }
}

/** Whether maintenance refuses an endpoint: by default, everything that isn't GET. */
export const isRefusedInMaintenance = ({ method, inMaintenance }: Endpoint): boolean =>
  inMaintenance === undefined ? method !== 'GET' : inMaintenance === 'refused'

/** Refuses to write during maintenance. */
export async function requireNoMaintenance(maintenance: Pick<KnownMaintenance, 'check'>): Promise<void> {
  const found = await maintenance.check()
  if (found) throw new Refused('maintenance', found.until ? { until: found.until } : {})
}
