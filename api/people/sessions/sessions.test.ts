import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anEmail, aMember, goodPassword, signInAs, signUp, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { addTotp } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)

const withXsrf = ({ cookies }: Pick<TestMember, 'cookies'>) => ({
  cookies,
  headers: { 'x-xsrf-token': cookies['XSRF-TOKEN']! },
})

test('an unknown address and a wrong password get the same answer', async () => {
  const member = await aMember(started)
  const wrong = await started.call(api.signIn, { body: { email: member.email, password: 'wrong' } })
  const unknown = await started.call(api.signIn, { body: { email: anEmail(), password: 'wrong' } })
  expect(wrong.status).toBe(401)
  expect(wrong.problem).toEqual(unknown.problem)
  expect(wrong.problem.code).toBe('credentials_invalid')
})

test('the refresh cookie restores the session with its own XSRF token only', async () => {
  const member = await aMember(started)
  const restored = await started.call(api.restoreSession, { body: null }, withXsrf(member))
  expect(restored).toMatchObject({ status: 200, body: { id: member.id, email: member.email } })
  expect(restored.body.token).not.toBe(member.token)

  expect((await started.call(api.restoreSession, { body: null })).problem.code).toBe('unauthenticated')
  expect(
    (await started.call(api.restoreSession, { body: null }, { cookies: member.cookies })).problem.code,
  ).toBe('xsrf_failed')
  const other = await aMember(started)
  const mixed = { refresh: member.cookies['refresh']!, 'XSRF-TOKEN': other.cookies['XSRF-TOKEN']! }
  expect(
    (await started.call(api.restoreSession, { body: null }, withXsrf({ cookies: mixed }))).problem.code,
  ).toBe('xsrf_failed')
})

test('over plain http, as in development, the refresh cookie is httpOnly and path-limited', async () => {
  const email = anEmail()
  const { code } = await signUp(started, email)
  await started.call(api.activateMember, { params: { email, code } })
  const answer = await started.call(api.signIn, { body: { email, password: goodPassword } })
  const cookies = answer.headers['set-cookie'] as string[]
  expect(cookies.find((cookie) => cookie.startsWith('refresh='))).toMatch(
    /Path=\/v2\/members; HttpOnly; SameSite=Lax/,
  )
  expect(cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))).toMatch(/Path=\/; SameSite=Lax/)
})

test('a cookie alone authorizes no call', async () => {
  const member = await aMember(started)
  const answer = await started.call(api.getMember, { params: { id: member.id } }, withXsrf(member))
  expect(answer.problem.code).toBe('unauthenticated')
})

test('logout ends the session and its tokens', async () => {
  const member = await aMember(started)
  expect((await started.call(api.signOut, { body: null }, withXsrf(member))).status).toBe(200)
  expect(
    (await started.call(api.getMember, { params: { id: member.id } }, { token: member.token })).problem.code,
  ).toBe('session_expired')
  expect((await started.call(api.restoreSession, { body: null }, withXsrf(member))).problem.code).toBe(
    'session_expired',
  )
})

test('signing in ends the session that the browser already had', async () => {
  const member = await aMember(started)
  await started.call(
    api.signIn,
    { body: { email: member.email, password: member.password } },
    { cookies: member.cookies },
  )
  expect(
    (await started.call(api.getMember, { params: { id: member.id } }, { token: member.token })).problem.code,
  ).toBe('session_expired')
})

test('a member sees their sessions and can end only their own', async () => {
  const member = await aMember(started)
  const second = await signInAs(started, member.email, member.password, member.ip)
  const sessions = await started.call(api.listSessions, {}, { token: member.token })
  expect(sessions.body).toHaveLength(2)
  const other = sessions.body.find(({ current }) => !current)!
  const stranger = await aMember(started)
  expect(
    (await started.call(api.revokeSession, { params: { id: other.id } }, { token: stranger.token })).status,
  ).toBe(404)
  expect(
    (await started.call(api.revokeSession, { params: { id: other.id } }, { token: member.token })).status,
  ).toBe(200)
  expect((await started.call(api.listSessions, {}, { token: second.session.token })).problem.code).toBe(
    'session_expired',
  )
})

test('a session ends when it is old or unused', async () => {
  const { db } = started.services
  const member = await aMember(started)
  await db
    .updateTable('session')
    .set({ last_used_at: new Date(Date.now() - 8 * 86_400_000) })
    .execute()
  expect((await started.call(api.restoreSession, { body: null }, withXsrf(member))).problem.code).toBe(
    'session_expired',
  )
  const { session } = await signInAs(started, member.email, member.password, member.ip)
  await db
    .updateTable('session')
    .set({ expires_at: new Date(0) })
    .execute()
  expect((await started.call(api.listSessions, {}, { token: session.token })).problem.code).toBe(
    'session_expired',
  )
})

test('staff sessions are shorter', async () => {
  const own = await startApi()
  await aMember(own, { rights: { manage_finance: 1 } })
  const row = await own.services.db.selectFrom('session').selectAll().executeTakeFirstOrThrow()
  expect(Number(row.idle_ms)).toBe(2 * 3_600_000)
  expect(row.expires_at.getTime() - row.created_at.getTime()).toBe(12 * 3_600_000)
})

test('ten failures of a client block that client, even with the correct password, and nobody elsewhere', async () => {
  const member = await aMember(started)
  const tryFrom = (ip: string, password: string) =>
    started.call(api.signIn, { body: { email: member.email, password } }, { ip })
  for (let n = 0; n < 10; n += 1) expect((await tryFrom('192.0.2.1', 'wrong')).status).toBe(401)
  const stopped = await tryFrom('192.0.2.1', member.password)
  expect(stopped).toMatchObject({ status: 429, problem: { code: 'rate_limited' } })
  expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(0)
  expect((await tryFrom('192.0.2.2', member.password)).status).toBe(200)
})

test('a hundred failures of many clients block strangers, but no client that the member used', async () => {
  const member = await aMember(started)
  const tryFrom = (ip: string, password: string) =>
    started.call(api.signIn, { body: { email: member.email, password } }, { ip })
  for (let n = 0; n < 100; n += 1) await tryFrom(`198.51.100.${n}`, 'wrong')
  expect((await tryFrom('198.51.100.200', member.password)).status).toBe(429)
  expect((await tryFrom(member.ip, member.password)).status).toBe(200)
})

test('fifty failures of one client over many accounts block it', async () => {
  const { call } = started
  for (let n = 0; n < 50; n += 1)
    await call(api.signIn, { body: { email: anEmail(), password: 'wrong' } }, { ip: '203.0.113.5' })
  expect(
    (await call(api.signIn, { body: { email: anEmail(), password: 'wrong' } }, { ip: '203.0.113.5' })).status,
  ).toBe(429)
})

test('successful sign-ins use up no limit', async () => {
  const member = await aMember(started)
  for (let n = 0; n < 15; n += 1) await signInAs(started, member.email, member.password, member.ip)
})

test("parallel guesses can't bypass the limit", async () => {
  const member = await aMember(started)
  const answers = await Promise.all(
    Array.from({ length: 30 }, () =>
      started.call(api.signIn, { body: { email: member.email, password: 'wrong' } }, { ip: '192.0.2.9' }),
    ),
  )
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
})

test('a second factor is required after the correct password, and no code works twice', async () => {
  const member = await aMember(started)
  const { totp, recoveryCodes } = await addTotp(started, member)
  expect(recoveryCodes).toHaveLength(10)
  const signIn = (secondFactor?: string) =>
    started.call(
      api.signIn,
      { body: { email: member.email, password: member.password, ...(secondFactor ? { secondFactor } : {}) } },
      { ip: member.ip },
    )

  expect((await signIn()).problem.code).toBe('second_factor_required')
  expect((await signIn('000000')).problem.code).toBe('second_factor_required')
  const now = Date.now()
  const next = totp.generate({ timestamp: now + 30_000 })
  expect((await signIn(next)).status).toBe(200)
  expect((await signIn(next)).problem.code).toBe('second_factor_required')
  expect((await signIn(recoveryCodes[3]!.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
  expect((await signIn(recoveryCodes[3])).problem.code).toBe('second_factor_required')
  const sealed = await started.services.db.selectFrom('totp').selectAll().executeTakeFirstOrThrow()
  expect(sealed.sealed_secret.includes(Buffer.from(totp.secret.base32))).toBe(false)
})

test('removing the second factor requires a code and notifies the member', async () => {
  const member = await aMember(started)
  const { recoveryCodes } = await addTotp(started, member)
  expect(
    (await started.call(api.removeTotp, { body: { code: '123456' } }, { token: member.token })).problem.code,
  ).toBe('code_invalid')
  expect(
    (await started.call(api.removeTotp, { body: { code: recoveryCodes[0]! } }, { token: member.token }))
      .status,
  ).toBe(200)
  expect((await started.mailsTo(member.email)).map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['second-factor-added', 'second-factor-removed']),
  )
  await signInAs(started, member.email, member.password, member.ip)
})

test('staff calls require a second factor if it is mandatory', async () => {
  const own = await startApi({ STAFF_SECOND_FACTOR: 'required' })
  const admin = await aMember(own, { rights: { is_write_access_admin: true } })
  expect((await own.call(api.listMembers, {}, { token: admin.token })).problem.code).toBe(
    'second_factor_needed',
  )
  expect((await own.call(api.getMember, { params: { id: admin.id } }, { token: admin.token })).status).toBe(
    200,
  )
  await addTotp(own, admin)
  expect((await own.call(api.listMembers, {}, { token: admin.token })).status).toBe(200)
})

test('a request from another site is refused whatever it carries', async () => {
  const member = await aMember(started)
  for (const headers of [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
  ])
    expect(
      (
        await started.call(
          api.signIn,
          { body: { email: member.email, password: member.password } },
          { headers },
        )
      ).problem.code,
    ).toBe('xsrf_failed')
  const own = { origin: started.services.config.publicUrl.origin, 'sec-fetch-site': 'same-origin' }
  expect(
    (
      await started.call(
        api.signIn,
        { body: { email: member.email, password: member.password } },
        { headers: own },
      )
    ).status,
  ).toBe(200)
})
