import { afterAll, describe, expect, test } from 'vitest'
import { HOUR } from '#contract/platform/durations.ts'
import { api } from '#contract/api.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import { anApplicant, anApplication, aPicture, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { readCase, readScreening, reviewPhoto } from '#tests/setup/read-case.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const officer = await aSignedInMember(started, { manage_finance: 2, display_name: 'Officer' })

type Body = CallOf<typeof api.updateKyc>['body']
const answer = (by: TestMember, body: Body) => call(api.updateKyc, { body }, { token: by.token })
const decide = (id: string, body: CallOf<typeof api.decideKycCase>['body']) =>
  call(api.decideKycCase, { params: { id }, body }, { token: officer.token })
const judge = (id: string, n: number, verdict: 'accepted' | 'refused') =>
  reviewPhoto(started, officer, id, n, { verdict, reason: 'Blurred.' })
const read = async (id: string) =>
  (await call(api.getKycCase, { params: { id } }, { token: officer.token })).body
const picture = (width: number) => aPicture('png', { width: 500 + width, height: 500 })

/** A case with an accepted and a rejected photo, for which another photo was requested. */
async function anAskedCase() {
  const member = await aSignedInMember(started)
  const body = { ...anApplicant(member.email), photoUrls: [await picture(200), await picture(201)] }
  const { _id: id } = (await call(api.createKyc, { body }, { token: member.token })).body
  await judge(id, 0, 'accepted')
  await judge(id, 1, 'refused')
  await decide(id, { status: 'more_info', reason: 'The back side once more, please.' })
  return { member, id }
}
const photosOf = async (id: string) =>
  (await read(id)).photos.map(({ n, verdict, round, isReplaced }) => [n, verdict, round, isReplaced])
const verdictsOf = async (id: string) => (await read(id)).photos.map(({ verdict }) => verdict)

describe('an answer to a request for more information', () => {
  test('stays the same case: accepted photos stay, rejected ones are replaced, and both submissions are visible', async () => {
    const { member, id } = await anAskedCase()
    const { status, body } = await answer(member, {
      _id: id,
      photoUrls: [await picture(202)],
      country: 'Norway',
    })
    expect([status, body]).toMatchObject([
      200,
      { _id: id, status: 'submitted', round: 2, photoCount: 2, reason: '' },
    ])
    const shown = await read(id)
    expect(shown.rounds).toEqual([
      {
        handedInAt: expect.any(String),
        asked: { at: expect.any(String), by: 'Officer', reason: 'The back side once more, please.' },
        earlier: [{ field: 'country', value: 'Iceland' }],
      },
      { handedInAt: expect.any(String), asked: null, earlier: [] },
    ])
    expect(shown).toMatchObject({ assignee: { name: 'Officer' }, isAnswered: true, decidedAt: null })
    const picturesSeen = await Promise.all(
      [0, 1, 2].map((n) => call(api.getKycPhoto, { params: { id, n } }, { token: officer.token })),
    )
    expect(picturesSeen.map((each) => each.status)).toEqual([200, 200, 200])
    // Earlier submissions are no longer reviewed.
    expect((await judge(id, 1, 'accepted')).status).toBe(409)
    await readCase(started, officer, id)
    expect((await decide(id, { status: 'approved' })).status).toBe(200)
    expect(await photosOf(id)).toEqual([
      [0, 'accepted', 1, false],
      [1, 'refused', 1, true],
      [2, 'accepted', 2, false],
    ])
  })

  test('returns to the reviewer with its age, in its place in the queue', async () => {
    const { member, id } = await anAskedCase()
    const queue = async (query: object) =>
      (await call(api.listKycCases, { query: { q: id, ...query } }, { token: officer.token })).body
    await services.db
      .updateTable('kyc_application')
      .set({ created_at: new Date(Date.now() - 50 * HOUR) })
      .where('id', '=', id)
      .execute()
    expect(await queue({})).toMatchObject([{ status: 'more_info', isAnswered: false, assignee: null }])
    await answer(member, { _id: id, photoUrls: [await picture(220)] })
    const answered = { status: 'submitted', isAnswered: true, ageHours: 50, assignee: { id: officer.id } }
    expect(await queue({ status: 'waiting', assignee: 'me', olderThanHours: 49 })).toMatchObject([answered])
    expect(await queue({ assignee: 'nobody' })).toEqual([])
    const other = await aSignedInMember(started, { manage_finance: 2 })
    const byOther = { params: { id }, body: { status: 'rejected' as const, reason: 'Unreadable.' } }
    expect((await call(api.decideKycCase, byOther, { token: other.token })).problem.code).toBe('conflict')
    expect((await decide(id, { status: 'rejected', reason: 'Unreadable.' })).status).toBe(200)
    expect(await queue({})).toMatchObject([{ isAnswered: false }])
  })

  test('goes to everyone if the reviewer may no longer review', async () => {
    const member = await aSignedInMember(started)
    const { _id } = await anApplication(started, member)
    const leaving = await aSignedInMember(started, { manage_finance: 2 })
    const asking = { params: { id: _id }, body: { status: 'more_info' as const, reason: 'Which country?' } }
    await call(api.decideKycCase, asking, { token: leaving.token })
    await services.db.updateTable('member').set({ manage_finance: 1 }).where('id', '=', leaving.id).execute()
    await answer(member, { _id, country: 'Norway' })
    expect(await read(_id)).toMatchObject({ assignee: null, isAnswered: true })
  })

  test('is given once, while it is requested, and needs no photo if none was rejected', async () => {
    const member = await aSignedInMember(started)
    const { _id } = await anApplication(started, member)
    expect(await answer(member, { id: _id, country: 'Norway' })).toMatchObject({ status: 409 })
    await decide(_id, { status: 'more_info', reason: 'Which country?' })
    const answered = await answer(member, { _id, country: 'Norway', status: 'submitted' })
    expect(answered).toMatchObject({ status: 200, body: { status: 'submitted', country: 'Norway' } })
    expect(answered.body.firstName).toBe('Sample Person')
    expect(await answer(member, { id: _id, country: 'Chile' })).toMatchObject({ status: 409 })
  })

  test('is rejected if another application is pending', async () => {
    const member = await aSignedInMember(started)
    const { _id } = await anApplication(started, member, 'more_info')
    await services.db
      .insertInto('kyc_application')
      .values({ member_id: member.id, full_name: 'x', email: member.email })
      .execute()
    expect(await answer(member, { id: _id, country: 'Norway' })).toMatchObject({
      status: 409,
      problem: { code: 'conflict' },
    })
  })

  test('keeps accepted photos accepted, unless the compared data changed', async () => {
    const { member, id } = await anAskedCase()
    await answer(member, { _id: id, photoUrls: [await picture(203)] })
    expect(await verdictsOf(id)).toEqual(['accepted', 'refused', 'open'])
    await decide(id, { status: 'more_info', reason: 'Your name as in the passport, please.' })
    await answer(member, { _id: id, firstName: 'Sample Other Person' })
    expect(await verdictsOf(id)).toEqual(['open', 'refused', 'open'])
  })

  test('needs its screening read again only if the compared data changed', async () => {
    const member = await aSignedInMember(started)
    const { _id } = await anApplication(started, member)
    await readScreening(started, officer, _id)
    const readAt = (await read(_id)).screeningReadAt
    expect(readAt).not.toBeNull()
    await decide(_id, { status: 'more_info', reason: 'Which wallet?' })
    await answer(member, { _id, ethAddress: `0x${'8'.repeat(40)}` })
    expect((await read(_id)).screeningReadAt).toBe(readAt)
    await decide(_id, { status: 'more_info', reason: 'Your name as in the passport, please.' })
    await answer(member, { _id, firstName: 'Sample Other Person' })
    expect((await read(_id)).screeningReadAt).toBeNull()
  })

  test('replaces rejected photos, and never exceeds the maximum', async () => {
    const { member, id } = await anAskedCase()
    // Checked before step-up authentication, which changing the wallet needs.
    await letProofAge(started, member)
    const ethAddress = `0x${'7'.repeat(40)}`
    expect((await answer(member, { _id: id, ethAddress })).problem.errors).toMatchObject([
      { path: 'photoUrls', code: 'required' },
    ])
    const withPhoto = { _id: id, ethAddress, photoUrls: [await picture(209)] }
    expect((await answer(member, withPhoto)).problem.code).toBe('step_up_required')
    const many = await Promise.all(Array.from({ length: 8 }, (_, n) => picture(210 + n)))
    expect((await answer(member, { _id: id, photoUrls: many })).problem.errors).toMatchObject([
      { path: 'photoUrls', code: 'too_many' },
    ])
    expect((await answer(member, { _id: id, photoUrls: ['data:image/png;base64,AAAA'] })).status).toBe(400)
    expect((await read(id)).status).toBe('more_info')
  })

  test('accepts the specified record, also as read; officers’ entries stay theirs', async () => {
    const { member, id } = await anAskedCase()
    const token = { token: member.token }
    const { body: known } = await call(api.getKyc, { params: { id } }, token)
    const photo = await picture(204)
    const record = {
      memberId: member.id,
      firstName: known.firstName,
      lastName: 'Changed',
      country: known.country,
      email: known.email,
      btcAddress: known.btcAddress,
      ethAddress: known.ethAddress,
      photoUrl: photo,
      photoUrls: [photo],
      eventId: known.eventId,
      status: known.status,
    }
    for (const wrong of [
      { status: 'approved' as const },
      { note: 'x' },
      { reason: 'Fine.' },
      { memberId: officer.id },
    ])
      expect((await answer(member, { _id: id, ...record, ...wrong })).problem.code).toBe('forbidden')
    expect((await answer(member, { _id: id, ...record, reason: known.reason })).body).toMatchObject({
      _id: id,
      lastName: 'Changed',
      status: 'submitted',
    })
  })

  test('works with the form’s first endpoint too', async () => {
    const { member, id } = await anAskedCase()
    const body = { ...anApplicant(member.email), country: 'Norway', photoUrls: [await picture(205)] }
    const again = await call(api.createKyc, { body }, { token: member.token })
    expect([again.status, again.body]).toMatchObject([201, { _id: id, round: 2, country: 'Norway' }])
    const list = await call(api.listKycOfMember, { body: { memberId: member.id } }, { token: member.token })
    expect(list.body).toHaveLength(1)
  })

  test('from two windows at once is accepted once, and leaves no file', async () => {
    const { member, id } = await anAskedCase()
    const photo = await picture(206)
    const answers = await Promise.all([
      answer(member, { _id: id, photoUrls: [photo] }),
      answer(member, { _id: id, photoUrls: [photo] }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await read(id)).photos).toHaveLength(3)
    const waiting = await services.db.selectFrom('pending_file').select('created_at').execute()
    expect(waiting.filter(({ created_at }) => created_at.getTime() > 0)).toEqual([])
  })

  test('includes all pictures if the others were destroyed meanwhile', async () => {
    const { member, id } = await anAskedCase()
    await services.db
      .updateTable('kyc_application')
      .set({ sealed_data_key: null, photo_count: 0 })
      .where('id', '=', id)
      .execute()
    expect((await answer(member, { _id: id })).problem.errors).toMatchObject([{ code: 'required' }])
    expect((await answer(member, { _id: id, photoUrls: [await picture(207)] })).body.photoCount).toBe(1)
    expect(await photosOf(id)).toEqual([[2, 'open', 2, false]])
    const seen = await call(api.getKycPhoto, { params: { id, n: 2 } }, { token: officer.token })
    expect(seen.status).toBe(200)
  })

  test('is rejected after a final rejection', async () => {
    const { member, id } = await anAskedCase()
    await services.db
      .insertInto('kyc_application')
      .values({
        member_id: member.id,
        full_name: 'x',
        email: member.email,
        status: 'rejected',
        is_final: true,
      })
      .execute()
    expect((await answer(member, { _id: id, photoUrls: [await picture(208)] })).status).toBe(409)
  })
})
