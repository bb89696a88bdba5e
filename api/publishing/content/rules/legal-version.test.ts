import { expect, test } from 'vitest'
import { isLegalVersion, laterVersion, nextVersion } from './legal-version.ts'

test.each(['2026-11-22', '2026-11-22.2', '2026-11-22.10', '2024-02-29'])(
  'accepts the version %s',
  (version) => {
    expect(isLegalVersion(version)).toBe(true)
  },
)

test.each(['2026-11-31', '2026-11-22.1', '2026-11-22.0', '2026-11-22.02', '2026-11-22.', '22.11.2026', ''])(
  'rejects the version %s',
  (version) => {
    expect(isLegalVersion(version)).toBe(false)
  },
)

test.each([
  ['2026-11-22', '2026-11-23', '2026-11-23'],
  ['2026-11-23', '2026-11-23', '2026-11-23.2'],
  ['2026-11-23.9', '2026-11-23', '2026-11-23.10'],
  // A clock that was ahead, or a date in the future.
  ['2026-12-01', '2026-11-23', '2026-12-01.2'],
])('after %s, on %s, comes %s', (current, today, next) => {
  expect(nextVersion(current, today)).toBe(next)
  expect(laterVersion(current, next)).toBe(next)
  expect(laterVersion(next, current)).toBe(next)
})
