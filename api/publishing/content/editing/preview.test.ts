import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { readBrand, readFacts, readWords } from '#contract/publishing/content.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import features from '#content/facts/features.json' with { type: 'json' }
import home from '#content/messages/en/home.json' with { type: 'json' }
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { aContentDesk } from '#tests/content-desk.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { previewCall } from './preview.ts'

const started = await startApi({}, afterAll)
const { services } = started
const [key] = Object.keys(home) as [keyof typeof home]

/** Calls for anything but content go to the API as usual. */
const others: string[] = []
const elsewhere = (async (endpoint: Endpoint) => void others.push(endpoint.path)) as never

async function aPreview(by: Awaited<ReturnType<typeof aContentDesk>>) {
  const { body } = await by.call(api.createContentPreview, { body: {} })
  const token = /^\/content-preview\/([\w-]+)\/$/.exec(body.address)![1]!
  return { token, body, open: () => previewCall(services, elsewhere, token) }
}

test('anyone with the address sees the drafts of all editors, but visitors do not', async () => {
  const [one, two] = [await aContentDesk(started), await aContentDesk(started)]
  await one.save('messages/home', { [`en.${key}`]: 'A draft.' })
  await two.save('facts/features.json', { '': features.slice(0, 2) })
  const { open, body } = await aPreview(await aContentDesk(started, 1))
  expect(Date.parse(body.expiresAt)).toBeGreaterThan(Date.now())
  const call = (await open())!
  // The built pages contain their own copy of the contract.
  const copy = { ...readWords }
  expect((await call(copy, { query: { language: 'en', files: 'home' } })).words[key]).toBe('A draft.')
  const { facts } = await call(readFacts, { query: { files: 'facts/features.json' } })
  expect(facts['facts/features.json']).toEqual(features.slice(0, 2))
  expect(await call(readBrand, {})).toEqual(services.content.brand())
  await call(api.listCategories, {})
  expect(others).toEqual([api.listCategories.path])
  expect(services.content.words('en', 'home')![key]).toBe(home[key])
  // Later changes appear when the preview is opened again.
  await one.save('messages/home', { [`en.${key}`]: 'A later draft.' })
  const later = (await open())!
  expect((await later(readWords, { query: { language: 'en', files: 'home' } })).words[key]).toBe(
    'A later draft.',
  )
})

test('leaves out a draft that no page could render', async () => {
  const desk = await aContentDesk(started)
  await desk.save('facts/roadmap.json', { '': [{ id: 'half' }] })
  const call = (await (await aPreview(desk)).open())!
  const { facts } = await call(readFacts, { query: { files: 'facts/roadmap.json' } })
  expect(facts['facts/roadmap.json']).toEqual(services.content.facts('facts/roadmap.json'))
})

test('ends at its time, with the session, and with the right', async () => {
  const desk = await aContentDesk(started)
  const endings: (() => Promise<unknown>)[] = [
    () => sql`update content_preview set expires_at = now()`.execute(services.db),
    () => updateMemberRow(services.db, desk.editor.id, { manage_news: 0 }),
  ]
  for (const end of endings) {
    const { open } = await aPreview(desk)
    expect(await open()).toBeDefined()
    await end()
    expect(await open()).toBeUndefined()
  }
  const other = await aContentDesk(started)
  const { open } = await aPreview(other)
  await services.db.deleteFrom('session').where('member_id', '=', other.editor.id).execute()
  expect(await open()).toBeUndefined()
})

test('an unknown address opens nothing, and old ones are deleted', async () => {
  for (const token of ['', 'x', '../..', 'a'.repeat(43), "' or true --"])
    expect(await previewCall(services, elsewhere, token)).toBeUndefined()
  const desk = await aContentDesk(started)
  for (let n = 0; n < 12; n += 1) await aPreview(desk)
  const count = async () => {
    const rows = await services.db
      .selectFrom('content_preview')
      .select('token_hash')
      .where('member_id', '=', desk.editor.id)
      .execute()
    return rows.length
  }
  expect(await count()).toBe(10)
  await sql`update content_preview set expires_at = now()`.execute(services.db)
  await cleanUp(services)
  expect(await count()).toBe(0)
})
