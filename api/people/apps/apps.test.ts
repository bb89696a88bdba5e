import { afterAll, expect, test } from 'vitest'
import brand from '#content/brand.json' with { type: 'json' }
import { api } from '#contract/api.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { saveAppProfile } from './app.queries.ts'

const started = await startApi({ PUBLIC_URL: 'https://coin.example' }, afterAll)
const find = (fullName: string, headers: Record<string, string> = {}) =>
  started.call(api.findApp, { body: { fullName } }, { headers })

test('finds the installation’s own profile by its full name, without an application ID', async () => {
  const answer = await find(brand.name, { 'x-app-id': '' })
  expect(answer).toMatchObject({
    status: 200,
    body: {
      _id: started.services.config.appId,
      name: brand.name,
      fullName: brand.name,
      coins: [{ symbol: brand.ticker }],
      contact: brand.email,
    },
  })
  expect(answer.body.docs.length).toBeGreaterThan(0)
  for (const { url } of answer.body.docs)
    expect(url).toMatch(/^https:\/\/coin\.example\/assets\/pdfs\/.+\.pdf$/)
})

test('returns only the six public fields', async () => {
  const { body } = await find(brand.name)
  expect(Object.keys(body).toSorted()).toEqual(['_id', 'coins', 'contact', 'docs', 'fullName', 'name'])
  expect(body.coins.flatMap((coin) => Object.keys(coin))).toEqual(['symbol'])
})

test.each(['nobody', brand.name.toUpperCase() + '!', '%', "' or 1=1 --"])(
  'finds no application called %s',
  async (name) => {
    expect((await find(name)).problem.code).toBe('not_found')
  },
)

test.each(['', '  ', 'x'.repeat(201), 'a\u0000b'])('rejects an impossible name (%#)', async (name) => {
  expect((await find(name)).problem.errors).toEqual([expect.objectContaining({ path: 'fullName' })])
})

test('a start with another name or ID replaces the profile', async () => {
  const { db } = started.services
  const record = { _id: 'a'.repeat(24), name: 'Other', fullName: 'Other', coins: [], docs: [], contact: '' }
  await saveAppProfile(db, record)
  await saveAppProfile(db, { ...record, _id: 'b'.repeat(24) })
  await saveAppProfile(db, { ...record, _id: 'b'.repeat(24), contact: 'hello@example.org' })
  const rows = await db.selectFrom('app').selectAll().where('full_name', '=', 'Other').execute()
  expect(rows).toMatchObject([{ id: 'b'.repeat(24), contact: 'hello@example.org' }])
})
