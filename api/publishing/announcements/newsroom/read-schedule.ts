import { DAY } from '#contract/platform/durations.ts'
import { scheduleDaysMax } from '#contract/publishing/newsroom.ts'
import { refusedField } from '../../../platform/refused.ts'
import type { Schedule } from '../announcement.queries.ts'

/** Requires a time in the future and a known time zone; otherwise refuses the field. */
export function readSchedule(
  publishAt: string | undefined,
  zone: string | undefined,
  now: Date = new Date(),
): Schedule {
  if (!publishAt) throw refusedField('publishAt', 'required')
  if (!zone) throw refusedField('zone', 'required')
  const moment = new Date(publishAt)
  if (Number.isNaN(moment.getTime()) || !isDay(publishAt.slice(0, 10)))
    throw refusedField('publishAt', 'invalid')
  if (moment <= now) throw refusedField('publishAt', 'past')
  if (moment.getTime() - now.getTime() > scheduleDaysMax * DAY)
    throw refusedField('publishAt', 'too_far', { max: scheduleDaysMax })
  if (!isZone(zone)) throw refusedField('zone', 'one_of')
  return { publishAt: moment, zone }
}

/** `Date` turns February 30 into March 2. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

/**
 * Whether this is a name in the IANA time zone database. `Intl` also accepts offsets, but these ignore daylight saving
 * time.
 */
function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
