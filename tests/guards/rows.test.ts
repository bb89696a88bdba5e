import { expect, onTestFinished, test } from 'vitest'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { makeRows } from '../../scripts/make-rows.ts'

test('the row types are those of the migrated database (npm run db:rows writes them anew)', async () => {
  const url = await copyTemplate()
  onTestFinished(() => dropDatabase(url))
  expect(makeRows(url, true)).toBe(true)
})
