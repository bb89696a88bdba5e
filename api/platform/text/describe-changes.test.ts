import { expect, test } from 'vitest'
import { describeChanges, joinNames } from './describe-changes.ts'
import { formatDay, formatMoment } from './format-time.ts'

const changes = [
  { name: 'BTC', from: '2', to: '3', note: '+50%' },
  { name: 'ETH', from: null, to: '1' },
]

test('uses the punctuation of the language between changes', () => {
  expect(describeChanges(changes, 'en')).toBe('BTC: 2 → 3 (+50%); ETH: – → 1')
  expect(describeChanges(changes, 'cn')).toBe('BTC：2 → 3（+50%）；ETH：– → 1')
  expect(describeChanges([], 'cn')).toBe('')
})

test('joins names as in a sentence', () => {
  expect(joinNames(['a', 'b'], 'en')).toBe('a and b')
  expect(joinNames(['a', 'b'], 'cn')).toBe('a 和 b')
  expect(joinNames(['a'], 'cn')).toBe('a')
})

test('adds spaces between digits and Han characters in Chinese dates', () => {
  const time = new Date('2026-11-05T14:30:00Z')
  expect(formatDay(time, 'en')).toBe('November 5, 2026')
  expect(formatDay(time, 'cn')).toBe('2026 年 11 月 5 日')
  expect(formatMoment(time, 'cn')).toBe('2026 年 11 月 5 日 14:30 UTC')
})
