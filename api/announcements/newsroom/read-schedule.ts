import { DAY } from '#contract/durations.ts'
import { scheduleDaysMax } from '#contract/newsroom.ts'
import { refusedField } from '../../refused.ts'
import type { Schedule } from '../announcement.queries.ts'

/** A moment ahead and a zone that the world knows; refused by field otherwise. */
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

/** `Date` makes the second of March of the thirtieth of February. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

/** A name of the IANA data base; an offset, which `Intl` takes too, knows nothing of summer time. */
function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
