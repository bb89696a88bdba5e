import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anApplicant, aPicture, aSignedInMember } from '#tests/builders.ts'
import { readCase } from '#tests/setup/read-case.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { findAnyKyc } from '../kyc.queries.ts'
import { screenCase } from './screen-case.ts'
import { screenWaiting } from './screen-waiting.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const [one, two] = [
  await aSignedInMember(started, { manage_finance: 2, display_name: 'Officer One' }),
  await aSignedInMember(started, { manage_finance: 2, display_name: 'Officer Two' }),
]
const file = join(services.config.dataDir, 'screening.csv')
let written = 0
/** Each write produces a file with a new modification time, however quickly it follows. */
const write = (text: string) => {
  written += 1
  return writeFile(file, `name,born,list\n${text}\n${'Entry Besides\n'.repeat(written)}`)
}
const setUp = (path: string | undefined) => Object.assign(services.config, { screeningList: path })
beforeEach(() => void setUp(undefined))

const aCase = async (fields: object = {}) => {
  const member = await aSignedInMember(started)
  const body = { ...anApplicant(member.email), photoUrls: [await aPicture()], ...fields }
  const answer = await call(api.createKyc, { body }, { token: member.token })
  expect(answer.status).toBe(201)
  return { member, id: answer.body._id }
}
const readPhotos = async (id: string) => {
  await readCase(started, one, id)
  const unread = { screening_read_at: null, screening_read_by: null }
  await services.db.updateTable('kyc_application').set(unread).where('id', '=', id).execute()
}
const open = async (id: string) => (await call(api.getKycCase, { params: { id } }, { token: one.token })).body
const read = (id: string, hash: string, by = one) =>
  call(api.readKycScreening, { params: { id }, body: { hash } }, { token: by.token })

test('without a list, says so, and a mark records reader and time once', async () => {
  const { id } = await aCase()
  const before = await open(id)
  expect(before).toMatchObject({
    screening: { state: 'no_list', lists: [], matches: [] },
    screeningReadAt: null,
    screeningReadBy: null,
  })
  expect((await read(id, 'something else')).problem.code).toBe('conflict')
  const marked = await read(id, before.screening.hash)
  expect(marked.body).toMatchObject({
    screeningReadAt: expect.any(String) as string,
    screeningReadBy: { id: one.id, name: 'Officer One' },
  })
  // Reading it again changes nothing.
  expect((await read(id, before.screening.hash, two)).body).toMatchObject({
    screeningReadAt: marked.body.screeningReadAt,
    screeningReadBy: { id: one.id },
  })
  const events = await call(api.listKycCaseEvents, { params: { id } }, { token: one.token })
  expect(events.body.filter(({ what }) => what === 'screening_read')).toMatchObject([{ by: 'Officer One' }])
})

test('a new list, or new matches, must be read again; an equal result need not', async () => {
  const { id } = await aCase()
  const none = await open(id)
  await read(id, none.screening.hash)
  await write('Sample Person')
  setUp(file)
  // The previous finding no longer applies.
  expect((await read(id, none.screening.hash)).problem.code).toBe('conflict')
  const found = await open(id)
  expect(found).toMatchObject({ screeningReadAt: null, possibleMatches: 1, screening: { state: 'compared' } })
  expect((await read(id, found.screening.hash)).body.screeningReadAt).not.toBeNull()
  await write('Sample Person')
  expect((await open(id)).screeningReadAt).not.toBeNull()
  await write('Sample Person\nSampel Person')
  expect(await open(id)).toMatchObject({ screeningReadAt: null, possibleMatches: 2 })
})

test('an unreadable list does not count as no match: nothing can be marked, and marks stay', async () => {
  const { id } = await aCase()
  setUp(join(services.config.dataDir, 'missing.csv'))
  const broken = await open(id)
  expect(broken).toMatchObject({ screening: { state: 'unreadable', matches: [] }, possibleMatches: null })
  expect(await read(id, broken.screening.hash)).toMatchObject({
    status: 503,
    problem: { code: 'unavailable' },
  })
  await write('Nobody')
  setUp(file)
  await read(id, (await open(id)).screening.hash)
  setUp(join(services.config.dataDir, 'missing.csv'))
  expect((await open(id)).screeningReadAt).not.toBeNull()
})

test.each([
  ['half written', 'name,born\nSample Person,1970\n"Sample Per'],
  ['with a comma that is not quoted', 'name,born\nPERSON, Sample,1970-01-02'],
  ['without the column of names', 'person,born\nSample Person,1970'],
  ['with a line that names nobody', 'name,born\nSample Person,1970\n,1971'],
  ['empty', ''],
  ['of a first line alone', 'name,born\n'],
  ['in another encoding', Buffer.from('name\nS\xe1mple Person', 'latin1')],
])('a list %s is no list without a match', async (_, bytes) => {
  const { id } = await aCase()
  const broken = join(services.config.dataDir, `broken-${written}.csv`)
  written += 1
  await writeFile(broken, bytes)
  setUp(broken)
  expect(await open(id)).toMatchObject({
    screening: { state: 'unreadable', lists: [] },
    possibleMatches: null,
  })
})

test('names each list with its date and entries, and says if it is old', async () => {
  const { id } = await aCase()
  await writeFile(
    file,
    'Date, LIST ,name\n2026-01-01,Old list,One Body\n2025-12-31,Old list,Two Body\n,,Three Body\nsoon,,Four Body\n',
  )
  const now = new Date()
  await utimes(file, now, now)
  setUp(file)
  const today = now.toISOString().slice(0, 10)
  Object.assign(services.config, { screeningListAge: now.getTime() - Date.parse('2026-01-02') })
  expect((await open(id)).screening.lists).toEqual([
    { name: 'Old list', date: '2026-01-01', entries: 2, isOld: true },
    { name: 'screening.csv', date: today, entries: 2, isOld: false },
  ])
})

test('the queue shows and filters potential matches of unopened cases, also when the list changes', async () => {
  const [alike, other] = [
    await aCase({ firstName: '王 小明', dateOfBirth: '1990-01-31' }),
    await aCase({ firstName: 'Entirely Different' }),
  ]
  const queue = async (flag?: 'possible_match') => {
    const query = { limit: 100, ...(flag && { flag }) }
    const { body } = await call(api.listKycCases, { query }, { token: one.token })
    const rows = body.filter(({ _id }) => _id === alike.id || _id === other.id)
    return rows.map(({ _id, possibleMatches }) => [_id === alike.id ? 'alike' : 'other', possibleMatches])
  }
  expect(await queue()).toEqual([
    ['alike', null],
    ['other', null],
  ])
  await write('"Xiaoming, WANG"')
  setUp(file)
  await screenWaiting(services)
  expect(await queue()).toEqual([
    ['alike', 1],
    ['other', 0],
  ])
  expect(await queue('possible_match')).toEqual([['alike', 1]])
  // The date of birth is the applicant's claim, so a different one clears no one.
  await write('"Xiaoming, WANG",1940-05-05')
  await screenWaiting(services)
  expect(await queue('possible_match')).toEqual([['alike', 1]])
  expect((await open(alike.id)).screening).toMatchObject({ matches: [{ isBornOtherwise: true, score: 60 }] })
})

test('a name that cannot be compared completely is a potential match, and delays no other', async () => {
  await write('Nobody')
  setUp(file)
  const { id } = await aCase({ firstName: '\ufdfa'.repeat(200), lastName: '\ufdfa'.repeat(200) })
  await screenWaiting(services)
  expect(await open(id)).toMatchObject({ screening: { isPartial: true, matches: [] }, possibleMatches: 1 })
})

test('a result for one name says nothing about a changed name', async () => {
  const { id } = await aCase()
  const before = await findAnyKyc(services.db, id)
  await services.db
    .updateTable('kyc_application')
    .set({ full_name: 'Another Name' })
    .where('id', '=', id)
    .execute()
  await screenCase(services.db, services, before!)
  expect(await findAnyKyc(services.db, id)).toMatchObject({ screening_hash: null, possible_matches: null })
})

test('only those who may decide the case can mark it: no other’s, one’s own, or decided case', async () => {
  const { id } = await aCase()
  const { hash } = (await open(id)).screening
  await call(api.assignKycCase, { params: { id }, body: { to: 'me' } }, { token: two.token })
  expect((await read(id, hash)).problem.code).toBe('conflict')
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const own = await call(
    api.createKyc,
    { body: { ...anApplicant(officer.email), photoUrls: [await aPicture()] } },
    { token: officer.token },
  )
  expect((await read(own.body._id, hash, officer)).problem.code).toBe('forbidden')
  const rejected = { status: 'rejected' as const, reason: 'Unreadable.' }
  await call(api.decideKycCase, { params: { id }, body: rejected }, { token: two.token })
  expect((await read(id, hash, two)).problem.code).toBe('conflict')
})

test('another name or date of birth is unread', async () => {
  const { id, member } = await aCase({ dateOfBirth: '1990-01-31' })
  await read(id, (await open(id)).screening.hash)
  await services.db.updateTable('kyc_application').set({ status: 'more_info' }).where('id', '=', id).execute()
  const answer = { id, dateOfBirth: '1991-01-31' }
  const updated = await call(api.updateKyc, { body: answer }, { token: member.token })
  expect(updated.body.dateOfBirth).toBe('1991-01-31')
  expect(await open(id)).toMatchObject({ screeningReadAt: null, dateOfBirth: '1991-01-31' })
})

test('an answer that changes no compared data keeps the screening read', async () => {
  const { id, member } = await aCase({ dateOfBirth: '1990-01-31' })
  await read(id, (await open(id)).screening.hash)
  const asked = { status: 'more_info' as const, reason: 'Which address?' }
  await call(api.decideKycCase, { params: { id }, body: asked }, { token: one.token })
  const answer = { id, email: 'another@example.com' }
  expect((await call(api.updateKyc, { body: answer }, { token: member.token })).status).toBe(200)
  expect(await open(id)).toMatchObject({
    screeningReadAt: expect.any(String),
    screeningReadBy: { id: one.id },
  })
})

test('a new match during a request must be read again, also after another country', async () => {
  const { id, member } = await aCase()
  await write('Nobody')
  setUp(file)
  const markAndAsk = async () => {
    await read(id, (await open(id)).screening.hash)
    const asked = { status: 'more_info' as const, reason: 'Which country?' }
    await call(api.decideKycCase, { params: { id }, body: asked }, { token: one.token })
  }
  await markAndAsk()
  await write('Sample Person')
  await screenWaiting(services)
  expect((await findAnyKyc(services.db, id))!.screening_read_at).toBeNull()
  const answer = (country: string) => call(api.updateKyc, { body: { id, country } }, { token: member.token })
  expect((await answer('Norway')).status).toBe(200)
  expect(await open(id)).toMatchObject({ screeningReadAt: null, possibleMatches: 1 })
  // The finding is the same: officers compare the country themselves.
  await markAndAsk()
  await answer('Chile')
  expect(await open(id)).toMatchObject({ screeningReadAt: null, screeningReadBy: null })
  await readPhotos(id)
  const approval = { params: { id }, body: { status: 'approved' as const } }
  expect((await call(api.decideKycCase, approval, { token: one.token })).problem.code).toBe(
    'screening_unread',
  )
})

test('shows names similar to the list with a score', async () => {
  const { id } = await aCase()
  await write('"PERSON, Sámple",1970-01-02,Sample list\nSomebody Else,,Sample list')
  setUp(file)
  expect((await open(id)).screening.matches).toEqual([
    {
      provider: 'list file',
      list: 'Sample list',
      name: 'PERSON, Sámple',
      born: '1970-01-02',
      score: 100,
      isBornOtherwise: false,
    },
  ])
})
