import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anApplication, aPicture, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const one = await aSignedInMember(started, { manage_finance: 2 })
const two = await aSignedInMember(started, { manage_finance: 2 })

async function aCase() {
  const member = await aSignedInMember(started)
  const { _id: id } = await anApplication(started, member)
  return { member, id }
}
const look = (by: TestMember, id: string, n = 0) =>
  call(api.getKycPhoto, { params: { id, n } }, { token: by.token })
const judge = (
  by: TestMember,
  id: string,
  fields: { n?: number; round?: number; verdict?: 'accepted' | 'refused' | 'open' } = {},
) => {
  const { n = 0, round = 1, verdict = 'accepted' } = fields
  const body = { verdict, reason: 'Blurred.', round }
  return call(api.reviewKycPhoto, { params: { id, n }, body }, { token: by.token })
}
const unseen = { status: 409, problem: { code: 'photo_unseen' } }

/** Requests more information and submits the answer, with new photos for rejected ones. */
async function nextRound({ member, id }: Awaited<ReturnType<typeof aCase>>, fields: object = {}) {
  const asked = { status: 'more_info' as const, reason: 'Another one.' }
  await call(api.decideKycCase, { params: { id }, body: asked }, { token: one.token })
  const answer = await call(api.updateKyc, { body: { _id: id, ...fields } }, { token: member.token })
  expect(answer.body).toMatchObject({ round: 2, status: 'submitted' })
}

test.each(['accepted', 'refused'] as const)(
  'a photo can be %s only by an officer to whom it was shown',
  async (verdict) => {
    const { id } = await aCase()
    expect(await judge(one, id, { verdict })).toMatchObject(unseen)
    await look(two, id)
    expect(await judge(one, id, { verdict })).toMatchObject(unseen)
    expect(await judge(one, id, { verdict: 'open' })).toMatchObject({ status: 200 })
    await look(one, id)
    expect(await judge(one, id, { verdict })).toMatchObject({ status: 200, body: { verdict } })
  },
)

test('another photo, another case, or an unreadable picture does not count as the photo', async () => {
  const [mine, other] = [await aCase(), await aCase()]
  await look(one, other.id)
  expect((await look(one, mine.id, 1)).status).toBe(404)
  expect(await judge(one, mine.id)).toMatchObject(unseen)

  const { get } = services.files
  services.files.get = async () => undefined
  expect((await look(one, mine.id)).status).toBe(404)
  services.files.get = get
  expect(await judge(one, mine.id)).toMatchObject(unseen)
  const { history } = (await call(api.getKycCase, { params: { id: mine.id } }, { token: one.token })).body
  expect(history.views.filter(({ what }) => what === 'photo')).toEqual([])
})

test('a verdict applies to the submission that the officer has read, and a photo seen in it', async () => {
  const found = await aCase()
  const { id } = found
  await look(one, id)
  await judge(one, id, { verdict: 'refused' })
  await nextRound(found, { photoUrls: [await aPicture('png', { width: 900, height: 700 })] })
  const conflict = { status: 409, problem: { code: 'conflict' } }
  expect(await judge(one, id, { n: 1, round: 1 })).toMatchObject(conflict)
  expect(await judge(one, id, { n: 1, round: 3 })).toMatchObject(conflict)
  expect(await judge(one, id, { n: 1, round: 2 })).toMatchObject(unseen)
  await look(one, id, 1)
  expect(await judge(one, id, { n: 1, round: 2 })).toMatchObject({ status: 200 })
})

test('a photo reviewed again because the name changed must be viewed again', async () => {
  const found = await aCase()
  const { id } = found
  await look(one, id)
  await judge(one, id)
  await nextRound(found, { fullName: 'Another Person' })
  expect(await judge(one, id, { round: 2 })).toMatchObject(unseen)
  await look(one, id)
  expect(await judge(one, id, { round: 2 })).toMatchObject({ status: 200 })
})
