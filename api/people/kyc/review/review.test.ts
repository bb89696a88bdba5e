import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import reasons from '#content/facts/review-reasons.json' with { type: 'json' }
import { anApplicant, anApplication, aPicture, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { readCase, reviewPhoto } from '#tests/setup/read-case.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const [one, two] = [
  await aSignedInMember(started, { manage_finance: 2, display_name: 'Officer One' }),
  await aSignedInMember(started, { manage_finance: 2, display_name: 'Officer Two' }),
]

const aCase = async (member?: TestMember) => {
  const applicant = member ?? (await aSignedInMember(started))
  return { member: applicant, id: (await anApplication(started, applicant))._id }
}
type Query = NonNullable<CallOf<typeof api.listKycCases>['query']>
const list = (by: TestMember, query: Query) => call(api.listKycCases, { query }, { token: by.token })
const read = (by: TestMember, id: string) => call(api.getKycCase, { params: { id } }, { token: by.token })
const assign = (by: TestMember, id: string, body: CallOf<typeof api.assignKycCase>['body']) =>
  call(api.assignKycCase, { params: { id }, body }, { token: by.token })
const review = (by: TestMember, id: string, n: number, body: Parameters<typeof reviewPhoto>[4]) =>
  reviewPhoto(started, by, id, n, body)
const decide = (by: TestMember, id: string, body: CallOf<typeof api.decideKycCase>['body']) =>
  call(api.decideKycCase, { params: { id }, body }, { token: by.token })
const submit = (member: TestMember, fields: object = {}) =>
  aPicture().then((photo) =>
    call(
      api.createKyc,
      { body: { ...anApplicant(member.email), photoUrls: [photo], ...fields } },
      { token: member.token },
    ),
  )
const actionsOn = async (id: string) =>
  (
    await services.db
      .selectFrom('audit_entry')
      .select('action')
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

describe('the queue', () => {
  test('starts with the longest waiting, continues where it stopped, and filters by words, status, age, and officer', async () => {
    const cases = [await aCase(), await aCase(), await aCase()]
    const ids = cases.map(({ id }) => id)
    for (const [n, id] of ids.entries())
      await services.db
        .updateTable('kyc_application')
        .set({ created_at: new Date(Date.now() - (500 - n * 100) * 3_600_000), full_name: `Zebra ${n}` })
        .where('id', '=', id)
        .execute()
    const found = async (query: Query) =>
      (await list(one, { q: 'zebra', ...query })).body.map(({ _id }) => _id)
    expect(await found({})).toEqual(ids)
    const first = await list(one, { q: 'zebra', limit: 2 })
    const after = new URLSearchParams(/\?([^>]*)/.exec(String(first.headers['link']))![1]).get('after')!
    expect(await found({ limit: 2, after })).toEqual([ids[2]])
    expect(await found({ olderThanHours: 350 })).toEqual(ids.slice(0, 2))
    await assign(one, ids[1]!, { to: 'me' })
    expect(await found({ assignee: 'me' })).toEqual([ids[1]])
    expect(await found({ assignee: 'nobody' })).toEqual([ids[0], ids[2]])
    await decide(one, ids[1]!, { status: 'in_review' })
    expect(await found({ status: 'in_review' })).toEqual([ids[1]])
    expect(await found({ status: 'waiting' })).toEqual(ids)
    expect(await found({ status: 'approved' })).toEqual([])
    expect(await found({ q: cases[2]!.member.email.toUpperCase() })).toEqual([ids[2]])
    expect(await found({ q: '%' })).toEqual([])
    await services.db
      .updateTable('kyc_application')
      .set({ eth_address: '0xABCDef0123456789abcdef0123456789abcdef01' })
      .where('id', '=', ids[1]!)
      .execute()
    for (const q of ['0xabcdEF0123', ids[1]!, cases[1]!.member.id])
      expect(await found({ q })).toEqual([ids[1]])
    expect(await found({ q: 'zebra 1' })).toEqual([ids[1]])
    expect((await list(one, { q: 'zebra' })).body[0]).toMatchObject({ ageHours: 500, assignee: null })
  })

  test('is counted', async () => {
    const { body } = await call(api.readKycStatistics, {}, { token: one.token })
    const rows = await services.db.selectFrom('kyc_application').select('status').execute()
    const count = (status: string) => rows.filter((row) => row.status === status).length
    expect(body.waiting).toEqual({
      submitted: count('submitted'),
      in_review: count('in_review'),
      more_info: count('more_info'),
    })
    expect(body.oldestHours).toBe(500)
  })
})

test('the standard reasons come from the content, for officers only', async () => {
  const answer = await call(api.listKycReasons, {}, { token: one.token })
  expect(answer.body).toEqual(reasons)
  const member = await aSignedInMember(started)
  expect(await call(api.listKycReasons, {}, { token: member.token })).toMatchObject({ status: 403 })
})

describe('a case', () => {
  test('belongs to its assignee: another officer can neither review nor decide it before taking it over', async () => {
    const { id } = await aCase()
    expect((await assign(one, id, { to: 'me' })).body.assignee).toEqual({ id: one.id, name: 'Officer One' })
    for (const answer of [
      await assign(two, id, { to: 'me' }),
      await review(two, id, 0, { verdict: 'accepted' }),
      await decide(two, id, { status: 'approved' }),
      await call(api.updateKyc, { body: { id, status: 'approved' } }, { token: two.token }),
    ])
      expect(answer).toMatchObject({ status: 409, problem: { code: 'conflict' } })
    expect((await assign(two, id, { to: 'me', takeOver: true })).body.assignee?.id).toBe(two.id)
    expect((await decide(one, id, { status: 'approved' })).status).toBe(409)
    await readCase(started, two, id)
    const before = await actionsOn(id)
    expect((await decide(two, id, { status: 'approved' })).body.status).toBe('approved')
    expect((await actionsOn(id)).slice(before.length)).toEqual(['kyc-updated'])
    expect(before.filter((action) => action === 'kyc-assigned')).toHaveLength(2)
  })

  test('of one’s own cannot be decided by oneself', async () => {
    const officer = await aSignedInMember(started, { manage_finance: 2 })
    const { id } = await aCase(officer)
    for (const answer of [
      await assign(officer, id, { to: 'me' }),
      await review(officer, id, 0, { verdict: 'accepted' }),
      await decide(officer, id, { status: 'approved' }),
    ])
      expect(answer.problem.code).toBe('forbidden')
  })

  test('has a verdict for each document; the member sees the reason and never the note', async () => {
    const { id, member } = await aCase()
    expect((await review(one, id, 0, { verdict: 'refused' })).problem.errors).toEqual([
      expect.objectContaining({ path: 'reason', code: 'required' }),
    ])
    const reviewed = await review(one, id, 0, { verdict: 'refused', reason: 'Blurred.', note: 'A hunch.' })
    expect(reviewed.body).toMatchObject({ n: 0, verdict: 'refused', reason: 'Blurred.', note: 'A hunch.' })
    expect((await review(one, id, 7, { verdict: 'accepted' })).status).toBe(404)
    const history = await call(api.getKycHistory, { params: { id } }, { token: member.token })
    expect(history.body.photos).toEqual([
      { n: 0, verdict: 'refused', reason: 'Blurred.', round: 1, isReplaced: false },
    ])
    expect(JSON.stringify(history.body)).not.toContain('hunch')
    await decide(one, id, { status: 'more_info', reason: 'A clearer photo, please.' })
    expect((await review(one, id, 0, { verdict: 'accepted' })).status).toBe(409)
    expect((await mailsTo(member.email)).at(-1)?.kind).toBe('kyc-more-info')
  })

  test('shows who shares its picture, address, or email, and each view is logged', async () => {
    const photo = await aPicture('png', { width: 770, height: 550 })
    const [first, second, third] = [
      await aSignedInMember(started),
      await aSignedInMember(started),
      await aSignedInMember(started),
    ]
    const btc = {
      btcAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      ethAddress: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    }
    const mine = await submit(first, { photoUrls: [photo], email: 'same.person+a@gmail.com', ...btc })
    const other = await submit(second, {
      photoUrls: [photo],
      email: 'x@example.org',
      ethAddress: '0xde709f2102306220921060314715629080e2fb77',
    })
    const alias = await submit(third, {
      email: 'sameperson@googlemail.com',
      ...btc,
      ethAddress: '0x27b1fdb04752bbc536007a920d24acb045561c26',
    })
    const { body } = await read(two, mine.body._id)
    expect(body.duplicates.map(({ id, why }) => [id, why])).toEqual([
      [alias.body._id, ['btcAddress', 'email']],
      [other.body._id, ['document']],
    ])
    expect(await actionsOn(mine.body._id)).toEqual(['kyc-viewed'])
    expect(body).toMatchObject({ hasDuplicates: true, memberLanguage: 'en', isFourEyesRequired: true })

    // In the queue, each of them has the flag, and a case that shares nothing does not.
    const alone = await submit(await aSignedInMember(started), {
      photoUrls: [await aPicture('png', { width: 780, height: 560 })],
      ethAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    })
    const flags = async (id: string) => (await list(one, { q: id })).body.map((row) => row.hasDuplicates)
    for (const { body: shared } of [mine, other, alias]) expect(await flags(shared._id)).toEqual([true])
    expect(await flags(alone.body._id)).toEqual([false])
    expect((await read(two, alone.body._id)).body.duplicates).toEqual([])
  })

  test('is exported completely for an auditor', async () => {
    const { id, member } = await aCase()
    await readCase(started, one, id)
    await decide(one, id, { status: 'approved', note: 'Clear.' })
    const { status, body } = await call(api.exportKycCase, { params: { id } }, { token: two.token })
    expect(status).toBe(200)
    expect(body.case).toMatchObject({ _id: id, email: member.email, status: 'approved', note: 'Clear.' })
    expect(body.pictures).toEqual([expect.stringMatching(/^data:image\/jpeg;base64,/)])
    expect(body.audit.map(({ action }) => action).slice(-2)).toEqual(['kyc-updated', 'kyc-exported'])
    for (const { hash } of body.audit) expect(hash).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('the history of a case', () => {
  const events = async (by: TestMember, id: string) =>
    (await call(api.listKycCaseEvents, { params: { id } }, { token: by.token })).body

  test('lists names, reasons, and views, newest first', async () => {
    const { id, member } = await aCase()
    const nameless = await aSignedInMember(started, { manage_finance: 2, display_name: '' })
    await assign(one, id, { to: 'me' })
    await assign(nameless, id, { to: 'me', takeOver: true })
    await read(one, id)
    await call(api.getKycPhoto, { params: { id, n: 0 } }, { token: one.token })
    await review(nameless, id, 0, { verdict: 'refused', reason: 'Blurred.' })
    await call(api.updateKyc, { body: { id, note: 'Only a note.' } }, { token: nameless.token })
    await decide(nameless, id, { status: 'more_info', reason: 'Once more, please.' })
    const photoUrls = [await aPicture('png')]
    await call(api.updateKyc, { body: { id, photoUrls } }, { token: member.token })
    const told = (await events(two, id)).map(({ what, by, to, photo, reason }) => [
      what,
      by,
      to,
      photo,
      reason,
    ])
    expect(told).toEqual([
      ['step', '', 'submitted', null, ''],
      ['step', nameless.email, 'more_info', null, 'Once more, please.'],
      ['noted', nameless.email, null, null, ''],
      ['photo_refused', nameless.email, null, 0, ''],
      ['photo_viewed', nameless.email, null, 0, ''],
      ['photo_viewed', 'Officer One', null, 0, ''],
      ['viewed', 'Officer One', null, null, ''],
      ['taken_over', nameless.email, null, null, ''],
      ['step', 'Officer One', 'in_review', null, ''],
      ['taken', 'Officer One', null, null, ''],
      ['submitted', '', 'submitted', null, ''],
    ])
    await assign(nameless, id, { to: 'me' })
    expect((await call(api.getKycCase, { params: { id } }, { token: two.token })).body.assignee?.name).toBe(
      nameless.email,
    )
  })

  test('is not a view itself, and does not exist for a missing case', async () => {
    const { id } = await aCase()
    await events(one, id)
    expect(await actionsOn(id)).toEqual([])
    expect((await call(api.listKycCaseEvents, { params: { id: 'x' } }, { token: one.token })).status).toBe(
      404,
    )
  })
})

describe('a final rejection in the review', () => {
  const final = { status: 'rejected' as const, isFinal: true, reason: 'Forged.' }

  test('needs two officers, and then blocks further submissions', async () => {
    const { id, member } = await aCase()
    const proposed = await decide(one, id, { ...final, note: 'A hunch.' })
    expect(proposed.body).toMatchObject({
      status: 'submitted',
      finalProposedBy: { id: one.id },
      assignee: null,
      // The member can't read the reason yet; the second officer can.
      reason: '',
      note: 'A hunch.',
      finalProposedReason: 'Forged.',
    })
    expect(await mailsTo(member.email)).toHaveLength(1)
    expect((await decide(one, id, final)).status).toBe(409)
    const agreed = await decide(two, id, final)
    expect(agreed.body).toMatchObject({ status: 'rejected', isFinal: true, reason: 'Forged.' })
    expect((await submit(member)).status).toBe(409)
    expect(await actionsOn(id)).toEqual(['kyc-final-proposed', 'kyc-updated'])
  })

  test('is withdrawn by any other step', async () => {
    const { id } = await aCase()
    await decide(one, id, final)
    expect((await decide(two, id, { status: 'in_review' })).body.finalProposedBy).toBeNull()
    expect((await decide(two, id, final)).body).toMatchObject({ status: 'in_review', isFinal: false })
  })

  test('needs one officer if the settings say so, and can only be a rejection', async () => {
    const alone = await startApi({ KYC_FOUR_EYES: 'off' })
    const officer = await aSignedInMember(alone, { manage_finance: 2 })
    const { _id } = await anApplication(alone, await aSignedInMember(alone))
    const answer = (body: CallOf<typeof api.decideKycCase>['body']) =>
      alone.call(api.decideKycCase, { params: { id: _id }, body }, { token: officer.token })
    expect((await answer({ status: 'approved', isFinal: true })).problem.errors?.[0]?.path).toBe('isFinal')
    expect((await answer(final)).body).toMatchObject({ status: 'rejected', isFinal: true })
  })
})
