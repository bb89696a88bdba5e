import { expect, test } from 'vitest'
import { makeRightsTable } from '../../scripts/make-rights-table.ts'

test('the table of rights in SECURITY.md is that of the contract (npm run make:rights-table writes it anew)', () => {
  expect(makeRightsTable(true)).toBe(true)
})
