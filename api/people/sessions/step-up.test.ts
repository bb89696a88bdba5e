import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import {
  aMember,
  anApplication,
  anEmail,
  aSignedInMember,
  saleSettings,
  signInAs,
  type TestMember,
} from '#tests/builders.ts'
import { aPasskeyDevice } from '#tests/passkey-device.ts'
import { startAnotherInstance, startApi } from '#tests/setup/start-api.ts'
import { aMemberWithTotp, appWith, as, letProofAge, nextCode } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)

const guarded = (member: TestMember): [Endpoint, CallOf<Endpoint>][] => [
  [api.beginTotp, { body: null }],
  [api.confirmTotp, { body: { code: '123456' } }],
  [api.removeTotp, { body: { code: '123456' } }],
  [api.renewRecoveryCodes, { body: null }],
  [api.beginPasskey, { body: null }],
  [api.removePasskey, { params: { id: 'x' } }],
  [api.updateMember, { body: { id: member.id, email: anEmail() } }],
  [api.exportMember, {}],
]

test("an old session can't change account security before a fresh proof", async () => {
  const member = await aSignedInMember(started)
  const outcomes = async () =>
    Promise.all(
      guarded(member).map(async ([endpoint, input]) => {
        const answer = await started.call(endpoint, input, as(member))
        return answer.problem.code === 'step_up_required'
      }),
    )
  await letProofAge(started)
  expect(new Set(await outcomes())).toEqual(new Set([true]))
  const proved = await started.call(api.stepUp, { body: { password: member.password } }, as(member))
  expect(proved.status).toBe(200)
  const left = new Date(proved.body.provedUntil).getTime() - Date.now()
  expect(left).toBeGreaterThan(9 * 60_000)
  expect(left).toBeLessThanOrEqual(10 * 60_000)
  expect((await started.call(api.beginTotp, { body: null }, as(member))).status).toBe(200)
})

test("a session that has grown old can't complete a passkey started in time", async () => {
  const member = await aSignedInMember(started)
  const { body: options } = await started.call(api.beginPasskey, { body: null }, as(member))
  await letProofAge(started)
  const credential = aPasskeyDevice(member.id).make(options)
  const finish = () => started.call(api.finishPasskey, { body: { credential } }, as(member))
  expect((await finish()).problem.code).toBe('step_up_required')
  await started.call(api.stepUp, { body: { password: member.password } }, as(member))
  expect((await finish()).status).toBe(200)
})

test('a profile without a new address needs no proof, nor does the current address', async () => {
  const member = await aSignedInMember(started)
  await letProofAge(started)
  const update = (fields: object) =>
    started.call(api.updateMember, { body: { id: member.id, ...fields } }, as(member))
  expect((await update({ displayName: 'Another' })).status).toBe(200)
  expect((await update({ email: member.email })).status).toBe(200)
  expect((await update({ displayName: 'Third', email: anEmail() })).problem.code).toBe('step_up_required')
  const row = await started.call(api.getMember, { params: { id: member.id } }, as(member))
  expect(row.body.displayName).toBe('Another')
})

test('the proof of one session does not count for another', async () => {
  const member = await aSignedInMember(started)
  const other = await signInAs(started, member.email, member.password, member.ip)
  await letProofAge(started)
  await started.call(api.stepUp, { body: { password: member.password } }, as(member))
  expect(
    (await started.call(api.beginTotp, { body: null }, { token: other.session.token })).problem.code,
  ).toBe('step_up_required')
})

test('code, recovery code, and passkey are each a proof, once if single-use', async () => {
  const { member, totp, recoveryCodes } = await aMemberWithTotp(started)
  const device = aPasskeyDevice(member.id)
  const { body: options } = await started.call(api.beginPasskey, { body: null }, as(member))
  await started.call(api.finishPasskey, { body: { credential: device.make(options) } }, as(member))
  await letProofAge(started)
  const asked = await started.call(api.beginStepUp, { body: null }, as(member))
  expect(asked.body).toMatchObject({
    kinds: ['passkey', 'totp', 'recovery'],
    passkey: { allowCredentials: [{ id: device.credentialId }] },
  })
  const prove = async (body: CallOf<typeof api.stepUp>['body']) => {
    const { status, problem } = await started.call(api.stepUp, { body }, as(member))
    return status === 200 ? status : problem.code
  }
  const code = nextCode(totp)
  const passkey = device.sign(asked.body.passkey!)
  expect(await prove({ code })).toBe(200)
  expect(await prove({ code })).toBe('code_invalid')
  expect(await prove({ code: recoveryCodes[0]! })).toBe(200)
  expect(await prove({ code: recoveryCodes[0]! })).toBe('code_invalid')
  expect(await prove({ passkey })).toBe(200)
  expect(await prove({ passkey })).toBe('passkey_invalid')
  expect(await prove({ password: member.password })).toBe('second_factor_required')
  expect(await prove({})).toBe('validation_failed')
  expect(await prove({ password: member.password, code })).toBe('validation_failed')
})

test('guesses are limited, and then the correct password is refused too', async () => {
  const member = await aSignedInMember(started)
  const prove = (password: string) => started.call(api.stepUp, { body: { password } }, as(member))
  for (let n = 0; n < 10; n += 1) expect((await prove('wrong')).status).toBe(401)
  expect((await prove(member.password)).problem.code).toBe('rate_limited')
})

test('a session ended in one instance is ended in all others with its next call', async () => {
  const another = await startAnotherInstance(started)
  const member = await aSignedInMember(started)
  const [second, third] = [
    await signInAs(another, member.email, member.password, member.ip),
    await signInAs(another, member.email, member.password, member.ip),
  ]
  const inBoth = async (token: string) =>
    Promise.all(
      [started, another].map(async (api_) => (await api_.call(api.listSessions, {}, { token })).status),
    )
  expect(await inBoth(second.session.token)).toEqual([200, 200])
  const sessions = await started.call(api.listSessions, {}, as(member))
  expect(sessions.body).toHaveLength(3)
  const ended = sessions.body.find(({ current }) => !current)!
  await started.call(api.revokeSession, { params: { id: ended.id } }, as(member))
  const states = await Promise.all([second, third].map(({ session }) => inBoth(session.token)))
  expect(states.toSorted(([a = 0], [b = 0]) => a - b)).toEqual([
    [200, 200],
    [401, 401],
  ])
  expect((await started.call(api.revokeOtherSessions, { body: null }, as(member))).body).toEqual({
    revoked: 1,
  })
  expect(await inBoth(second.session.token)).toEqual([401, 401])
  expect(await inBoth(third.session.token)).toEqual([401, 401])
  expect(await inBoth(member.token)).toEqual([200, 200])
  const restored = await another.call(
    api.restoreSession,
    { body: null },
    { cookies: second.cookies, headers: { 'x-xsrf-token': second.cookies['XSRF-TOKEN']! } },
  )
  expect(restored.problem.code).toBe('session_expired')
})

test('ending the other sessions does not affect other members', async () => {
  const [member, stranger] = [await aSignedInMember(started), await aSignedInMember(started)]
  expect((await started.call(api.revokeOtherSessions, { body: null }, as(member))).body.revoked).toBe(0)
  expect((await started.call(api.listSessions, {}, as(stranger))).status).toBe(200)
})

test('recovery codes are counted, and new ones replace the old', async () => {
  const { member, recoveryCodes } = await aMemberWithTotp(started)
  const left = async () => (await started.call(api.getFactors, {}, as(member))).body
  const signIn = async (secondFactor: string) => {
    const { email, password, ip } = member
    return (await started.call(api.signIn, { body: { email, password, secondFactor } }, { ip })).status
  }
  expect(await left()).toEqual({ totp: true, passkeys: 0, recoveryCodesLeft: 10, mailboxProved: true })
  expect(await signIn(recoveryCodes[0]!)).toBe(200)
  expect((await left()).recoveryCodesLeft).toBe(9)
  const renewed = await started.call(api.renewRecoveryCodes, { body: null }, as(member))
  expect(new Set(renewed.body.recoveryCodes).size).toBe(10)
  expect((await left()).recoveryCodesLeft).toBe(10)
  expect(await signIn(recoveryCodes[1]!)).toBe(401)
  expect(await signIn(renewed.body.recoveryCodes[1]!)).toBe(200)
  const mails = await started.mailsTo(member.email)
  expect(mails.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['recovery-code-used', 'recovery-codes-renewed']),
  )
  expect(mails.find(({ kind }) => kind === 'recovery-code-used')!.text).toContain('9')
})

test('an account without a factor has no recovery codes to renew', async () => {
  const member = await aSignedInMember(started)
  expect((await started.call(api.renewRecoveryCodes, { body: null }, as(member))).problem.code).toBe(
    'conflict',
  )
})

test('an unconfirmed secret is no factor, whatever else the account has', async () => {
  const member = await aSignedInMember(started)
  const device = aPasskeyDevice(member.id)
  const { body: options } = await started.call(api.beginPasskey, { body: null }, as(member))
  await started.call(api.finishPasskey, { body: { credential: device.make(options) } }, as(member))
  const begun = await started.call(api.beginTotp, { body: null }, as(member))
  const code = appWith(begun.body.secret).generate()
  expect((await started.call(api.stepUp, { body: { code } }, as(member))).problem.code).toBe('code_invalid')
})

test('a sign-in from an unknown device or client is emailed in the member’s language, a known one is not', async () => {
  const member = await aMember(started)
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0'
  const signIn = (ip: string, userAgent: string) =>
    started.call(
      api.signIn,
      { body: { email: member.email, password: member.password } },
      { ip, headers: { 'user-agent': userAgent, 'accept-language': 'zh-CN' } },
    )
  const mails = async () => (await started.mailsTo(member.email)).filter(({ kind }) => kind === 'new-sign-in')
  expect(await mails()).toEqual([])
  await signIn(member.ip, firefox)
  expect(await mails()).toHaveLength(1)
  await signIn(member.ip, firefox)
  expect(await mails()).toHaveLength(1)
  await signIn('198.51.100.7', firefox)
  const [, second] = await mails()
  expect(second!.subject).toContain('新设备')
  expect(second!.text).toContain('Firefox · Windows')
  expect(second!.text).toContain('198.51.100.7')
  expect(second!.text).toContain('/login/reset')
})

test('no email about the account contains a placeholder', async () => {
  const { member, recoveryCodes } = await aMemberWithTotp(started)
  await started.call(api.renewRecoveryCodes, { body: null }, as(member))
  await started.call(api.removeTotp, { body: { code: recoveryCodes[0]! } }, as(member))
  const mails = await started.mailsTo(member.email)
  expect(mails.length).toBeGreaterThan(2)
  for (const { subject, text, html } of mails) expect(subject + text + html).not.toMatch(/\{\w+\}/)
})

test('changing payment destinations requires a fresh proof', async () => {
  const keeper = await aSignedInMember(started, { manage_coins: 2 })
  const write = () => started.call(api.updateSaleSettings, { body: saleSettings() }, as(keeper))
  await letProofAge(started)
  expect(await write()).toMatchObject({ status: 403, problem: { code: 'step_up_required' } })
  const { body: sale } = await started.call(api.getSaleSettings, {}, as(keeper))
  expect(sale.payMethods).toEqual([])
  await started.call(api.stepUp, { body: { password: keeper.password } }, as(keeper))
  expect((await write()).status).toBe(200)
})

test('changing token addresses requires a fresh proof', async () => {
  const member = await aSignedInMember(started)
  const { _id } = await anApplication(started, member, 'more_info')
  const answer = (fields: object) => started.call(api.updateKyc, { body: { _id, ...fields } }, as(member))
  await letProofAge(started)
  const other = '0xde709f2102306220921060314715629080e2fb77'
  expect((await answer({ ethAddress: other })).problem.code).toBe('step_up_required')
  const kept = await answer({ country: 'Norway' })
  expect(kept.body).toMatchObject({
    country: 'Norway',
    ethAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  })
})

test('recovery codes can be renewed at most ten times in 15 minutes', async () => {
  const { member } = await aMemberWithTotp(started)
  const statuses: number[] = []
  for (let n = 0; n < 11; n += 1)
    statuses.push((await started.call(api.renewRecoveryCodes, { body: null }, as(member))).status)
  expect(statuses).toEqual([...Array<number>(10).fill(200), 429])
})
