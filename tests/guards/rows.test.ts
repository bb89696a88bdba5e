import { expect, inject, test } from 'vitest'
import { templateName, withDatabase } from '#tests/setup/database-server.ts'
import { makeRows } from '../../scripts/make-rows.ts'

test('the row types are those of the migrated database (npm run db:rows writes them anew)', () => {
  expect(makeRows(withDatabase(inject('databaseServer').url, templateName), true)).toBe(true)
})
