import { expect, test } from 'vitest'
import type { UsedMessages } from '../../kernel/i18n/messages.tsx'
import { ageLabel, isLate } from './case-age.tsx'

const t = (key: string, values?: { count: number }) => `${key} ${values?.count ?? ''}`.trim()
const said = (hours: number) => ageLabel(t as UsedMessages['t'], hours)

test.each([
  [0.4, 'review.age.now'],
  [1.9, 'review.age.hour'],
  [2, 'review.age.hours 2'],
  [47.9, 'review.age.hours 47'],
  [48, 'review.age.days 2'],
  [100, 'review.age.days 4'],
])('formats %d hours as %s', (hours, words) => {
  expect(said(hours)).toBe(words)
})

test('a case is late after the 90th percentile, or after the time told to applicants', () => {
  expect([isLate(10, 10), isLate(11, 10), isLate(48, null), isLate(49, null)]).toEqual([
    false,
    true,
    false,
    true,
  ])
})
