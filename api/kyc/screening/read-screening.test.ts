import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anApplicant, aPicture, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const [one, two] = [
  await aSignedInMember(started, { manage_finance: 2, display_name: 'Officer One' }),
  await aSignedInMember(started, { manage_finance: 2, display_name: 'Officer Two' }),
]
const file = join(services.config.dataDir, 'screening.csv')
let written = 0
/** Each writing is another file to the program, however quickly it follows. */
const write = (text: string) => {
  written += 1
  return writeFile(file, `name,born,list\n${text}\n${'Nobody Alike\n'.repeat(written)}`)
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
const open = async (id: string) => (await call(api.getKycCase, { params: { id } }, { token: one.token })).body
const read = (id: string, hash: string, by = one) =>
  call(api.readKycScreening, { params: { id }, body: { hash } }, { token: by.token })

test('without a list that is said, and reading it is a mark with who and when, once in the record', async () => {
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
  // A second reading changes nothing.
  expect((await read(id, before.screening.hash, two)).body).toMatchObject({
    screeningReadAt: marked.body.screeningReadAt,
    screeningReadBy: { id: one.id },
  })
  const events = await call(api.listKycCaseEvents, { params: { id } }, { token: one.token })
  expect(events.body.filter(({ what }) => what === 'screening_read')).toMatchObject([{ by: 'Officer One' }])
})

test('a list that comes, or names somebody else, has to be read again; one that says the same has not', async () => {
  const { id } = await aCase()
  const none = await open(id)
  await read(id, none.screening.hash)
  await write('Sample Person')
  setUp(file)
  // What was shown before is not what is found now.
  expect((await read(id, none.screening.hash)).problem.code).toBe('conflict')
  const found = await open(id)
  expect(found).toMatchObject({ screeningReadAt: null, possibleMatches: 1, screening: { state: 'compared' } })
  expect((await read(id, found.screening.hash)).body.screeningReadAt).not.toBeNull()
  await write('Sample Person')
  expect((await open(id)).screeningReadAt).not.toBeNull()
  await write('Sample Person\nSampel Person')
  expect(await open(id)).toMatchObject({ screeningReadAt: null, possibleMatches: 2 })
})

test('a list that cannot be read is no list without a match: nothing can be marked, and what was read stays read', async () => {
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

test('only who may decide the case marks it: not another’s, not one’s own, not a decided one', async () => {
  const { id } = await aCase()
  const { hash } = (await open(id)).screening
  await call(api.assignKycCase, { params: { id }, body: { to: 'me' } }, { token: two.token })
  expect((await read(id, hash)).problem.code).toBe('conflict')
  const own = await call(
    api.createKyc,
    { body: { ...anApplicant(one.email), photoUrls: [await aPicture()] } },
    { token: one.token },
  )
  expect((await read(own.body._id, (await open(own.body._id)).screening.hash)).problem.code).toBe('forbidden')
  const rejected = { status: 'rejected' as const, reason: 'Unreadable.' }
  await call(api.decideKycCase, { params: { id }, body: rejected }, { token: two.token })
  expect((await read(id, hash, two)).problem.code).toBe('conflict')
})

test('another name or date of birth is nobody’s reading yet', async () => {
  const { id, member } = await aCase({ dateOfBirth: '1990-01-31' })
  await read(id, (await open(id)).screening.hash)
  await services.db.updateTable('kyc_application').set({ status: 'more_info' }).where('id', '=', id).execute()
  const answer = { id, dateOfBirth: '1991-01-31' }
  const updated = await call(api.updateKyc, { body: answer }, { token: member.token })
  expect(updated.body.dateOfBirth).toBe('1991-01-31')
  expect(await open(id)).toMatchObject({ screeningReadAt: null, dateOfBirth: '1991-01-31' })
})
