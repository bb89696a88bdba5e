import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import {
  anApplicant,
  anApplication,
  anOrder,
  aPicture,
  aSignedInMember,
  goodPassword,
  signUp,
  type TestMember,
} from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })

const exportOf = (member: TestMember) => call(api.exportMember, {}, { token: member.token })
const erase = (member: TestMember, current = member.password) =>
  call(api.eraseMember, { body: { current } }, { token: member.token })

/** Lists every table with a row that contains the text. */
async function tablesThatHold(text: string): Promise<string[]> {
  const tables = await services.db.introspection.getTables()
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await services.db
      .selectFrom(name as 'member')
      .selectAll()
      .execute()
    if (JSON.stringify(rows).includes(text)) found.push(name)
  }
  return found.toSorted()
}

test('the export contains everything about the member, including pictures, and nothing of others', async () => {
  const [member, other] = [await aSignedInMember(started), await aSignedInMember(started)]
  for (let n = 0; n < 101; n += 1) await anOrder(started, member.id)
  const foreign = await anOrder(started, other.id)
  const application = await anApplication(started, member)
  const decision = {
    id: application._id,
    status: 'rejected' as const,
    reason: 'Unreadable.',
    note: 'A hunch.',
  }
  await call(api.updateKyc, { body: decision }, { token: finance.token })
  const application2 = { email: member.email, fullName: 'Sample', city: 'Oslo', country: 'Norway' }
  await call(api.applyAsAmbassador, { body: application2 })

  const { status, body, headers } = await exportOf(member)
  expect(status).toBe(200)
  expect(headers['cache-control']).toBe('no-store')
  expect(body).toMatchObject({
    exportedAt: expect.any(String),
    profile: { id: member.id, email: member.email, language: 'en', hasSecondFactor: false },
    sessions: [{ place: member.ip }],
    identityApplications: [
      {
        _id: application._id,
        status: 'rejected',
        reason: 'Unreadable.',
        steps: [{ from: 'submitted', to: 'rejected', reason: 'Unreadable.' }],
      },
    ],
    ambassadorApplications: [{ city: 'Oslo' }],
  })
  expect(body['orders']).toHaveLength(101)
  const [{ photos }] = body['identityApplications'] as [{ photos: string[] }]
  const picture = await sharp(Buffer.from(photos[0]!.split(',')[1]!, 'base64')).metadata()
  expect([photos.length, picture.format, picture.width]).toEqual([1, 'jpeg', 640])

  const text = JSON.stringify(body)
  expect(text).not.toContain('A hunch.')
  expect(text).not.toContain(foreign.id)
  expect(text).not.toContain(other.email)
  const { password_hash } = await services.db
    .selectFrom('member')
    .select('password_hash')
    .where('id', '=', member.id)
    .executeTakeFirstOrThrow()
  expect(text).not.toContain(password_hash!)
  expect((await exportOf(member)).body['activity']).toContainEqual(
    expect.objectContaining({ action: 'member-exported' }),
  )
})

test('limits exports to ten per hour', async () => {
  const member = await aSignedInMember(started)
  for (let n = 0; n < 10; n += 1) expect((await exportOf(member)).status).toBe(200)
  expect((await exportOf(member)).problem.code).toBe('rate_limited')
})

test('erasure needs the password, empties every table of the person, and sends one email', async () => {
  const member = await aSignedInMember(started, {
    display_name: 'Unmistakable Name',
    mobile: '+47 555 0199',
    manage_news: 1,
  })
  const papers = {
    ...anApplicant(member.email),
    firstName: 'Unmistakable Name',
    photoUrls: [await aPicture()],
  }
  expect((await call(api.createKyc, { body: papers }, { token: member.token })).status).toBe(201)
  await call(
    api.updateMember,
    { body: { id: member.id, email: 'unmistakable@example.org' } },
    { token: member.token },
  )
  await call(api.requestPasswordReset, { body: { email: member.email } })
  await call(api.applyAsAmbassador, {
    body: { email: member.email, fullName: 'Unmistakable Name', city: 'Oslo', country: 'Norway' },
  })
  expect((await erase(member, 'wrong')).problem.code).toBe('credentials_invalid')
  expect((await call(api.listSessions, {}, { token: member.token })).status).toBe(200)

  const answer = await erase(member)
  expect(answer).toMatchObject({ status: 200, body: { erased: true, kept: [] } })
  expect(answer.cookies).toMatchObject({ refresh: '', 'XSRF-TOKEN': '' })
  expect((await call(api.listSessions, {}, { token: member.token })).problem.code).toBe('session_expired')
  expect((await mailsTo(member.email)).map(({ kind }) => kind)).toEqual(['account-erased'])
  expect(await tablesThatHold(member.email)).toEqual(['mail'])
  expect(await tablesThatHold('Unmistakable')).toEqual([])
  expect(await tablesThatHold('555 0199')).toEqual([])
  const signIn = { body: { email: member.email, password: member.password } }
  expect((await call(api.signIn, signIn)).problem.code).toBe('credentials_invalid')
})

test('after erasure staff find no one, and the address may sign up again', async () => {
  const member = await aSignedInMember(started)
  const officer = await aSignedInMember(started, { manage_employee: 2 })
  await erase(member)
  const by = { token: officer.token }
  expect((await call(api.getMember, { params: { id: member.id } }, by)).status).toBe(404)
  expect((await call(api.findMember, { body: { id: member.id } }, by)).status).toBe(404)
  expect((await call(api.updateMember, { body: { id: member.id, active: true } }, by)).status).toBe(404)
  expect((await call(api.findMembers, { body: { q: member.id } }, by)).body).toEqual([])
  const { code } = await signUp(started, member.email, goodPassword)
  expect((await call(api.activateMember, { params: { email: member.email, code } })).body).toBe(true)
})

test.each(['approved', 'expired'] as const)(
  'orders and an identity that is %s are retained for five years from now, and the response says so',
  async (state) => {
    const member = await aSignedInMember(started)
    const application = await anApplication(started, member, state)
    const order = await anOrder(started, member.id)
    const { body } = await erase(member)
    expect(body.kept.map(({ what }) => what)).toEqual(['orders', 'identity'])
    for (const { until } of body.kept)
      expect((Date.parse(until) - Date.now()) / 86_400_000 / 365.25).toBeCloseTo(5, 2)
    const by = { token: finance.token }
    expect((await call(api.getKyc, { params: { id: application._id } }, by)).body.status).toBe(state)
    expect((await call(api.getKycPhoto, { params: { id: application._id, n: 0 } }, by)).status).toBe(200)
    expect((await call(api.getOrder, { params: { id: order.id } }, by)).status).toBe(200)
  },
)

test('limits wrong passwords for erasure too', async () => {
  const member = await aSignedInMember(started)
  for (let n = 0; n < 10; n += 1) await erase(member, 'wrong')
  expect((await erase(member)).problem.code).toBe('rate_limited')
})

test('the preview shows what would be erased and retained, and changes nothing', async () => {
  const member = await aSignedInMember(started)
  const by = { token: member.token }
  expect((await call(api.previewErasure, {}, by)).body).toEqual({
    id: member.id,
    erased: ['account', 'sessions'],
    kept: [],
    isLastAdmin: false,
  })
  await anApplication(started, member, 'approved')
  await anOrder(started, member.id)
  await call(api.applyAsAmbassador, {
    body: { email: member.email, fullName: 'Sample', city: 'Oslo', country: 'Norway' },
  })
  const { body } = await call(api.previewErasure, {}, by)
  expect(body.erased).toEqual(['account', 'sessions', 'ambassador', 'mails'])
  expect(body.kept.map(({ what }) => what)).toEqual(['orders', 'identity'])
  expect((await call(api.listSessions, {}, by)).status).toBe(200)
  const answer = await erase(member)
  expect(answer.body.kept.map(({ what }) => what)).toEqual(['orders', 'identity'])
  const [mail] = await mailsTo(member.email)
  expect(mail!.text).toContain(String(new Date(answer.body.kept[0]!.until).getUTCFullYear()))
  expect(mail!.text).not.toMatch(/[{}]/)
})

test('the preview names pending photos and unsaved texts, and erasure deletes them', async () => {
  const member = await aSignedInMember(started, { manage_news: 2 })
  const by = { token: member.token }
  await call(api.stageKycPhoto, { body: { photo: await aPicture() } }, by)
  await call(api.createHandoff, { body: { room: 8 } }, by)
  const copy = {
    postId: null,
    translationOf: null,
    title: '',
    category: '',
    language: 'en',
    content: 'x',
    basedOn: null,
  } as const
  await call(api.saveAutosave, { body: { id: randomUUID(), ...copy } }, by)
  const { body } = await call(api.previewErasure, {}, by)
  expect(body.erased).toEqual(['account', 'sessions', 'waitingPhotos', 'workingCopies'])
  expect((await erase(member)).status).toBe(200)
  for (const table of ['kyc_staged_photo', 'phone_handoff', 'announcement_working_copy'] as const) {
    const rows = services.db.selectFrom(table).select('id').where('member_id', '=', member.id)
    expect(await rows.execute()).toEqual([])
  }
})

test('the last administrator is warned and cannot erase themselves', async () => {
  const alone = await startApi()
  const last = await aSignedInMember(alone, { is_write_access_admin: true })
  const by = { token: last.token }
  expect((await alone.call(api.previewErasure, {}, by)).body.isLastAdmin).toBe(true)
  const refused = await alone.call(api.eraseMember, { body: { current: last.password } }, by)
  expect(refused).toMatchObject({ status: 409, problem: { code: 'last_admin' } })
  await aSignedInMember(alone, { is_write_access_admin: true })
  expect((await alone.call(api.previewErasure, {}, by)).body.isLastAdmin).toBe(false)
  expect((await alone.call(api.eraseMember, { body: { current: last.password } }, by)).status).toBe(200)
})
