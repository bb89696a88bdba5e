import { expect, test } from 'vitest'
import { validateSchedule } from './use-schedule.ts'
import { localTimeOf, momentsOf, offsetName } from './zoned-time.ts'

const at = (iso: string) => Date.parse(iso)

test.each([
  ['2027-01-15T09:00', 'UTC', '2027-01-15T09:00:00Z'],
  ['2027-01-15T09:00', 'Asia/Shanghai', '2027-01-15T01:00:00Z'],
  ['2027-07-15T09:00', 'America/New_York', '2027-07-15T13:00:00Z'],
  ['2027-01-15T09:00', 'America/New_York', '2027-01-15T14:00:00Z'],
  ['2027-01-15T09:00', 'Asia/Kolkata', '2027-01-15T03:30:00Z'],
  ['2027-01-01T00:30', 'Pacific/Kiritimati', '2026-12-31T10:30:00Z'],
  ['2027-03-28T03:00', 'Europe/Berlin', '2027-03-28T01:00:00Z'],
  ['2028-02-29T12:00', 'Europe/Berlin', '2028-02-29T11:00:00Z'],
])('%s in %s is %s', (local, zone, moment) => {
  expect(momentsOf(local, zone)).toEqual({ kind: 'one', at: at(moment) })
  expect(localTimeOf(at(moment), zone)).toBe(local)
})

test.each([
  ['2027-03-28T02:30', 'Europe/Berlin'],
  ['2027-03-14T02:00', 'America/New_York'],
  // A change of half an hour only.
  ['2026-10-04T02:15', 'Australia/Lord_Howe'],
])('%s in %s does not exist', (local, zone) => {
  expect(momentsOf(local, zone)).toEqual({ kind: 'none' })
})

test.each([
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'],
  ['2026-11-01T01:00', 'America/New_York', '2026-11-01T05:00:00Z', '2026-11-01T06:00:00Z'],
  ['2027-04-04T01:45', 'Australia/Lord_Howe', '2027-04-03T14:45:00Z', '2027-04-03T15:15:00Z'],
])('%s in %s occurs twice', (local, zone, earlier, later) => {
  expect(momentsOf(local, zone)).toEqual({ kind: 'two', earlier: at(earlier), later: at(later) })
})

test.each(['', '2027-01-15', '2027-13-15T09:00', '2027-01-15T25:00', 'tomorrow'])(
  '%j is not a time',
  (local) => {
    expect(momentsOf(local, 'UTC')).toBeNull()
  },
)

test('formats offsets as people write them', () => {
  expect(offsetName(at('2027-01-15T00:00Z'), 'Asia/Kolkata')).toBe('UTC+05:30')
  expect(offsetName(at('2027-01-15T00:00Z'), 'America/New_York')).toBe('UTC−05:00')
  expect(offsetName(at('2027-01-15T00:00Z'), 'UTC')).toBe('UTC+00:00')
})

const now = Date.parse('2026-10-01T12:00:00Z')
const validate = (local: string, zone: string, isLater = false) =>
  validateSchedule({ local, zone, isLater }, now)

test('accepts a future time', () => {
  expect(validate('2026-10-02T09:00', 'Asia/Shanghai')).toEqual({
    at: Date.parse('2026-10-02T01:00:00Z'),
    isTwice: false,
  })
})

test.each([
  ['', 'UTC', 'missing'],
  ['2027-03-28T02:30', 'Europe/Berlin', 'skipped'],
  ['2026-10-01T12:00', 'UTC', 'past'],
  ['2026-10-01T13:59', 'Europe/Berlin', 'past'],
  ['2027-10-03T12:00', 'UTC', 'tooFar'],
])('%j in %s: %s', (local, zone, problem) => {
  expect(validate(local, zone).problem).toBe(problem)
})

test('if a local time occurs twice, the choice decides', () => {
  const first = validate('2026-10-25T02:30', 'Europe/Berlin')
  const second = validate('2026-10-25T02:30', 'Europe/Berlin', true)
  expect(first.isTwice && second.isTwice).toBe(true)
  expect(second.at! - first.at!).toBe(3_600_000)
})
