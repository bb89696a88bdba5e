import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

test('finds members by words of address and names, and by display name, however many joined later', async () => {
  const started = await startApi()
  const { token } = await aSignedInMember(started, { manage_employee: 1 })
  const anna = await aSignedInMember(started, {
    first_name: 'Anna',
    last_name: 'Hemlock',
    display_name: '李娜',
  })
  const other = await aSignedInMember(started, { first_name: 'Joanna', display_name: 'Anna_' })
  // Enough members that the search target is not among the newest.
  await started.services.db
    .insertInto('member')
    .values(Array.from({ length: 1001 }, (_, n) => ({ email: `later${n}@example.net` })))
    .execute()
  const find = async (body: object, limit = 25) =>
    (await started.call(api.findMembers, { body, query: { limit } }, { token })).body.map(({ id }) => id)
  expect(await find({ q: 'hemlock' })).toEqual([anna.id])
  expect((await find({ q: 'anna' })).toSorted()).toEqual([anna.id, other.id].toSorted())
  expect(await find({ q: 'Hemlock anna' })).toEqual([anna.id])
  expect(await find({ q: '娜' })).toEqual([anna.id])
  expect(await find({ q: 'ann', displayName: 'Anna_' })).toEqual([other.id])
  expect(await find({ displayName: '李娜' })).toEqual([anna.id])
  expect(await find({ displayName: '李' })).toEqual([])
  expect(await find({ email: anna.email, displayName: '李娜' })).toEqual([anna.id])
  expect(await find({ q: anna.id })).toEqual([anna.id])
  expect(await find({ q: '%' })).toEqual([])
  expect(await find({ q: 'later', active: true })).toEqual([])
  expect(await find({ q: 'later' }, 100)).toHaveLength(100)
})
