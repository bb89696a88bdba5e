import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeNotices } from '../../scripts/make-notices.ts'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  version: string
  license: string
  dependencies: Record<string, string>
}

test('the notices are those of the packages as they are locked (else: npm run make:notices)', () => {
  expect(makeNotices(true)).toBe(true)
})

test('every package that the program runs with is named in them, with its version', () => {
  const notices = read('THIRD-PARTY-NOTICES.md')
  for (const [name, version] of Object.entries(manifest.dependencies))
    expect(notices).toContain(`- ${name} ${version}: `)
})

test('the licence that the package states is the one that is there', () => {
  expect(manifest.license).toBe('Apache-2.0')
  expect(read('LICENSE')).toMatch(/Apache License\s+Version 2\.0, January 2004/)
})

test('the newest version of the change log is that of the package, or is still to be released', () => {
  const versions = [...read('CHANGELOG.md').matchAll(/^## \[?(\d+\.\d+\.\d+|Unreleased)\]?/gm)].map(
    ([, one]) => one,
  )
  expect(versions.filter((one) => one !== 'Unreleased')[0]).toBe(manifest.version)
})
