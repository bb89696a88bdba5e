import { brotliDecompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { contentFilesMax, readBrand, readFacts, readWords } from '#contract/publishing/content.ts'
import brand from '#content/brand.json' with { type: 'json' }
import cn from '#content/messages/cn/home.json' with { type: 'json' }
import en from '#content/messages/en/home.json' with { type: 'json' }
import layout from '#content/messages/en/layout.json' with { type: 'json' }
import roadmap from '#content/facts/roadmap.json' with { type: 'json' }
import documents from '#content/media/pdfs/documents.json' with { type: 'json' }
import { acceptConsents, listConsents } from '#contract/people/consents.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const base = { 'x-app-id': services.config.appId }
const roadmapFile = 'facts/roadmap.json'

// The notices about missing translations only apply to languages that have them.
const { 'layout.language.partial': _partial, ...ofPages } = layout

test('returns texts of several files in one response, in the requested language', async () => {
  const english = await call(readWords, { query: { language: 'en', files: 'home,layout' } })
  expect(english.body.words).toEqual({ ...en, ...ofPages })
  const chinese = await call(readWords, { query: { language: 'cn', files: 'home' } })
  expect(chinese.body.words).toEqual(cn)
})

test('returns data and documents by file name, and the brand without build parameters', async () => {
  const facts = await call(readFacts, { query: { files: `${roadmapFile},documents` } })
  expect(facts.body.facts).toEqual({ [roadmapFile]: roadmap, documents })
  const { name: _, ticker, chain, storageKey, ...editable } = brand
  expect((await call(readBrand, {})).body).toEqual(editable)
  expect([ticker, chain, storageKey]).toBeTruthy()
})

test.each([
  ['a file that is not there', 'home,nothing'],
  ['a way out of the folder', '../../emails/en'],
  ['the name of what every object has', 'constructor'],
  ['facts that only officers read', 'facts/review-reasons.json'],
  ['facts that no page shows', 'home,facts/common-passwords.json'],
  ['none', ''],
  ['an empty name', 'home,,layout'],
  [
    'more than a call may ask for',
    Array(contentFilesMax + 1)
      .fill('home')
      .join(','),
  ],
])('%s is refused', async (_, files) => {
  const refused = { status: 400, problem: { errors: [{ path: 'files' }] } }
  expect(await call(readWords, { query: { language: 'en', files } })).toMatchObject(refused)
  expect(await call(readFacts, { query: { files } })).toMatchObject(refused)
})

test.each([
  'language=xx&files=home',
  'files=home',
  'language=en',
  'language=en&files=home&files=layout',
  'language=en&files=home&draft=1',
])('words are not answered to %s', async (query) => {
  const answer = await started.send({ url: `/v2/content/words?${query}`, headers: base })
  expect(answer.statusCode).toBe(400)
})

test('sends 304 to clients with a current response', async () => {
  const url = '/v2/content/words?language=en&files=home'
  const first = await started.send({ url, headers: { ...base, 'accept-encoding': 'gzip, br' } })
  expect(first.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-encoding': 'br' })
  expect(JSON.parse(brotliDecompressSync(first.rawPayload).toString())).toEqual({ words: en })
  const headers = { ...base, 'if-none-match': String(first.headers['etag']) }
  expect(await started.send({ url, headers })).toMatchObject({ statusCode: 304, body: '' })
  const [key, text] = Object.entries(en)[0]!
  services.content.override(new Map([['messages/home', { en: { [key]: `${text} now` } }]]))
  const changed = await started.send({ url, headers })
  expect(changed.json()).toEqual({ words: { ...en, [key]: `${text} now` } })
  expect(changed.headers['etag']).not.toBe(first.headers['etag'])
  services.content.override(new Map())
  expect((await started.send({ url, headers })).statusCode).toBe(304)
})

test('asks members for the published version of a legal text, and uses new error texts', async () => {
  const { token } = await aSignedInMember(started)
  const version = '2036-05-01'
  services.content.override(
    new Map<string, unknown>([
      ['brand.json', { legal: { ...brand.legal, terms: version } }],
      ['messages/errors', { en: { 'errors.conflict': 'Somebody was faster.' } }],
    ]),
  )
  const old = { document: 'terms' as const, version: brand.legal.terms }
  const refused = await call(acceptConsents, { body: { consents: [old] } }, { token })
  expect(refused).toMatchObject({ status: 409, problem: { message: 'Somebody was faster.' } })
  const { body } = await call(acceptConsents, { body: { consents: [{ ...old, version }] } }, { token })
  expect(body.given).toMatchObject([{ document: 'terms', version }])
  services.content.override(new Map())
  expect((await call(listConsents, {}, { token })).body.due).toContainEqual(old)
})
