import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { goodPassword, aMember, anEmail, signUp, type TestMember } from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'

type Cookies = Record<string, string>

/** A refresh with the given cookies, and the resulting cookies. */
async function refresh(on: TestApi, cookies: Cookies) {
  const answer = await on.call(
    api.restoreSession,
    { body: null },
    { cookies, headers: { 'x-xsrf-token': cookies['XSRF-TOKEN']! } },
  )
  const code = answer.status === 200 ? 200 : answer.problem.code
  return { code, token: answer.body.token, answer, cookies: { ...cookies, ...answer.cookies } }
}

/** Simulates that everything was refreshed two minutes earlier. */
const letMinutesPass = ({ services }: TestApi) =>
  services.db
    .updateTable('spent_refresh_token')
    .set({ spent_at: new Date(Date.now() - 120_000) })
    .execute()

const isAlive = async (on: TestApi, token: string) =>
  (await on.call(api.listSessions, {}, { token })).status === 200

const mailsOf = async (on: TestApi, { email }: TestMember) =>
  (await on.mailsTo(email)).map(({ kind }) => kind).filter((kind) => kind === 'session-copied')

test('each refresh replaces the refresh token and continues the session', async () => {
  const started = await startApi()
  const member = await aMember(started)
  const seen = [member.cookies['refresh']]
  let cookies = member.cookies
  for (let n = 0; n < 5; n += 1) {
    const next = await refresh(started, cookies)
    expect(next.code).toBe(200)
    expect(next.cookies['XSRF-TOKEN']).toBe(member.cookies['XSRF-TOKEN'])
    seen.push(next.cookies['refresh'])
    cookies = next.cookies
    await letMinutesPass(started)
  }
  expect(new Set(seen).size).toBe(6)
  expect(await isAlive(started, member.token)).toBe(true)
  const { body } = await started.call(api.listSessions, {}, { token: member.token })
  expect(body).toHaveLength(1)
})

test('concurrent refreshes of several windows all continue, with one newest token', async () => {
  const started = await startApi()
  const { cookies } = await aMember(started)
  const windows = await Promise.all(Array.from({ length: 6 }, () => refresh(started, cookies)))
  expect(windows.map(({ code }) => code)).toEqual(windows.map(() => 200))
  const given = windows.flatMap(({ answer }) => answer.cookies['refresh'] ?? [])
  expect(given).toHaveLength(1)
  // A request sent before two other refreshes arrives last.
  const newer = await refresh(started, { ...cookies, refresh: given[0]! })
  const late = await refresh(started, cookies)
  expect([newer.code, late.code]).toEqual([200, 200])
  expect(late.answer.cookies).toEqual({})
  await letMinutesPass(started)
  expect((await refresh(started, newer.cookies)).code).toBe(200)
})

test('a lost answer signs nobody out, however late the retry', async () => {
  const started = await startApi()
  const member = await aMember(started)
  await refresh(started, member.cookies)
  await letMinutesPass(started)
  const again = await refresh(started, member.cookies)
  expect(again.code).toBe(200)
  expect(again.cookies['refresh']).not.toBe(member.cookies['refresh'])
  await letMinutesPass(started)
  const third = await refresh(started, member.cookies)
  expect(third.code).toBe(200)
  await letMinutesPass(started)
  expect((await refresh(started, third.cookies)).code).toBe(200)
  expect(await mailsOf(started, member)).toEqual([])
})

test('reusing a replaced token later ends the session in every browser that has it', async () => {
  const started = await startApi()
  const member = await aMember(started)
  const first = await refresh(started, member.cookies)
  const second = await refresh(started, first.cookies)
  await letMinutesPass(started)
  const thief = await refresh(started, member.cookies)
  expect(thief.code).toBe('session_expired')
  expect(thief.answer.cookies).toMatchObject({ refresh: '', 'XSRF-TOKEN': '' })
  expect((await refresh(started, second.cookies)).code).toBe('session_expired')
  for (const token of [member.token, first.token, second.token])
    expect(await isAlive(started, token)).toBe(false)
  expect(await mailsOf(started, member)).toHaveLength(1)
  const { rows } = await started.services.db
    .selectFrom('audit_entry')
    .selectAll()
    .where('action', '=', 'refresh-token-reused')
    .execute()
    .then((rows) => ({ rows }))
  expect(rows).toMatchObject([{ subject_id: member.id, actor_id: null }])
})

test('a parallel thief is detected by the next token of either side', async () => {
  const started = await startApi()
  const member = await aMember(started)
  const honest = await refresh(started, member.cookies)
  await letMinutesPass(started)
  // Simulates a lost response: the honest browser's newest token is now replaced.
  const thief = await refresh(started, member.cookies)
  expect(thief.code).toBe(200)
  await letMinutesPass(started)
  expect((await refresh(started, honest.cookies)).code).toBe('session_expired')
  expect((await refresh(started, thief.cookies)).code).toBe('session_expired')
  expect(await mailsOf(started, member)).toHaveLength(1)
})

test('a made-up token ends nothing', async () => {
  const started = await startApi()
  const member = await aMember(started)
  expect((await refresh(started, { ...member.cookies, refresh: 'made-up' })).code).toBe('session_expired')
  expect(await isAlive(started, member.token)).toBe(true)
})

test('signing out and in again also ends the session by a token that was just replaced', async () => {
  const started = await startApi()
  const member = await aMember(started)
  const next = await refresh(started, member.cookies)
  const again = await started.call(
    api.signIn,
    { body: { email: member.email, password: goodPassword } },
    { ip: member.ip, cookies: member.cookies },
  )
  expect(again.status).toBe(200)
  expect(await isAlive(started, next.token)).toBe(false)
  const second = await refresh(started, again.cookies)
  const out = await started.call(
    api.signOut,
    { body: null },
    { cookies: again.cookies, headers: { 'x-xsrf-token': again.cookies['XSRF-TOKEN']! } },
  )
  expect(out.status).toBe(200)
  expect((await refresh(started, second.cookies)).code).toBe('session_expired')
})

test('over HTTPS the refresh cookie belongs to this host only', async () => {
  const started = await startApi({ PUBLIC_URL: 'https://coin.example' })
  const email = anEmail()
  const { code } = await signUp(started, email)
  await started.call(api.activateMember, { params: { email, code } })
  const { headers, cookies } = await started.call(api.signIn, { body: { email, password: goodPassword } })
  const set = (headers['set-cookie'] as string[]).find((cookie) => cookie.startsWith('__Host-refresh='))
  expect(set).toMatch(/Path=\/; HttpOnly; Secure; SameSite=Lax/)
  expect(set).not.toMatch(/Domain/i)
  // A name without the prefix could have been set by another subdomain.
  const planted = { refresh: cookies['__Host-refresh']!, 'XSRF-TOKEN': cookies['XSRF-TOKEN']! }
  expect((await refresh(started, planted)).code).toBe('unauthenticated')
  const next = await refresh(started, cookies)
  expect(next.code).toBe(200)
  expect(next.cookies['__Host-refresh']).not.toBe(cookies['__Host-refresh'])
})
