import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { TestMember } from '#tests/builders.ts'
import { finalRefusal, identityCases } from '#tests/setup/identity-cases.ts'
import { readCase, reviewPhoto } from '#tests/setup/read-case.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call } = started
const cases = identityCases(started)
const { aCase, decide, lift, read, remove, update } = cases
const [one, two, three] = [
  await cases.officer('Officer One'),
  await cases.officer('Officer Two'),
  await cases.officer('Officer Three'),
]
const anOfficer = () => cases.officer('Officer With A Past')
const assign = (by: TestMember, id: string, to: 'me' | 'nobody', takeOver = false) =>
  call(api.assignKycCase, { params: { id }, body: { to, takeOver } }, { token: by.token })
const markScreening = async (by: TestMember, id: string) => {
  const { hash } = (await read(by, id)).body.screening
  return call(api.readKycScreening, { params: { id }, body: { hash } }, { token: by.token })
}
const refuseForGood = async (id: string) => {
  await decide(one, id, finalRefusal)
  expect((await decide(two, id, finalRefusal)).body.isFinal).toBe(true)
}

/** The status of the officer's own application. */
const pasts: [string, (own: { id: string; member: TestMember }) => Promise<unknown>][] = [
  ['was refused for good', ({ id }) => refuseForGood(id)],
  [
    'was refused for good, and deleted',
    async ({ id, member }) => {
      await refuseForGood(id)
      await remove(member, id)
    },
  ],
]

describe.each(pasts)('an officer whose own application %s', (_, come) => {
  test('cannot work on a case that shares a document with it, unlike others', async () => {
    const officer = await anOfficer()
    const own = await aCase({}, officer)
    await come(own)
    const { id } = await aCase({ photoUrls: [own.photo] })
    expect((await read(officer, id)).body.isBarred).toBe(true)
    const refused = [
      await assign(officer, id, 'me'),
      await reviewPhoto(started, officer, id, 0, { verdict: 'accepted' }),
      await markScreening(officer, id),
      await decide(officer, id, { status: 'approved' }),
      await decide(officer, id, { status: 'more_info', reason: 'Again.' }),
      await decide(officer, id, finalRefusal),
      await update(officer, { _id: id, status: 'rejected', reason: 'No.' }),
      await remove(officer, id),
    ]
    expect(refused.map(({ status, problem }) => [status, problem.code])).toEqual(
      refused.map(() => [403, 'forbidden']),
    )
    expect((await assign(one, id, 'me')).status).toBe(200)
    expect((await assign(officer, id, 'nobody', true)).problem.code).toBe('forbidden')
    expect((await read(three, id)).body.isBarred).toBe(false)
  })
})

test.each([
  ['an address', ({ own }: Awaited<ReturnType<typeof aCase>>) => ({ ethAddress: own.ethAddress })],
  [
    'name and date of birth',
    ({ own }: Awaited<ReturnType<typeof aCase>>) => ({
      firstName: own.firstName,
      dateOfBirth: '1980-05-06',
    }),
  ],
])('%s tell as well, and a name alone does not', async (_, shared) => {
  const officer = await anOfficer()
  const own = await aCase({ dateOfBirth: '1980-05-06' }, officer)
  await refuseForGood(own.id)
  const isBarred = async (fields: object) => (await read(officer, (await aCase(fields)).id)).body.isBarred
  expect(await isBarred(shared(own))).toBe(true)
  expect(await isBarred({ firstName: own.own.firstName, dateOfBirth: '1981-05-06' })).toBe(false)
})

test('cannot reverse the rejection of such a case, and their earlier approval is no longer valid', async () => {
  const officer = await anOfficer()
  const refused = await aCase()
  await refuseForGood(refused.id)
  expect((await lift(officer, refused.id)).body.liftProposedBy?.id).toBe(officer.id)
  await refuseForGood((await aCase({ photoUrls: [refused.photo] }, officer)).id)
  expect((await lift(officer, refused.id)).problem.code).toBe('forbidden')
  expect((await lift(three, refused.id)).body).toMatchObject({
    isFinal: true,
    liftProposedBy: { id: three.id },
  })
})

test('loses their first approval of a final rejection', async () => {
  const officer = await anOfficer()
  const found = await aCase()
  expect((await decide(officer, found.id, finalRefusal)).body.finalProposedBy?.id).toBe(officer.id)
  await refuseForGood((await aCase({ photoUrls: [found.photo] }, officer)).id)
  expect((await decide(two, found.id, finalRefusal)).body).toMatchObject({
    isFinal: false,
    finalProposedBy: { id: two.id },
  })
})

test('loses such a case if it is already assigned to them', async () => {
  const officer = await anOfficer()
  const found = await aCase()
  await assign(officer, found.id, 'me')
  await refuseForGood((await aCase({ photoUrls: [found.photo] }, officer)).id)
  expect((await decide(officer, found.id, { status: 'rejected', reason: 'No.' })).problem.code).toBe(
    'forbidden',
  )
  expect((await assign(officer, found.id, 'nobody')).body.assignee).toBeNull()
  await readCase(started, three, found.id)
  expect((await decide(three, found.id, { status: 'approved' })).body.approvalProposedBy?.id).toBe(three.id)
})

test('with a merely pending application flags the case and excludes no one', async () => {
  const officer = await anOfficer()
  const own = await aCase({}, officer)
  const { id } = await aCase({ photoUrls: [own.photo] })
  expect((await read(officer, id)).body.isBarred).toBe(false)
  await readCase(started, officer, id)
  expect((await decide(officer, id, { status: 'approved' })).body.status).toBe('approved')
})
