import { expect, test } from 'vitest'
import { releaseChangeLog } from './change-log.ts'

const notes = '### Before you upgrade\n\n- Set `A`.\n'
const release = (text: string) => releaseChangeLog(text, '1.2.0', '2026-12-03')

test('gives the unreleased section the version and the date', () => {
  expect(release(`# Changelog\n\n## [Unreleased]\n\n${notes}\n## [1.1.0] - 2026-01-01\n`)).toBe(
    `# Changelog\n\n## [1.2.0] - 2026-12-03\n\n${notes}\n## [1.1.0] - 2026-01-01\n`,
  )
})

test('keeps the section of a version that has one', () => {
  const text = `## [Unreleased]\n\n## [1.2.0] - 2026-12-01\n\n${notes}`
  expect(release(text)).toBe(text)
})

test('refuses a version without a section', () => {
  expect(() => release(`## [1.2.01]\n\n${notes}`)).toThrow('CHANGELOG.md has no section for 1.2.0.')
})

test.each([
  ['no heading about the upgrade', '### Added\n\n- Easier to upgrade.\n'],
  ['a heading without text', '### Before you upgrade\n\n### Added\n\n- A page.\n'],
  ['upgrade notes only in an older section', `### Added\n\n- A page.\n\n## [1.1.0]\n\n${notes}`],
])('refuses %s', (_, section) => {
  expect(() => release(`## [Unreleased]\n\n${section}`)).toThrow(
    'CHANGELOG.md has no upgrade notes for 1.2.0.',
  )
})
