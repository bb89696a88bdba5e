import { expect, test } from 'vitest'
import { formatWait } from './format-wait.ts'

test.each([
  [1, '1 second', '1 秒钟'],
  [59, '59 seconds', '59 秒钟'],
  [60, '1 minute', '1 分钟'],
  [61, '2 minutes', '2 分钟'],
  [890, '15 minutes', '15 分钟'],
  [3600, '60 minutes', '60 分钟'],
  [7200, '2 hours', '2 小时'],
  [86_399, '24 hours', '24 小时'],
  [172_800, '2 days', '2 天'],
])('formats a wait of %i s as people say it', (seconds, english, chinese) => {
  expect(formatWait(seconds, 'en')).toBe(english)
  expect(formatWait(seconds, 'cn')).toBe(chinese)
})
