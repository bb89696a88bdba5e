import { afterAll, expect, test } from 'vitest'
import { ambassadorStates, type AmbassadorState } from '#contract/people/ambassadors.ts'
import { api } from '#contract/api.ts'
import { columnCountMax, type ApplicationFilters } from '#contract/people/console-ambassadors.ts'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { as, letProofAge } from '#tests/step-up.ts'
import { countryKeyOf } from './country-key.ts'

const started = await startApi({}, afterAll)
const { call } = started
const { db } = started.services
const reader = await aSignedInMember(started, { manage_employee: 1 })

let count = 0
async function insertApplication(
  values: {
    full_name?: string
    email?: string
    city?: string
    country?: string
    language?: 'en' | 'cn'
    status?: AmbassadorState
    assignee_id?: string
    links?: string[]
    created_at?: Date
  } = {},
  into: TestApi = started,
): Promise<string> {
  count += 1
  const { links = [], country = 'Norway', ...rest } = values
  const { id } = await into.services.db
    .insertInto('ambassador_application')
    .values({
      email: `applicant${count}@example.org`,
      full_name: `Applicant Number${count}`,
      city: 'Oslo',
      country,
      country_key: countryKeyOf(country),
      social_media: JSON.stringify(links),
      ...rest,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const list = async (query: ApplicationFilters & { limit?: number; after?: string } = {}) =>
  (await call(api.listAmbassadorApplications, { query }, as(reader))).body
const idsOf = async (query: ApplicationFilters) => (await list({ ...query, limit: 100 })).map(({ id }) => id)

test('filters the list by status, country, language, assignee, and words, in every order', async () => {
  const lagos = await insertApplication({ city: 'Lagos', country: 'Nigeria', status: 'in_review' })
  const beijing = await insertApplication({
    full_name: '王小明',
    city: '北京',
    country: '中国',
    language: 'cn',
  })
  const shanghai = await insertApplication({ city: 'Shanghai', country: 'China', assignee_id: reader.id })
  const gone = await insertApplication({ city: 'Accra', country: 'Ghana', status: 'declined' })
  expect(await idsOf({ country: 'CN' })).toEqual([shanghai, beijing])
  expect(await idsOf({ sentIn: 'cn' })).toEqual([beijing])
  expect(await idsOf({ status: 'in_review' })).toEqual([lagos])
  expect(await idsOf({ status: 'open', sort: 'arrived' })).toEqual([lagos, beijing, shanghai])
  expect(await idsOf({ assignee: 'me' })).toEqual([shanghai])
  expect(await idsOf({ assignee: 'nobody', sort: 'changed' })).toEqual([lagos, beijing, gone])
  for (const [q, id] of [
    ['小明', beijing],
    ['王', beijing],
    ['北京', beijing],
    ['LAGOS nigeria', lagos],
    ['accr', gone],
    [shanghai, shanghai],
  ] as const)
    expect([q, await idsOf({ q })]).toEqual([q, [id]])
  expect(await idsOf({ q: 'lagos', status: 'declined' })).toEqual([])
  expect(await idsOf({ q: '!!' })).toEqual([])
  const { body } = await call(api.listApplicationCountries, {}, as(reader))
  expect(body.countries.filter((key) => ['CN', 'GH', 'NG'].includes(key))).toEqual(['CN', 'GH', 'NG'])
})

test('pages have no gaps, even with many applications in one millisecond', async () => {
  const other = await startApi()
  const officer = await aSignedInMember(other, { manage_employee: 1 })
  const at = new Date()
  for (let n = 0; n < 30; n += 1) await insertApplication({ created_at: at }, other)
  const seen: string[] = []
  let after: string | undefined
  do {
    const answer = await other.call(
      api.listAmbassadorApplications,
      { query: { limit: 7, ...(after && { after }) } },
      as(officer),
    )
    seen.push(...answer.body.map(({ id }) => id))
    after = /after=([^&>]+)/.exec((answer.headers['link'] as string | undefined) ?? '')?.[1]
  } while (after)
  expect([seen.length, new Set(seen).size]).toEqual([30, 30])
})

test('the board has a column for each status, longest waiting first, with counts', async () => {
  const other = await startApi()
  const officer = await aSignedInMember(other, { manage_employee: 1 })
  const waiting = []
  // Times are stored to the millisecond.
  for (let n = 0; n < 25; n += 1)
    waiting.push(await insertApplication({ created_at: new Date(Date.now() - 60_000 + n) }, other))
  const review = await insertApplication({ status: 'in_review', country: 'China', language: 'cn' }, other)
  const own = await insertApplication({ email: officer.email }, other)
  const board = async (query: ApplicationFilters = {}) =>
    (await other.call(api.readApplicationBoard, { query }, as(officer))).body.columns
  const columns = await board()
  expect(columns.map(({ status, count: many, rows }) => [status, many, rows.length])).toEqual([
    ['received', 25, 20],
    ['in_review', 1, 1],
    ['accepted', 0, 0],
    ['declined', 0, 0],
  ])
  expect(columns.map(({ status }) => status)).toEqual([...ambassadorStates])
  expect(columns[0]!.rows.map(({ id }) => id)).toEqual(waiting.slice(0, 20))
  const query = { status: 'received', sort: 'arrived', limit: 20, after: columns[0]!.next! } as const
  const rest = await other.call(api.listAmbassadorApplications, { query }, as(officer))
  expect(rest.body.map(({ id }) => id)).toEqual(waiting.slice(20))
  expect((await board({ country: 'CN' })).flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual([review])
  expect(JSON.stringify([columns, rest.body])).not.toContain(own)
  const waits = async () =>
    (await other.call(api.listNeedsAttention, {}, as(officer))).body.find(
      ({ what }) => what === 'ambassadors',
    )
  // It only counts as waiting for people who may act on it.
  expect(await waits()).toBeUndefined()
  await updateMemberRow(other.services.db, officer.id, { manage_employee: 2 })
  expect((await waits())!.count).toBe(26)
  expect(columnCountMax).toBe(999)
})

test('shows applications that share a name, profile, or mailbox as duplicates, with what they share', async () => {
  const first = await insertApplication({
    full_name: 'José María Núñez',
    email: 'jose@gmail.com',
    links: ['https://www.social.example/Jose/', 'Facebook'],
  })
  const name = await insertApplication({ full_name: 'nunez  jose MARIA', links: ['facebook'] })
  const link = await insertApplication({ links: ['social.example/jose'] })
  const mailbox = await insertApplication({ email: 'j.o.s.e+again@googlemail.com', status: 'declined' })
  const han = await insertApplication({ full_name: '李 雷' })
  const sameHan = await insertApplication({ full_name: '李雷' })
  const alone = await insertApplication({ full_name: '李蕾', links: ['@social'] })
  const detail = async (id: string) =>
    (await call(api.getAmbassadorApplication, { params: { id } }, as(reader))).body
  const { duplicates } = await detail(first)
  expect(Object.fromEntries(duplicates.map(({ id, by }) => [id, by]))).toEqual({
    [name]: ['name'],
    [link]: ['link'],
    [mailbox]: ['mailbox'],
  })
  expect((await detail(han)).duplicates).toMatchObject([{ id: sameHan, by: ['name'] }])
  expect((await detail(alone)).duplicates).toEqual([])
  const marked = (await list({ limit: 100 })).filter(({ hasDuplicate }) => hasDuplicate).map(({ id }) => id)
  expect(new Set(marked)).toEqual(new Set([first, name, link, mailbox, han, sameHan]))
})

test('reveals nothing of one’s own application, neither a duplicate nor its country', async () => {
  const officer = await aSignedInMember(started, { manage_employee: 2 })
  const name = { full_name: 'Quite Unmistakable Example' }
  const other = await insertApplication(name)
  await insertApplication({ ...name, email: officer.email.replace('@', '+club@'), country: 'Bhutan' })
  const marked = async (by: typeof officer) => {
    const { body } = await call(api.listAmbassadorApplications, { query: { q: other } }, as(by))
    return body[0]!.hasDuplicate
  }
  const countries = async (by: typeof officer) =>
    (await call(api.listApplicationCountries, {}, as(by))).body.countries.includes('BT')
  expect([await marked(officer), await countries(officer)]).toEqual([false, false])
  expect([await marked(reader), await countries(reader)]).toEqual([true, true])
})

test('exports all pages with step-up authentication and without formulas', async () => {
  const id = await insertApplication({ full_name: '=cmd()', city: 'Ouagadougou', assignee_id: reader.id })
  const read = () => call(api.exportAmbassadorApplications, { query: { q: 'ouagadougou' } }, as(reader))
  const file = String((await read()).body)
  expect(file.split('\r\n').filter(Boolean)).toHaveLength(2)
  expect(file).toContain(id)
  expect(file).toContain("'=cmd()")
  // Members can choose any display name.
  expect(file).toContain(reader.email)
  await letProofAge(started, reader)
  expect((await read()).problem.code).toBe('step_up_required')
})

test('recognizes a country in any spelling, and keeps other text as typed', () => {
  const keys = [
    'China',
    ' 中国 ',
    'cn',
    'CN',
    'UK',
    'United Kingdom',
    '英国',
    'USA',
    'Qatar',
    'Norge',
    'DD',
    'XA',
  ]
  expect(keys.map(countryKeyOf)).toEqual([
    ...Array<string>(4).fill('CN'),
    ...Array<string>(3).fill('GB'),
    'US',
    'QA',
    'norge',
    'DE',
    'xa',
  ])
})

test('accepts a country as typed, even if it is longer in lower case', async () => {
  const body = {
    fullName: 'Sample',
    city: 'Oslo',
    country: 'İ'.repeat(100),
    email: 'longcountry@example.org',
  }
  expect((await call(api.applyAsAmbassador, { body })).status).toBe(201)
  expect(countryKeyOf(`${'x'.repeat(99)}\u{1F680}`)).toBe('x'.repeat(99))
})

test('finds applications of an older release by country too', async () => {
  const id = await insertApplication({ country: 'Iceland' })
  await db.updateTable('ambassador_application').set({ country_key: null }).where('id', '=', id).execute()
  await cleanUp(started.services)
  expect(await idsOf({ country: 'IS' })).toEqual([id])
})
