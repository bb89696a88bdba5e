import { expect, test } from 'vitest'
import { summarizeTests } from './summarize-tests.ts'

test('counts the tests of the nightly run as skipped and says where they run', () => {
  const counts = { passed: 3105, failed: 0, skipped: 202, nightly: 202, secondTries: 1 }
  expect(summarizeTests(counts).split('\n')).toEqual([
    '202 of the skipped tests are left for the nightly run (npm run test:full).',
    '1 of the passed tests needed a second try.',
    '3105 passed, 0 failed, 202 skipped',
  ])
  expect(summarizeTests({ ...counts, skipped: 0, nightly: 0, secondTries: 0 })).toBe(
    '3105 passed, 0 failed, 0 skipped',
  )
})
