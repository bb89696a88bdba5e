import { expect, test } from 'vitest'
import { dayIn } from '../../../platform/text/format-time.ts'
import { endOfPeriod, endOfRefund, isSameCurrency, periodOf } from './withdrawal.rules.ts'

const at = (iso: string) => new Date(iso)
const terms = { days: 14, timeZone: 'UTC', tradedSince: null }

test.each([
  // Monday, and the second Monday after it.
  ['2026-11-02T10:00:00Z', 'UTC', '2026-11-16', '2026-11-17T00:00:00.000Z'],
  ['2026-11-02T00:00:00Z', 'UTC', '2026-11-16', '2026-11-17T00:00:00.000Z'],
  ['2026-11-02T23:59:59.999Z', 'UTC', '2026-11-16', '2026-11-17T00:00:00.000Z'],
  // The same moment falls on different days in other time zones.
  ['2026-11-02T23:30:00Z', 'Europe/Paris', '2026-11-17', '2026-11-17T23:00:00.000Z'],
  ['2026-11-03T02:00:00Z', 'America/New_York', '2026-11-16', '2026-11-17T05:00:00.000Z'],
  ['2026-11-02T10:00:00Z', 'Pacific/Kiritimati', '2026-11-17', '2026-11-17T10:00:00.000Z'],
  // If the last day is a Saturday or Sunday, the period ends with the following Monday.
  ['2026-11-07T10:00:00Z', 'UTC', '2026-11-23', '2026-11-24T00:00:00.000Z'],
  ['2026-11-08T10:00:00Z', 'UTC', '2026-11-23', '2026-11-24T00:00:00.000Z'],
  // Daylight saving time changes in between: the period ends at local midnight.
  ['2026-10-19T10:00:00Z', 'Europe/Paris', '2026-11-02', '2026-11-02T23:00:00.000Z'],
  ['2026-03-23T10:00:00Z', 'Europe/Paris', '2026-04-06', '2026-04-06T22:00:00.000Z'],
  // The day after has no midnight: in Chile, clocks skip from 24:00 to 01:00.
  ['2026-08-21T16:00:00Z', 'America/Santiago', '2026-09-04', '2026-09-05T04:00:00.000Z'],
  ['2028-02-15T10:00:00Z', 'UTC', '2028-02-29', '2028-03-01T00:00:00.000Z'],
])('what is ordered at %s in %s can be withdrawn from until the end of %s', (from, zone, lastDay, end) => {
  const period = endOfPeriod(at(from), 14, zone)
  expect([period.lastDay, period.end.toISOString()]).toEqual([lastDay, end])
})

test('finds the first moment of a day whose midnight the clocks skip', () => {
  // There, September 6, 2026 begins at 01:00, right after September 5 ends.
  const { lastDay, end } = endOfPeriod(at('2026-09-03T16:00:00Z'), 1, 'America/Santiago')
  expect([lastDay, end.toISOString()]).toEqual(['2026-09-04', '2026-09-05T04:00:00.000Z'])
  expect(dayIn('America/Santiago', at('2026-09-06T03:59:59.999Z'))).toBe('2026-09-05')
  expect(dayIn('America/Santiago', at('2026-09-06T04:00:00Z'))).toBe('2026-09-06')
})

test('a refund is due at the end of the fourteenth day, even on a Sunday', () => {
  expect(endOfRefund(at('2026-11-08T10:00:00Z'), 'UTC').toISOString()).toBe('2026-11-23T00:00:00.000Z')
})

test('there is no right without days, nor for orders placed after trading started', () => {
  const placed = at('2026-11-02T23:30:00Z')
  expect(periodOf(placed, { ...terms, days: 0 }, null)).toBeNull()
  expect(periodOf(placed, { ...terms, tradedSince: '2026-11-02' }, null)).toBeNull()
  expect(periodOf(placed, { ...terms, tradedSince: '2026-11-03' }, null)).not.toBeNull()
  const inParis = { ...terms, timeZone: 'Europe/Paris', tradedSince: '2026-11-03' }
  expect(periodOf(placed, inParis, null)).toBeNull()
})

test('the end of the subscription period ends it, if that comes first', () => {
  const placed = at('2026-11-02T10:00:00Z')
  const end = '2026-11-17T00:00:00.000Z'
  const until = (closesAt: string) => periodOf(placed, terms, at(closesAt))
  expect(until('2026-11-10T12:00:00Z')).toEqual({ until: at('2026-11-10T12:00:00Z'), lastDay: null })
  expect(until('2026-12-10T12:00:00Z')).toEqual({ until: at(end), lastDay: '2026-11-16' })
  // The period had already ended: the order was entered afterwards.
  expect(until('2026-11-01T12:00:00Z')).toEqual({ until: at(end), lastDay: '2026-11-16' })
})

test.each([
  ['EUR', 'eur ', true],
  ['€', '€', true],
  ['€', '$', false],
  ['USDT', 'USDC', false],
])('%s and %s are the same currency: %s', (one, other, isSame) => {
  expect(isSameCurrency(one, other)).toBe(isSame)
})
