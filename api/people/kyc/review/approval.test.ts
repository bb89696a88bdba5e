import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import {
  anApplicant,
  anApplication,
  aPicture,
  aSale,
  aSignedInMember,
  type TestMember,
} from '#tests/builders.ts'
import { readCase, readScreening, reviewPhoto } from '#tests/setup/read-case.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const officer = () => aSignedInMember(started, { manage_finance: 2, display_name: 'Officer' })
const one = await officer()
const two = await officer()
await aSale(started)

const aCase = async (photos = 1) => {
  const member = await aSignedInMember(started)
  const photoUrls = await Promise.all(
    Array.from({ length: photos }, (_, n) => aPicture('png', { width: 700 + n, height: 500 })),
  )
  const body = { ...anApplicant(member.email), photoUrls }
  const answer = await call(api.createKyc, { body }, { token: member.token })
  return { member, id: answer.body._id }
}
const decide = (by: TestMember, id: string, body: CallOf<typeof api.decideKycCase>['body']) =>
  call(api.decideKycCase, { params: { id }, body }, { token: by.token })
const update = (by: TestMember, body: CallOf<typeof api.updateKyc>['body']) =>
  call(api.updateKyc, { body }, { token: by.token })
const judge = (by: TestMember, id: string, n: number, body: Parameters<typeof reviewPhoto>[4]) =>
  reviewPhoto(started, by, id, n, body)
const stateOf = async (id: string) =>
  (await call(api.getKyc, { params: { id } }, { token: one.token })).body.status
const order = ({ token }: TestMember) =>
  call(api.createQuote, { body: { payMethod: 'BTC', amount: '0.5' } }, { token })
const approved = async () => {
  const found = await aCase()
  await readCase(started, one, found.id)
  expect((await decide(one, found.id, { status: 'approved' })).status).toBe(200)
  return found
}
/** Makes the session's proof of identity older than ten minutes. */
const goStale = (by: TestMember) =>
  services.db
    .updateTable('session')
    .set({ proved_at: new Date(Date.now() - 3_600_000) })
    .where('member_id', '=', by.id)
    .execute()

describe('an approval', () => {
  test('is rejected while a photo is unreviewed or rejected, by either endpoint', async () => {
    const { id } = await aCase(2)
    const refused = { status: 409, problem: { code: 'photos_unjudged' } }
    const tries = async () => [
      await decide(one, id, { status: 'approved' }),
      await update(one, { id, status: 'approved' }),
    ]
    for (const answer of await tries()) expect(answer).toMatchObject(refused)
    await judge(one, id, 0, { verdict: 'accepted' })
    for (const answer of await tries()) expect(answer).toMatchObject(refused)
    await judge(one, id, 1, { verdict: 'refused', reason: 'Not a document.' })
    for (const answer of await tries()) expect(answer).toMatchObject(refused)
    expect(await stateOf(id)).toBe('in_review')
    await judge(one, id, 1, { verdict: 'accepted' })
    for (const answer of await tries())
      expect(answer).toMatchObject({ status: 409, problem: { code: 'screening_unread' } })
    await readScreening(started, one, id)
    expect((await decide(one, id, { status: 'approved' })).body.status).toBe('approved')
  })

  test('is rejected while the current screening is unread: a changed list must be read again', async () => {
    const { id, member } = await aCase()
    await readCase(started, one, id)
    const file = join(services.config.dataDir, 'list.csv')
    await writeFile(file, `name\n${anApplicant(member.email).firstName}\n`)
    Object.assign(services.config, { screeningList: file })
    try {
      expect((await decide(one, id, { status: 'approved' })).problem.code).toBe('screening_unread')
      await readScreening(started, two, id)
      expect((await decide(one, id, { status: 'approved' })).status).toBe(200)
    } finally {
      Object.assign(services.config, { screeningList: undefined })
    }
  })

  test('needs photos: a case without any is never approved', async () => {
    const member = await aSignedInMember(started)
    const { id } = await services.db
      .insertInto('kyc_application')
      .values({ member_id: member.id, full_name: 'Sample', email: member.email })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await decide(one, id, { status: 'approved' })).problem.code).toBe('photos_unjudged')
  })

  test('covers what the officer has read: a later submission is not approved unseen', async () => {
    const { id, member } = await aCase()
    await readCase(started, one, id)
    await decide(one, id, { status: 'more_info', reason: 'Which country?' })
    await update(member, { id, country: 'Norway' })
    expect((await decide(one, id, { status: 'approved', round: 1 })).problem.code).toBe('conflict')
    // The photos are compared with different data now, so they are reviewed again.
    expect((await decide(one, id, { status: 'approved' })).problem.code).toBe('photos_unjudged')
    await readCase(started, one, id)
    expect((await decide(one, id, { status: 'approved', round: 2 })).status).toBe(200)
  })

  test('concurrent with a photo review leaves no rejected photo approved', async () => {
    const { id } = await aCase()
    await readCase(started, one, id)
    const [approval, verdict] = await Promise.all([
      decide(one, id, { status: 'approved' }),
      judge(two, id, 0, { verdict: 'refused', reason: 'Forged.' }),
    ])
    expect([approval.status, verdict.status].toSorted()).toEqual([200, 409])
  })
})

describe('a withdrawal', () => {
  test('ends an approval with a reason, an email, and a history entry; orders are rejected from then on', async () => {
    const { id, member } = await approved()
    expect((await order(member)).status).toBe(201)
    expect((await decide(two, id, { status: 'withdrawn' })).problem.errors).toEqual([
      expect.objectContaining({ path: 'reason', code: 'required' }),
    ])
    const withdrawn = await decide(two, id, {
      status: 'withdrawn',
      reason: 'The passport was reported lost.',
    })
    expect(withdrawn.body).toMatchObject({ status: 'withdrawn', reason: 'The passport was reported lost.' })
    expect((await order(member)).problem.code).toBe('identity_needed')
    const { body } = await call(api.getKycHistory, { params: { id } }, { token: member.token })
    expect(body.steps.at(-1)).toMatchObject({
      from: 'approved',
      to: 'withdrawn',
      reason: 'The passport was reported lost.',
    })
    expect(body.validUntil).toBeNull()
    expect((await mailsTo(member.email)).at(-1)?.kind).toBe('kyc-withdrawn')
    const { body: events } = await call(api.listKycCaseEvents, { params: { id } }, { token: one.token })
    expect(events[0]).toMatchObject({ what: 'step', to: 'withdrawn', by: 'Officer' })
    // They may apply again, and the law still requires retaining the identity that orders relied on.
    expect((await anApplication(started, member)).status).toBe('submitted')
    expect((await call(api.deleteKyc, { body: { id } }, { token: member.token })).status).toBe(409)
  })

  test('requires step-up, by either endpoint, as does every other way to end an approval', async () => {
    const { id } = await approved()
    const stale = await officer()
    await goStale(stale)
    for (const answer of [
      await decide(stale, id, { status: 'withdrawn', reason: 'x' }),
      await update(stale, { id, status: 'withdrawn', reason: 'x' }),
    ])
      expect(answer).toMatchObject({ status: 403, problem: { code: 'step_up_required' } })
    expect(await stateOf(id)).toBe('approved')
  })

  test('is the only way to end an approval, apart from expiry; an older one never returns', async () => {
    const { id: first, member } = await approved()
    const { _id: second } = await anApplication(started, member)
    await readCase(started, one, second)
    await decide(one, second, { status: 'approved' })
    for (const reason of [undefined, 'Too old.'])
      for (const answer of [
        await decide(two, second, { status: 'expired', reason } as never),
        await update(two, { id: second, status: 'expired', ...(reason ? { reason } : {}) }),
      ])
        expect(answer.status).toBeGreaterThanOrEqual(400)
    expect([await stateOf(first), await stateOf(second)]).toEqual(['approved', 'approved'])
    await decide(two, second, { status: 'withdrawn', reason: 'Too old.' })
    expect([await stateOf(first), await stateOf(second)]).toEqual(['withdrawn', 'withdrawn'])
    expect((await order(member)).problem.code).toBe('identity_needed')
  })

  test('is impossible for one’s own approval, and for anything but an approval', async () => {
    const officer = await aSignedInMember(started, { manage_finance: 2 })
    const own = await anApplication(started, officer, 'approved')
    expect((await decide(officer, own._id, { status: 'withdrawn', reason: 'x' })).problem.code).toBe(
      'forbidden',
    )
    const { id } = await aCase()
    expect((await decide(one, id, { status: 'withdrawn', reason: 'x' })).status).toBe(409)
  })

  test('leaves no earlier approval in force', async () => {
    const { id: first, member } = await approved()
    const { _id: second } = await anApplication(started, member)
    await readCase(started, one, second)
    await decide(one, second, { status: 'approved' })
    await decide(two, second, { status: 'withdrawn', reason: 'Forged.' })
    expect(await stateOf(first)).toBe('withdrawn')
    expect((await order(member)).problem.code).toBe('identity_needed')
  })
})
