import { beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anEmail, aMember, goodPassword, signInAs, signUp } from '#tests/builders.ts'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'

let one: TestApi
let two: TestApi
beforeEach(async () => {
  one = await startApi()
  two = await startAnotherInstance(one)
})

const alternately = (n: number) => (n % 2 ? one : two)

test('counts failed sign-ins across all instances', async () => {
  const member = await aMember(one)
  const tryAt = (started: TestApi, password: string) =>
    started.call(api.signIn, { body: { email: member.email, password } }, { ip: '192.0.2.1' })
  for (let n = 0; n < 10; n += 1) expect((await tryAt(alternately(n), 'wrong')).status).toBe(401)
  for (const started of [one, two])
    expect(await tryAt(started, member.password)).toMatchObject({
      status: 429,
      problem: { code: 'rate_limited' },
    })
})

test('counts concurrent failures across all instances', async () => {
  const email = anEmail()
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      alternately(n).call(api.signIn, { body: { email, password: 'wrong' } }, { ip: '192.0.2.2' }),
    ),
  )
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(14)
})

test('counts wrong activation codes and emails to an address across all instances', async () => {
  const email = anEmail()
  // By the client that later requests emails, because the first one of another client per day is reserved.
  await one.call(api.createMember, { body: { email, password: goodPassword } })
  const guess = (started: TestApi) =>
    started.call(api.activateMember, { params: { email, code: 'GUESS' } }, { ip: '192.0.2.3' })
  for (let n = 0; n < 30; n += 1) expect((await guess(alternately(n))).body).toBe(false)
  for (const started of [one, two]) expect((await guess(started)).status).toBe(429)

  for (let n = 0; n < 8; n += 1) await alternately(n).call(api.resendActivation, { body: { email } })
  expect(await one.mailsTo(email)).toHaveLength(3)
})

test('a session is valid, and ends, in every instance at once', async () => {
  const member = await aMember(one)
  const second = await signInAs(two, member.email, member.password, member.ip)
  const isAlive = async (started: TestApi, token: string) =>
    (await started.call(api.listSessions, {}, { token })).status === 200
  for (const started of [one, two])
    for (const token of [member.token, second.session.token]) expect(await isAlive(started, token)).toBe(true)

  const out = { cookies: member.cookies, headers: { 'x-xsrf-token': member.cookies['XSRF-TOKEN']! } }
  expect((await one.call(api.signOut, { body: null }, out)).status).toBe(200)
  expect(await isAlive(two, member.token)).toBe(false)
  expect((await two.call(api.restoreSession, { body: null }, out)).problem.code).toBe('session_expired')

  const change = { body: { current: goodPassword, passwd: 'another good password' } }
  const third = await signInAs(two, member.email, member.password, member.ip)
  expect((await two.call(api.changePassword, change, { token: third.session.token })).status).toBe(200)
  expect(await isAlive(one, second.session.token)).toBe(false)
  expect(await isAlive(one, third.session.token)).toBe(true)
})

test('a code emailed by one instance works once at the other', async () => {
  const email = anEmail()
  const { code } = await signUp(one, email)
  expect((await two.call(api.activateMember, { params: { email, code } })).body).toBe(true)
  await one.call(api.requestPasswordReset, { body: { email } })
  const mail = (await two.mailsTo(email)).find(({ kind }) => kind === 'password-reset')!
  const [, id, pwdresetcode] = /change-password\/([^/\s]+)\/(\S+)/.exec(mail.text)!
  const body = { id: id!, pwdresetcode: pwdresetcode!, passwd: 'another good password' }
  const answers = await Promise.all([one, two].map(({ call }) => call(api.executePasswordReset, { body })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
})
