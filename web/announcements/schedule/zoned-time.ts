import { HOUR } from '#contract/platform/durations.ts'

/**
 * The points in time at which local clocks show a time: one, none if it is skipped when clocks go forward, or two if it
 * is repeated when clocks go back.
 */
export type Moments =
  | { kind: 'one'; at: number }
  | { kind: 'none' }
  | { kind: 'two'; earlier: number; later: number }

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockIn(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  clocks.set(zone, clock)
  return clock
}

/** The offset of a zone from UTC at a point in time, in milliseconds. */
function offsetAt(moment: number, zone: string): number {
  const parts = Object.fromEntries(
    clockIn(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment / 1000) * 1000
}

/** Parses a local time such as `2027-03-28T02:30` (from a date and time input) in an IANA zone. */
export function momentsOf(local: string, zone: string): Moments | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local)) return null
  const asUtc = Date.parse(`${local}:00Z`)
  if (Number.isNaN(asUtc)) return null
  // No zone changes its clocks twice within two days, so these are all the possible offsets.
  const offsets = new Set([offsetAt(asUtc - 24 * HOUR, zone), offsetAt(asUtc + 24 * HOUR, zone)])
  const [earlier, later] = [...offsets]
    .map((offset) => ({ offset, at: asUtc - offset }))
    .filter(({ offset, at }) => offsetAt(at, zone) === offset)
    .map(({ at }) => at)
    .toSorted((a, b) => a - b)
  if (earlier === undefined) return { kind: 'none' }
  return later === undefined ? { kind: 'one', at: earlier } : { kind: 'two', earlier, later }
}

/** A point in time as the clocks of a zone show it, in the format of `momentsOf`. */
export const localTimeOf = (moment: number, zone: string): string =>
  new Date(moment + offsetAt(moment, zone)).toISOString().slice(0, 16)

/** Such as `UTC+05:30`. */
export function offsetName(moment: number, zone: string): string {
  const minutes = Math.round(offsetAt(moment, zone) / 60_000)
  const two = (number: number) => String(number).padStart(2, '0')
  const size = Math.abs(minutes)
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** The zone set on the reader's device. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Zones of most readers of the two languages, offered in addition to the reader's own and UTC. */
const near = ['Asia/Shanghai', 'Europe/London', 'America/New_York']

let all: readonly string[] | undefined

/** The reader's zone and other frequent ones, followed by all zones that the browser knows. */
export function zonesToChoose(chosen: string): { first: string[]; rest: readonly string[] } {
  all ??= Intl.supportedValuesOf('timeZone')
  return { first: [...new Set([ownZone(), 'UTC', chosen, ...near])], rest: all }
}

export const zoneName = (zone: string): string => zone.replaceAll('_', ' ')
