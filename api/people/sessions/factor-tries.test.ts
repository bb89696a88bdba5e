import { TOTP } from 'otpauth'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aMember, goodPassword, type TestMember } from '#tests/builders.ts'
import { recordAddressVerified } from '#api/people/members/member.queries.ts'
import { aPasskeyDevice } from '#tests/passkey-device.ts'
import { startApi, type CallOptions, type TestApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)

const asDevice = ({ cookies }: Pick<TestMember, 'cookies'>) => ({ device: cookies['device']! })

let network = 0
const aClient = () => ({ ip: `172.21.${(network += 1) >> 8}.${network & 255}` })

async function aMemberWithTotp(on: TestApi, browser: CallOptions = {}) {
  const member = await aMember(on)
  // Otherwise a reset would remove the factor.
  await recordAddressVerified(on.services.db, member.id)
  const by = { ...browser, token: member.token }
  const begun = await on.call(api.beginTotp, { body: null }, by)
  const totp = new TOTP({ secret: begun.body.secret, algorithm: 'SHA1', digits: 6, period: 30 })
  const code = totp.generate({ timestamp: Date.now() - 30_000 })
  const { body } = await on.call(api.confirmTotp, { body: { code } }, by)
  /** A code that the authenticator never shows near now. */
  const right = [0, 30_000].map((later) => totp.generate({ timestamp: Date.now() + later }))
  const near = new Set(
    [-60_000, -30_000, 0, 30_000, 60_000, 90_000].map((by) => totp.generate({ timestamp: Date.now() + by })),
  )
  const wrong = Array.from({ length: 9 }, (_, n) => `00000${n}`).find((each) => !near.has(each))!
  return { member, right, wrong, recoveryCodes: body.recoveryCodes }
}

const signIn = (
  on: TestApi,
  { email }: TestMember,
  secondFactor: string,
  options: CallOptions = aClient(),
  password = goodPassword,
) => on.call(api.signIn, { body: { email, password, secondFactor } }, options)

async function resetPassword(on: TestApi, { email }: TestMember, passwd: string) {
  const from = aClient()
  await on.call(api.requestPasswordReset, { body: { email } }, from)
  const mail = (await on.mailsTo(email)).findLast(({ kind }) => kind === 'password-reset')!
  const [, id = '', pwdresetcode = ''] = /change-password\/([^/\s]+)\/(\S+)/.exec(mail.text)!
  const reset = await on.call(api.executePasswordReset, { body: { id, pwdresetcode, passwd } }, from)
  return { ...from, cookies: asDevice(reset) }
}

/** The attacker has the mailbox and the password, but not the second factor. */
test('allows twenty wrong codes per day and account, across all clients and devices that a reset made known', async () => {
  const { member, right, wrong, recoveryCodes } = await aMemberWithTotp(started)
  const passwords = ['a password of a thief 1', 'a password of a thief 2']
  let tries = 0
  for (const password of passwords) {
    const device = await resetPassword(started, member, password)
    for (let n = 0; n < 5; n += 1, tries += 1)
      expect((await signIn(started, member, wrong, device, password)).status).toBe(401)
  }
  const password = passwords.at(-1)!
  for (; tries < 20; tries += 1)
    expect((await signIn(started, member, wrong, aClient(), password)).status).toBe(401)
  const device = await resetPassword(started, member, goodPassword)
  for (const [from, code] of [
    [aClient(), wrong],
    [aClient(), right[1]!],
    [device, right[1]!],
    [{ ...aClient(), cookies: asDevice(member) }, right[1]!],
  ] as const) {
    const refused = await signIn(started, member, code, from)
    // The answer lists the remaining factors.
    expect(refused).toMatchObject({
      status: 429,
      problem: { code: 'rate_limited', secondFactor: { kinds: ['recovery'] } },
    })
    const wait = Number(refused.headers['retry-after'])
    expect(wait).toBeGreaterThan(3600)
    expect(wait).toBeLessThanOrEqual(86_400)
  }
  // Sixty bits can't be guessed in a day, so recovery codes still work.
  expect((await signIn(started, member, recoveryCodes[0]!)).status).toBe(200)
})

test('a passkey need not wait for that day to end', async () => {
  const { member, wrong } = await aMemberWithTotp(started)
  const key = aPasskeyDevice(member.id)
  const begun = await started.call(api.beginPasskey, { body: null }, { token: member.token })
  await started.call(
    api.finishPasskey,
    { body: { credential: key.make(begun.body) } },
    { token: member.token },
  )
  for (let n = 0; n < 20; n += 1) await signIn(started, member, wrong)
  expect((await signIn(started, member, wrong)).status).toBe(429)
  const given = { email: member.email, password: goodPassword }
  const asked = await started.call(api.signIn, { body: given }, aClient())
  const passkey = key.sign(asked.problem.secondFactor!.passkey!)
  expect((await started.call(api.signIn, { body: { ...given, passkey } }, aClient())).status).toBe(200)
  const alone = await started.call(api.beginPasskeySignIn, { body: null })
  const credential = key.sign(alone.body)
  expect((await started.call(api.finishPasskeySignIn, { body: { credential } }, aClient())).status).toBe(200)
})

test('a client without the password is never counted', async () => {
  const { member, right, wrong } = await aMemberWithTotp(started)
  for (let n = 0; n < 30; n += 1)
    expect((await signIn(started, member, wrong, aClient(), 'wrong')).problem.code).toBe(
      'credentials_invalid',
    )
  expect((await signIn(started, member, right[0]!)).status).toBe(200)
  expect((await started.mailsTo(member.email)).map(({ kind }) => kind)).not.toContain('wrong-factors')
})

test('a browser that gave a correct second factor before has its own twenty, whatever is used up elsewhere', async () => {
  const { member, right, wrong } = await aMemberWithTotp(started)
  const first = await signIn(started, member, right[0]!)
  expect(first.status).toBe(200)
  const own = () => ({ ...aClient(), cookies: asDevice(first) })
  for (let n = 0; n < 25; n += 1) await signIn(started, member, wrong)
  expect((await signIn(started, member, right[1]!)).status).toBe(429)
  for (let n = 0; n < 4; n += 1) expect((await signIn(started, member, wrong, own())).status).toBe(401)
  expect((await signIn(started, member, right[1]!, own())).status).toBe(200)
  for (let n = 0; n < 16; n += 1) {
    // The limit of ten in 15 minutes is separate.
    await letQuarterPass(started)
    expect((await signIn(started, member, wrong, own())).status).toBe(401)
  }
  await letQuarterPass(started)
  expect((await signIn(started, member, wrong, own())).status).toBe(429)
})

async function letQuarterPass({ services: { db } }: TestApi) {
  const soon = new Date(Date.now() + 3_600_000)
  await db.updateTable('throttle').set({ count: 0 }).where('resets_at', '<', soon).execute()
}

test("a browser counts as such from the factor's setup until the factor or the password is removed", async () => {
  const apart = await startApi()
  const { member, recoveryCodes } = await startedWithDevice(apart)
  const proofs = async () =>
    (await apart.services.db.selectFrom('known_device').select('has_proved_factor').execute()).map(
      (row) => row.has_proved_factor,
    )
  expect(await proofs()).toEqual([true])
  const by = { token: member.token, cookies: asDevice(member) }
  await apart.call(api.removeTotp, { body: { code: recoveryCodes[0]! } }, by)
  expect(await proofs()).toEqual([false])
})

async function startedWithDevice(on: TestApi) {
  const member = await aMember(on)
  const by = { token: member.token, cookies: asDevice(member) }
  const begun = await on.call(api.beginTotp, { body: null }, by)
  const totp = new TOTP({ secret: begun.body.secret, algorithm: 'SHA1', digits: 6, period: 30 })
  const confirmed = await on.call(api.confirmTotp, { body: { code: totp.generate() } }, by)
  return { member, recoveryCodes: confirmed.body.recoveryCodes }
}

test('checks concurrent codes twenty times at most', async () => {
  const { member, wrong } = await aMemberWithTotp(started)
  const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(started, member, wrong)))
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(20)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
  const mails = (await started.mailsTo(member.email)).filter(({ kind }) => kind === 'wrong-factors')
  expect(mails).toHaveLength(1)
})

test('an open session has the same limit for guesses', async () => {
  const { member, right, wrong, recoveryCodes } = await aMemberWithTotp(started)
  const by = { token: member.token }
  for (let n = 0; n < 10; n += 1)
    expect((await started.call(api.stepUp, { body: { code: wrong } }, by)).problem.code).toBe('code_invalid')
  for (let n = 0; n < 10; n += 1)
    expect((await started.call(api.removeTotp, { body: { code: wrong } }, by)).problem.code).toBe(
      'code_invalid',
    )
  await letQuarterPass(started)
  expect((await started.call(api.stepUp, { body: { code: right[0]! } }, by)).status).toBe(429)
  expect((await started.call(api.removeTotp, { body: { code: right[0]! } }, by)).status).toBe(429)
  expect((await signIn(started, member, right[0]!)).status).toBe(429)
  expect((await started.call(api.stepUp, { body: { code: recoveryCodes[0]! } }, by)).status).toBe(200)
})

test("after five wrong codes the member gets one email, and correct ones don't count", async () => {
  const { member, wrong, recoveryCodes } = await aMemberWithTotp(started)
  const told = async () =>
    (await started.mailsTo(member.email)).filter(({ kind }) => kind === 'wrong-factors')
  for (const code of recoveryCodes.slice(0, 7)) expect((await signIn(started, member, code)).status).toBe(200)
  for (let n = 0; n < 4; n += 1) await signIn(started, member, wrong)
  expect(await told()).toHaveLength(0)
  const from = { ip: '203.0.113.200', headers: { 'user-agent': 'Firefox on evil.example/login' } }
  await signIn(started, member, wrong, from)
  expect(await told()).toHaveLength(1)
  for (let n = 0; n < 8; n += 1) await signIn(started, member, wrong)
  const [mail, ...more] = await told()
  expect(more).toEqual([])
  expect(mail!.text).toContain('203.0.113.200')
  expect(mail!.text).toContain('/login/reset')
  expect(mail!.text).not.toContain('evil.example')
})
