import { setTimeout } from 'node:timers/promises'
import { endMaintenance, startMaintenance } from '#api/maintenance/switch-maintenance.ts'
import type { Database } from '#api/platform/db/database.ts'
import { haveEnded, readNextTransaction } from '#api/platform/maintenance/maintenance.queries.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'

/** How long the command waits until every instance knows, in milliseconds. They know within a second. */
const knownAfter = 2 * SECOND
const waitMax = 30 * SECOND

/** `npm run admin -- maintenance on|off`. Returns the sentence to print. */
export async function switchMaintenance(db: Database, args: readonly string[]): Promise<string> {
  const [state, option, time, ...rest] = args
  if (state === 'off' && option === undefined) {
    const wasOn = await endMaintenance(db, { actorId: null })
    return wasOn ? 'Maintenance is off.' : 'Maintenance was already off.'
  }
  const isTimed = option === '--until' && time !== undefined && rest.length === 0
  if (state !== 'on' || (option !== undefined && !isTimed))
    throw new StartRefused('Use `maintenance on`, `maintenance on --until TIME`, or `maintenance off`.')
  await startMaintenance(db, { actorId: null, until: isTimed ? parseEnd(time, new Date()) : null })
  return (await waitForWriters(db))
    ? 'Maintenance is on. No change is in progress.'
    : `Maintenance is on, but a change that began before is still in progress after ${waitMax / SECOND} seconds. Check pg_stat_activity before you go on.`
}

/** Whether all transactions that began before every instance knew have ended in time. */
async function waitForWriters(db: Database): Promise<boolean> {
  await setTimeout(knownAfter)
  const next = await readNextTransaction(db)
  for (const end = performance.now() + waitMax; performance.now() < end; await setTimeout(SECOND / 4))
    if (await haveEnded(db, next)) return true
  return false
}

/** Parses a time in ISO 8601 with its time zone, or the next `14:30` in UTC. */
export function parseEnd(text: string, now: Date): Date {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hours !== undefined && minutes !== undefined) {
    const today = Math.floor(now.getTime() / DAY) * DAY + Number(hours) * HOUR + Number(minutes) * MINUTE
    return new Date(today > now.getTime() ? today : today + DAY)
  }
  const end = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? new Date(text) : undefined
  if (!end || !(end > now))
    throw new StartRefused(
      `${text} isn’t a time in the future. Use a time in UTC such as 14:30, or one such as 2026-12-03T14:30Z.`,
    )
  return end
}
