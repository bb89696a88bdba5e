import { expect, test } from 'vitest'
import { formatWait } from './format-wait.ts'

test.each([
  [1, '1 second', '1秒钟'],
  [59, '59 seconds', '59秒钟'],
  [60, '1 minute', '1分钟'],
  [61, '2 minutes', '2分钟'],
  [890, '15 minutes', '15分钟'],
  [3600, '60 minutes', '60分钟'],
  [7200, '2 hours', '2小时'],
  [86_399, '24 hours', '24小时'],
  [172_800, '2 days', '2天'],
])('a wait of %i s is said as people say it', (seconds, english, chinese) => {
  expect(formatWait(seconds, 'en')).toBe(english)
  expect(formatWait(seconds, 'cn')).toBe(chinese)
})
