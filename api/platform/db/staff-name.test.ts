import { expect, test } from 'vitest'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { staffName, staffNameWithAddress } from './expressions.ts'

test.each([
  ['Ada', 'Ada'],
  ['', 'own@example.org'],
  ['colleague@example.org', 'own@example.org'],
  ['colleague＠example.org', 'own@example.org'],
])('staff with the display name “%s” are shown as “%s”', async (display_name, shown) => {
  const started = await startApi()
  const { id } = await aSignedInMember(started, { display_name, email: 'own@example.org' })
  const { name } = await started.services.db
    .selectFrom('member')
    .select(staffName('member').as('name'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(name).toBe(shown)
})

test.each([
  ['en', 'Ada (own@example.org)'],
  ['cn', 'Ada（own@example.org）'],
] as const)('in %s, the address follows the name of staff as “%s”', (language, shown) => {
  expect(staffNameWithAddress({ display_name: 'Ada', email: 'own@example.org' }, language)).toBe(shown)
})
