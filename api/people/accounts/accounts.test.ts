import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anEmail, aMember, goodPassword, signUp } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)

test('a visitor signs up, activates with the emailed code, and signs in', async () => {
  const { call, mailsTo, ...rest } = started
  const email = anEmail()
  const created = await call(api.createMember, {
    body: { email: `  ${email.toUpperCase()} `, password: goodPassword },
  })
  expect(created).toMatchObject({ status: 201, body: { email, active: false } })

  const early = await call(api.signIn, { body: { email, password: goodPassword } })
  expect(early).toMatchObject({ status: 403, problem: { code: 'member_inactive' } })

  const [mail] = await mailsTo(email)
  const link = new URL(/https?:\S+activate\S+/.exec(mail!.text)![0])
  expect(link.searchParams.get('email')).toBe(email)
  const code = link.searchParams.get('code')!
  expect(mail!.html).toContain(code)
  expect((await call(api.activateMember, { params: { email, code } })).body).toBe(true)

  const signedIn = await call(api.signIn, { body: { email, password: goodPassword } })
  expect(signedIn).toMatchObject({
    status: 200,
    body: { email, isWriteAccessAdmin: false, manageNews: 0, kyc: 'none', defaultMerchant: null },
  })
  expect(
    (await rest.services.db.selectFrom('sign_up').selectAll().executeTakeFirstOrThrow()).code_hash,
  ).not.toContain(code)
})

test('accepts the code in any case, with spaces and dashes, and answers true again when repeated', async () => {
  const { call, ...rest } = started
  const email = anEmail()
  const { code } = await signUp({ call, ...rest }, email)
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ')} `
  expect((await call(api.activateMember, { params: { email, code: typed } })).body).toBe(true)
  expect((await call(api.activateMember, { params: { email, code } })).body).toBe(true)
})

test('a wrong or expired code answers false, and a newer code does not invalidate it', async () => {
  const { call, services } = started
  const email = anEmail()
  const { code } = await signUp(started, email)
  expect((await call(api.activateMember, { params: { email, code: 'WRONG' } })).body).toBe(false)
  expect((await call(api.activateMember, { params: { email: anEmail(), code } })).body).toBe(false)
  await call(api.resendActivation, { body: { email } })
  const renewed = (await started.mailsTo(email)).at(-1)!
  const newCode = new URL(/https?:\S+activate\S+/.exec(renewed.text)![0]).searchParams.get('code')!
  await services.db
    .updateTable('sign_up')
    .set({ expires_at: new Date(0) })
    .execute()
  for (const late of [code, newCode])
    expect((await call(api.activateMember, { params: { email, code: late } })).body).toBe(false)
})

test("wrong codes are limited per client and never invalidate the owner's code", async () => {
  const { call } = started
  const email = anEmail()
  const { code } = await signUp(started, email)
  const tries = await Promise.all(
    Array.from({ length: 40 }, () =>
      call(api.activateMember, { params: { email, code: 'GUESS' } }, { ip: '10.9.9.9' }),
    ),
  )
  expect(tries.filter(({ status }) => status === 429)).toHaveLength(10)
  expect(Number(tries.find(({ status }) => status === 429)!.headers['retry-after'])).toBeGreaterThan(0)
  expect((await call(api.activateMember, { params: { email, code } }, { ip: '10.9.9.8' })).body).toBe(true)
})

test('of several sign-ups for one address the used code decides the password', async () => {
  const { call, mailsTo } = started
  const email = anEmail()
  await call(api.createMember, { body: { email, password: 'password of a stranger' } })
  await call(api.createMember, { body: { email, password: 'password of the owner' } })
  const own = (await mailsTo(email)).map((mail) =>
    new URL(/https?:\S+activate\S+/.exec(mail.text)![0]).searchParams.get('code')!,
  )
  expect((await call(api.activateMember, { params: { email, code: own[1]! } })).body).toBe(true)
  expect((await call(api.signIn, { body: { email, password: 'password of the owner' } })).status).toBe(200)
  expect((await call(api.signIn, { body: { email, password: 'password of a stranger' } })).status).toBe(401)
  expect((await call(api.activateMember, { params: { email, code: own[0]! } })).body).toBe(false)
  expect((await call(api.signIn, { body: { email, password: 'password of the owner' } })).status).toBe(200)
})

test('signing up with a known address gets the same answer, and only its owner is notified', async () => {
  const member = await aMember(started)
  const again = await started.call(api.createMember, {
    body: { email: member.email, password: 'another password' },
  })
  expect(again).toMatchObject({ status: 201, body: { email: member.email, active: false } })
  expect((await started.mailsTo(member.email)).at(-1)!.kind).toBe('already-member')
  const other = await started.call(api.signIn, {
    body: { email: member.email, password: 'another password' },
  })
  expect(other.problem.code).toBe('member_inactive')
  expect(
    (await started.call(api.signIn, { body: { email: member.email, password: member.password } })).status,
  ).toBe(200)
})

test('twenty concurrent sign-ups of one address create one member', async () => {
  const { call, services } = started
  const email = anEmail()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => call(api.createMember, { body: { email, password: goodPassword } })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(
    await services.db.selectFrom('member').selectAll().where('email', '=', email).execute(),
  ).toHaveLength(1)
})

test.each([
  [{ email: 'no-address', password: goodPassword }, 'email', 'email'],
  [{ email: '', password: goodPassword }, 'email', 'required'],
  [{ email: 'a@example.org\u0000', password: goodPassword }, 'email', 'email'],
  [{ email: 'a@example.org', password: '1234' }, 'password', 'too_short'],
  [{ email: 'a@example.org', password: 'x'.repeat(257) }, 'password', 'too_long'],
  [
    { email: 'a@example.org', password: goodPassword, isWriteAccessAdmin: true },
    'isWriteAccessAdmin',
    'unknown',
  ],
  [{ email: 'a@example.org' }, 'password', 'required'],
])('sign-up refuses %j at its field', async (body, path, code) => {
  const { call } = started
  const answer = await call(api.createMember, { body: body as never })
  expect(answer).toMatchObject({ status: 400, problem: { code: 'validation_failed' } })
  expect(answer.problem.errors).toContainEqual(expect.objectContaining({ path, code }))
})

test('five characters of any script are a valid password, and PASSWORD_MIN_LENGTH raises the minimum', async () => {
  const { call } = started
  expect((await call(api.createMember, { body: { email: anEmail(), password: '密码密码😀' } })).status).toBe(
    201,
  )
  const strict = await startApi({ PASSWORD_MIN_LENGTH: '8' })
  const refused = await strict.call(api.createMember, { body: { email: anEmail(), password: 'seven77' } })
  expect(refused.problem.errors).toEqual([
    expect.objectContaining({ path: 'password', code: 'too_short', message: expect.stringContaining('8') }),
  ])
})
