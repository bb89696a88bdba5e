import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import entries from '#content/facts/ambassadors.json' with { type: 'json' }
import { assignSlug } from '#api/people/ambassadors/profiles/assign-slug.ts'
import { transaction } from '#api/platform/db/database.ts'
import { aContentDesk } from '#tests/content-desk.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { services } = started
const desk = await aContentDesk(started)
const piece = 'facts/ambassadors.json'
const [first] = entries as [(typeof entries)[number]]
const named = (id: string) => ({ ...first, id, special: undefined })
const given = (name: string) => transaction(services.db, (db) => assignSlug(db, services, name))

test('an entry cannot use the address of an ambassador who joined', async () => {
  const slug = await given('Sample Person')
  expect(slug).toBe('sample-person')
  await desk.save(piece, { '': [...entries, named(slug)] })
  const { body } = await desk.call(api.checkContentDrafts, { body: { pieces: [piece] } })
  expect(body.problems).toMatchObject([{ place: 'sample-person.id', code: 'address_taken' }])
  expect((await desk.publish([piece])).problem.broken).toMatchObject([{ code: 'address_taken' }])
})

test('no one who joins gets the address of an entry, even a deleted one', async () => {
  await desk.put(piece, { '': [...entries, named('deleted-entry')] })
  await desk.put(piece, { '': entries })
  expect(await given('Deleted Entry')).toBe('deleted-entry-2')
  expect(await given(first.id.replaceAll('-', ' '))).toBe(`${first.id}-2`)
  // The same entry may come back.
  await desk.put(piece, { '': [...entries, named('deleted-entry')] })
  expect(services.content.facts(piece)).toHaveLength(entries.length + 1)
})
