import { expect, test } from 'vitest'
import { validateSchedule } from './use-schedule.ts'

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
