import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anEmail, aSignedInMember, signInAs, signUp, type TestMember } from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)

const newPassword = 'a new long password'

async function resetCode(started: TestApi, email: string): Promise<{ id: string; pwdresetcode: string }> {
  await started.call(api.requestPasswordReset, { body: { email } })
  const mail = (await started.mailsTo(email)).filter(({ kind }) => kind === 'password-reset').at(-1)!
  const [, id, pwdresetcode] = /change-password\/([^/]+)\/(\S+)/.exec(mail.text)!
  return { id: decodeURIComponent(id!), pwdresetcode: decodeURIComponent(pwdresetcode!) }
}

const isSessionAlive = async (started: TestApi, member: TestMember) =>
  (await started.call(api.listSessions, {}, { token: member.token })).status === 200

test('a reset by email sets the password once, ends every session, and notifies the member', async () => {
  const member = await aSignedInMember(started)
  const code = await resetCode(started, member.email)
  expect(
    (await started.call(api.executePasswordReset, { body: { ...code, passwd: newPassword } })).body,
  ).toEqual({ changed: true })
  expect(await isSessionAlive(started, member)).toBe(false)
  expect(
    (await started.call(api.executePasswordReset, { body: { ...code, passwd: 'something else' } })).problem
      .code,
  ).toBe('reset_code_invalid')
  await signInAs(started, member.email, newPassword, member.ip)
  expect(
    (await started.call(api.signIn, { body: { email: member.email, password: member.password } })).status,
  ).toBe(401)
  expect((await started.mailsTo(member.email)).map(({ kind }) => kind)).toContain('password-changed')
})

test('requesting a reset gets the same answer for a known and an unknown address', async () => {
  const member = await aSignedInMember(started)
  const unknown = anEmail()
  const known = await started.call(api.requestPasswordReset, { body: { email: member.email } })
  const other = await started.call(api.requestPasswordReset, { body: { email: unknown } })
  expect([known.status, known.body]).toEqual([202, { sent: true }])
  expect([other.status, other.body]).toEqual([known.status, known.body])
  expect(await started.mailsTo(unknown)).toEqual([])
})

test("another member's code, an old code, and a weak password change nothing and keep the code valid", async () => {
  const member = await aSignedInMember(started)
  const other = await aSignedInMember(started)
  const code = await resetCode(started, member.email)
  expect(
    (await started.call(api.executePasswordReset, { body: { ...code, id: other.id, passwd: newPassword } }))
      .problem.code,
  ).toBe('reset_code_invalid')
  expect(
    (await started.call(api.executePasswordReset, { body: { ...code, passwd: 'four' } })).problem.code,
  ).toBe('validation_failed')
  expect(await isSessionAlive(started, member)).toBe(true)
  expect(
    (await started.call(api.executePasswordReset, { body: { ...code, passwd: newPassword } })).status,
  ).toBe(200)
  const late = await resetCode(started, member.email)
  await started.services.db
    .updateTable('reset_code')
    .set({ expires_at: new Date(0) })
    .execute()
  expect(
    (await started.call(api.executePasswordReset, { body: { ...late, passwd: newPassword } })).problem.code,
  ).toBe('reset_code_invalid')
})

test('of six concurrent resets with one code exactly one succeeds', async () => {
  const member = await aSignedInMember(started)
  const code = await resetCode(started, member.email)
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      started.call(api.executePasswordReset, { body: { ...code, passwd: `${newPassword} ${n}` } }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
})

test('a reset activates a member, and the sign-up code then changes nothing', async () => {
  const email = anEmail()
  const { code } = await signUp(started, email, 'password of a stranger')
  const reset = await resetCode(started, email)
  await started.call(api.executePasswordReset, { body: { ...reset, passwd: newPassword } })
  expect((await started.call(api.signIn, { body: { email, password: newPassword } })).status).toBe(200)
  expect((await started.call(api.activateMember, { params: { email, code } })).body).toBe(false)
  expect((await started.call(api.signIn, { body: { email, password: newPassword } })).status).toBe(200)
})

test('an account closed by staff stays closed after a reset', async () => {
  const member = await aSignedInMember(started)
  const officer = await aSignedInMember(started, { manage_employee: 2 })
  await started.call(api.updateMember, { body: { id: member.id, active: false } }, { token: officer.token })
  expect(await isSessionAlive(started, member)).toBe(false)
  const code = await resetCode(started, member.email)
  await started.call(api.executePasswordReset, { body: { ...code, passwd: newPassword } })
  expect(
    (await started.call(api.signIn, { body: { email: member.email, password: newPassword } })).problem.code,
  ).toBe('member_inactive')
})

test('changing the password requires the current one and ends other sessions', async () => {
  const member = await aSignedInMember(started)
  const { session } = await signInAs(started, member.email, member.password, member.ip)
  const change = (current: string, passwd: string) =>
    started.call(api.changePassword, { body: { current, passwd } }, { token: member.token })
  expect((await change('wrong', newPassword)).problem.code).toBe('credentials_invalid')
  expect((await change(member.password, newPassword)).status).toBe(200)
  expect(await isSessionAlive(started, member)).toBe(true)
  expect((await started.call(api.listSessions, {}, { token: session.token })).problem.code).toBe(
    'session_expired',
  )
})

test('staff need twelve characters', async () => {
  const staff = await aSignedInMember(started, { manage_news: 1 })
  const body = { current: staff.password, passwd: 'elevenchars' }
  const refused = await started.call(api.changePassword, { body }, { token: staff.token })
  expect(refused.problem.errors).toEqual([expect.objectContaining({ path: 'passwd', code: 'too_short' })])
  const code = await resetCode(started, staff.email)
  expect(
    (await started.call(api.executePasswordReset, { body: { ...code, passwd: 'elevenchars' } })).problem.code,
  ).toBe('validation_failed')
})

test('a member who becomes staff while a new password is hashed needs twelve characters as well', async () => {
  const apart = await startApi()
  const member = await aSignedInMember(apart)
  const { db, passwords } = apart.services
  apart.services.passwords = {
    ...passwords,
    hash: async (...given) => {
      await db.updateTable('member').set({ manage_news: 1 }).where('id', '=', member.id).execute()
      return passwords.hash(...given)
    },
  }
  const body = { current: member.password, passwd: 'elevenchars' }
  const refused = await apart.call(api.changePassword, { body }, { token: member.token })
  expect(refused.problem.errors).toEqual([expect.objectContaining({ path: 'passwd', code: 'too_short' })])
})
