import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { kycStates, type KycApplication, type KycState } from '#contract/people/kyc.ts'
import { anApplicant, anApplication, aPicture, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { readScreening } from '#tests/setup/read-case.ts'
import { startApi, type Answered } from '#tests/setup/start-api.ts'
import { updateKycRow } from './kyc.queries.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
const viewer = await aSignedInMember(started, { manage_finance: 1 })

type Answer = Promise<Answered<KycApplication>>
const submit = async (by: TestMember, fields: object = {}): Answer =>
  call(
    api.createKyc,
    { body: { ...anApplicant(by.email), photoUrls: [await aPicture()], ...fields } },
    { token: by.token },
  )
const update = (by: TestMember, body: Parameters<typeof call<typeof api.updateKyc>>[1]['body']): Answer =>
  call(api.updateKyc, { body }, { token: by.token })
const read = async (by: TestMember, id: string) => call(api.getKyc, { params: { id } }, { token: by.token })
/** Written directly, because reviewing a photo would start the review. */
const acceptPhotos = async (id: string) => {
  await services.db
    .updateTable('kyc_photo')
    .set({ verdict: 'accepted' })
    .where('application_id', '=', id)
    .execute()
  await readScreening(started, finance, id)
}
const stateOf = async (member: TestMember) =>
  (await call(api.signIn, { body: { email: member.email, password: member.password } }, { ip: member.ip }))
    .body.kyc

describe('submitting', () => {
  test('accepts an application, returns it without pictures, and emails a receipt', async () => {
    const member = await aSignedInMember(started)
    expect(await stateOf(member)).toBe('none')
    const answer = await submit(member, { photoUrls: [await aPicture(), await aPicture('png')] })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      _id: expect.any(String),
      memberId: member.id,
      ...anApplicant(member.email),
      lastName: '',
      dateOfBirth: '',
      btcAddress: '',
      eventId: 'TGE001',
      status: 'submitted',
      reason: '',
      photoCount: 2,
      round: 1,
      isFinal: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      decidedAt: null,
    })
    expect(await stateOf(member)).toBe('submitted')
    expect((await mailsTo(member.email)).map(({ kind }) => kind)).toEqual(['kyc-submitted'])
  })

  test('owner and status come from the server, whatever the body contains', async () => {
    const [member, other] = [await aSignedInMember(started), await aSignedInMember(started)]
    const { body } = await submit(member, {
      memberId: other.id,
      status: 'approved',
      photoUrl: 'x',
      photoId: 1,
      eventId: 'TGE002',
    })
    expect(body).toMatchObject({ memberId: member.id, status: 'submitted', eventId: 'TGE002' })
  })

  test.each([
    [{ firstName: undefined, fullName: 'Sample' }, { firstName: 'Sample' }],
    [{ ethAddress: undefined, ethAdd: `0x${'1'.repeat(40)}` }, { ethAddress: `0x${'1'.repeat(40)}` }],
    [{ ethAddress: undefined, ETHadd: `0x${'2'.repeat(40)}` }, { ethAddress: `0x${'2'.repeat(40)}` }],
  ])('the wire’s other names are read: %j', async (fields, expected) => {
    expect((await submit(await aSignedInMember(started), fields)).body).toMatchObject(expected)
  })

  test.each([
    [{ firstName: undefined }, 'firstName', 'required'],
    [{ firstName: ' ' }, 'firstName', 'required'],
    [{ firstName: 'a\u0000' }, 'firstName', 'invalid'],
    [{ email: undefined }, 'email', 'required'],
    [{ email: 'nobody' }, 'email', 'email'],
    [{ ethAddress: undefined }, 'ethAddress', 'required'],
    [{ ethAddress: 'x'.repeat(129) }, 'ethAddress', 'too_long'],
    [{ photoUrls: undefined }, 'photoUrls', 'required'],
    [{ photoUrls: [] }, 'photoUrls', 'required'],
    [{ photoUrls: Array(9).fill('data:image/png;base64,AA==') }, 'photoUrls', 'too_many'],
    [{ photoUrls: ['https://evil.example/x.png'] }, 'photoUrls.0', 'picture'],
    [{ photoCount: 3 }, 'photoCount', 'unknown'],
  ])('is refused by its field (%#)', async (fields, path, code) => {
    const member = await aSignedInMember(started)
    const answer = await submit(member, fields)
    expect(answer).toMatchObject({ status: 400, problem: { code: 'validation_failed' } })
    expect(answer.problem.errors).toEqual([expect.objectContaining({ path, code })])
    expect(await stateOf(member)).toBe('none')
  })

  test.each(['submitted', 'in_review'] as const)(
    'rejects another application while one is %s',
    async (state) => {
      const member = await aSignedInMember(started)
      await anApplication(started, member, state)
      expect(await submit(member)).toMatchObject({ status: 409, problem: { code: 'conflict' } })
    },
  )

  test.each(['rejected', 'expired', 'withdrawn'] as const)(
    'after one that is %s another may follow, and it counts',
    async (state) => {
      const member = await aSignedInMember(started)
      await anApplication(started, member, state)
      expect((await submit(member)).status).toBe(201)
      expect(await stateOf(member)).toBe('submitted')
    },
  )

  test('accepts one of five concurrent applications', async () => {
    const member = await aSignedInMember(started)
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit(member)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409])
    const list = await call(api.listKycOfMember, { body: { memberId: member.id } }, { token: member.token })
    expect(list.body).toHaveLength(1)
  })

  test('limits a member to ten submissions per day', async () => {
    const member = await aSignedInMember(started)
    const wrong = { photoUrls: ['data:image/png;base64,AAAA'] }
    for (let n = 0; n < 10; n += 1) expect((await submit(member, wrong)).status).toBe(400)
    expect((await submit(member)).problem.code).toBe('rate_limited')
  })
})

describe('reading', () => {
  test('a member finds only their own applications, without the private note', async () => {
    const [member, other] = [await aSignedInMember(started), await aSignedInMember(started)]
    const own = await anApplication(started, member)
    const foreign = await anApplication(started, other)
    await update(finance, { id: own._id, note: 'Private' })
    const token = { token: member.token }
    const answers = [
      [(await read(member, own._id)).body],
      (await call(api.listKycOfMember, { body: { memberId: member.id } }, token)).body,
      (await call(api.findKyc, { body: {} }, token)).body,
      (await call(api.findKyc, { body: { ETHadd: own.ethAddress } }, token)).body,
      (await call(api.findKyc, { body: { email: own.email, memberId: member.id } }, token)).body,
    ]
    for (const answer of answers) {
      expect(answer.map(({ _id }) => _id)).toEqual([own._id])
      expect(answer[0]).not.toHaveProperty('note')
    }
    expect((await call(api.findKyc, { body: { email: foreign.email } }, token)).body).toEqual([])
    for (const id of [foreign._id, 'nothing']) expect((await read(member, id)).problem.code).toBe('forbidden')
    expect((await read(viewer, own._id)).body.note).toBe('Private')
    expect((await read(viewer, 'nothing')).status).toBe(404)
  })

  test('finance finds applications by each field, and each view is logged', async () => {
    const member = await aSignedInMember(started)
    const { _id } = await anApplication(started, member)
    for (const filter of [{ memberId: member.id }, { email: member.email }]) {
      const { body } = await call(api.findKyc, { body: filter }, { token: viewer.token })
      expect(body.map((found) => found._id)).toEqual([_id])
    }
    await read(viewer, _id)
    await read(member, _id)
    const entries = await services.db
      .selectFrom('audit_entry')
      .select(['actor_id', 'action'])
      .where('subject_id', '=', _id)
      .execute()
    expect(entries).toEqual([{ actor_id: viewer.id, action: 'kyc-viewed' }])
  })
})

describe('deciding', () => {
  const allowed: [from: KycState, to: KycState][] = [
    ['submitted', 'in_review'],
    ['submitted', 'approved'],
    ['submitted', 'rejected'],
    ['submitted', 'more_info'],
    ['in_review', 'approved'],
    ['in_review', 'rejected'],
    ['in_review', 'more_info'],
    ['approved', 'withdrawn'],
  ]

  test.for(kycStates)('from %s finance can take exactly the allowed transitions', async (from) => {
    for (const to of kycStates.filter((state) => state !== from)) {
      const member = await aSignedInMember(started)
      const { _id } = await anApplication(started, member, from)
      await acceptPhotos(_id)
      const answer = await update(finance, { id: _id, status: to, reason: 'Because.' })
      const may = allowed.some(([a, b]) => a === from && b === to)
      expect([from, to, answer.status]).toEqual([from, to, may ? 200 : 409])
      expect(await stateOf(member)).toBe(may ? to : from)
    }
  })

  test('each step has author, time, and reason; the member is emailed and sees all but the note', async () => {
    const member = await aSignedInMember(started)
    const { _id } = await anApplication(started, member)
    await update(finance, { id: _id, status: 'in_review' })
    const decided = await update(finance, {
      id: _id,
      status: 'rejected',
      reason: 'Unreadable.',
      note: 'A hunch.',
    })
    expect(decided.body).toMatchObject({ status: 'rejected', reason: 'Unreadable.', note: 'A hunch.' })
    const { body } = await read(member, _id)
    expect(body).toMatchObject({ status: 'rejected', reason: 'Unreadable.', decidedAt: expect.any(String) })
    expect(body).not.toHaveProperty('note')
    const steps = await services.db
      .selectFrom('kyc_step')
      .selectAll()
      .where('application_id', '=', _id)
      .orderBy('id')
      .execute()
    expect(steps.map((step) => [step.from_status, step.to_status, step.reason, step.by_member_id])).toEqual([
      ['submitted', 'in_review', '', finance.id],
      ['in_review', 'rejected', 'Unreadable.', finance.id],
    ])
    const mails = await mailsTo(member.email)
    expect(mails.map(({ kind }) => kind)).toEqual(['kyc-submitted', 'kyc-in-review', 'kyc-rejected'])
    expect(JSON.stringify(mails)).not.toMatch(/hunch/)
  })

  test.each(['rejected', 'more_info'] as const)('nothing becomes %s without a reason', async (status) => {
    const { _id } = await anApplication(started, await aSignedInMember(started))
    for (const reason of [undefined, '', '  ']) {
      const answer = await update(finance, { id: _id, status, ...(reason === undefined ? {} : { reason }) })
      expect(answer.problem.errors).toEqual([expect.objectContaining({ path: 'reason', code: 'required' })])
    }
  })

  test('does not reuse the reason of an earlier step', async () => {
    const member = await aSignedInMember(started)
    const { _id } = await anApplication(started, member)
    await update(finance, { id: _id, status: 'more_info', reason: 'The back is missing.' })
    await update(member, { id: _id, country: 'Norway' })
    await acceptPhotos(_id)
    expect((await update(finance, { id: _id, status: 'approved' })).body.reason).toBe('')
  })

  test('finance cannot rewrite the applicant’s data', async () => {
    const { _id, ...given } = await anApplication(started, await aSignedInMember(started))
    for (const change of [
      { ethAddress: '0xbad' },
      { firstName: 'Another' },
      { email: 'other@example.org' },
    ]) {
      const answer = await update(finance, { id: _id, status: 'approved', ...change })
      expect(answer.problem.code).toBe('forbidden')
    }
    await acceptPhotos(_id)
    // A record sent back unchanged is not a change.
    const same = { firstName: given.firstName, email: given.email, ethAddress: given.ethAddress }
    expect((await update(finance, { id: _id, status: 'approved', ...same })).status).toBe(200)
  })

  test('staff cannot decide on themselves, at any level', async () => {
    const officer = await aSignedInMember(started, { manage_finance: 2, is_write_access_admin: true })
    const { _id } = await anApplication(started, officer)
    for (const body of [{ status: 'approved' as const }, { note: 'x' }, { reason: 'x' }])
      expect((await update(officer, { id: _id, ...body })).problem.code).toBe('forbidden')
    await updateKycRow(services.db, _id, { status: 'more_info' })
    expect((await update(officer, { id: _id, status: 'approved' })).problem.code).toBe('forbidden')
    expect((await update(viewer, { id: _id, status: 'approved' })).problem.code).toBe('forbidden')
  })

  test('of two concurrent decisions, one succeeds', async () => {
    const { _id } = await anApplication(started, await aSignedInMember(started))
    await acceptPhotos(_id)
    const answers = await Promise.all([
      update(finance, { id: _id, status: 'approved' }),
      update(finance, { id: _id, status: 'rejected', reason: 'No.' }),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('reports a missing ID, and one that does not exist', async () => {
    expect((await update(finance, { status: 'approved' })).problem.errors).toEqual([
      expect.objectContaining({ path: '_id', code: 'required' }),
    ])
    expect((await update(finance, { id: 'nothing', status: 'approved' })).status).toBe(404)
  })
})
