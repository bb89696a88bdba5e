import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aToken } from '#tests/api-tokens.ts'
import { anEmail, aMember, goodPassword, signInAs, signUp } from '#tests/builders.ts'
import { addPasskey, aPasskeyDevice } from '#tests/passkey-device.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { replaceRecoveryCodes, confirmTotpOfMember, insertTotp } from '../sessions/second-factor.queries.ts'

const boss = 'boss@example.org'
const newPassword = 'chosen in the mailbox'

async function resetThroughMailbox(started: TestApi, email: string, passwd = newPassword) {
  await started.call(api.requestPasswordReset, { body: { email } }, { ip: '192.0.2.200' })
  const mail = (await started.mailsTo(email)).findLast(({ kind }) => kind === 'password-reset')!
  const [, id, pwdresetcode] = /change-password\/([^/\s]+)\/(\S+)/.exec(mail.text)!
  const body = { id: id!, pwdresetcode: pwdresetcode!, passwd }
  return started.call(api.executePasswordReset, { body })
}

async function aStrangerWithPasskey(started: TestApi) {
  const member = await aMember(started, {
    email: boss,
    password: 'password of a stranger',
    isElsewhere: true,
  })
  const device = aPasskeyDevice(member.id)
  expect((await addPasskey(started, member, device)).status).toBe(200)
  return { member, device }
}

test('the password of a sign-up does not grant rights of ADMIN_EMAILS, one set by email does', async () => {
  const started = await startApi({ ADMIN_EMAILS: boss })
  const { call, mailsTo } = started
  const member = await aMember(started, { email: boss, isElsewhere: true })
  expect(member.session.isWriteAccessAdmin).toBe(false)
  // Nor does a password that the same person sets later.
  const change = { body: { current: member.password, passwd: 'longer than twelve' } }
  expect((await call(api.changePassword, change, { token: member.token })).status).toBe(200)
  const { session } = await signInAs(started, boss, 'longer than twelve', member.ip)
  expect(session.isWriteAccessAdmin).toBe(false)

  const told = (await mailsTo(boss)).find(({ kind }) => kind === 'administrator-password')!
  const [, id, pwdresetcode] = /choose-password\/([^/\s]+)\/(\S+)/.exec(told.text)!
  const body = { id: id!, pwdresetcode: pwdresetcode!, passwd: newPassword }
  // Changing the password has not invalidated the link, because someone who knows the password may be a
  // stranger.
  expect((await call(api.executePasswordReset, { body })).status).toBe(200)
  const again = await signInAs(started, boss, newPassword, member.ip)
  expect(again.session).toMatchObject({ isWriteAccessAdmin: true, manageFinance: 2, manageCoins: 2 })
})

test('the link in the email after activation sets the password that grants the rights', async () => {
  const started = await startApi({ ADMIN_EMAILS: boss })
  const { code } = await signUp(started, boss)
  await started.call(api.activateMember, { params: { email: boss, code } })
  const told = (await started.mailsTo(boss)).find(({ kind }) => kind === 'administrator-password')!
  const [, id, pwdresetcode] = /choose-password\/([^/\s]+)\/(\S+)/.exec(told.text)!
  const reset = (passwd: string) =>
    started.call(api.executePasswordReset, { body: { id: id!, pwdresetcode: pwdresetcode!, passwd } })
  expect((await reset('short11char')).problem.errors).toEqual([
    expect.objectContaining({ path: 'passwd', code: 'too_short', message: expect.stringContaining('12') }),
  ])
  expect((await reset(newPassword)).status).toBe(200)
  expect((await signInAs(started, boss, newPassword, '192.0.2.1')).session.isWriteAccessAdmin).toBe(true)
})

test('a reset removes all access that a stranger added before the owner came', async () => {
  const started = await startApi({ ADMIN_EMAILS: boss })
  const { call, services, mailsTo } = started
  const { db, keys } = services
  const { member: squatter, device } = await aStrangerWithPasskey(started)
  await insertTotp(db, squatter.id, keys.seal('second factor', squatter.id, 'ABCDEFGHIJKLMNOP'))
  await confirmTotpOfMember(db, squatter.id)
  await replaceRecoveryCodes(db, squatter.id, ['a hash'])
  await call(api.setAntiPhishingPhrase, { body: { phrase: 'blue tea' } }, { token: squatter.token })

  const { id: tokenId } = await aToken(started, squatter.id, { levels: { finance: 2 } })

  expect((await resetThroughMailbox(started, boss)).status).toBe(200)
  const asked = await call(api.beginPasskeySignIn, { body: {} })
  const credential = device.sign(asked.body)
  expect((await call(api.finishPasskeySignIn, { body: { credential } })).problem.code).toBe('passkey_invalid')
  const { session } = await signInAs(started, boss, newPassword, '192.0.2.1')
  expect(session).toMatchObject({ isWriteAccessAdmin: true, hasSecondFactor: false })
  expect(await call(api.getFactors, {}, { token: session.token })).toMatchObject({
    body: { totp: false, passkeys: 0, recoveryCodesLeft: 0 },
  })
  expect((await call(api.getAntiPhishingPhrase, {}, { token: session.token })).body.phrase).toBe('')
  expect((await mailsTo(boss)).map(({ kind }) => kind)).toContain('factors-ended')
  const ended = await db
    .selectFrom('api_token')
    .select('revoked_at')
    .where('id', '=', tokenId)
    .executeTakeFirstOrThrow()
  expect(ended.revoked_at).not.toBeNull()
})

test("so does it for a passkey added during the owner's reset", async () => {
  const started = await startApi({ ADMIN_EMAILS: boss })
  const squatter = await aMember(started, {
    email: boss,
    password: 'password of a stranger',
    isElsewhere: true,
  })
  const device = aPasskeyDevice(squatter.id)
  await Promise.allSettled([addPasskey(started, squatter, device), resetThroughMailbox(started, boss)])
  const asked = await started.call(api.beginPasskeySignIn, { body: {} })
  const credential = device.sign(asked.body)
  expect((await started.call(api.finishPasskeySignIn, { body: { credential } })).status).toBe(401)
})

test('factors of an owner who signed in where the email was opened survive a reset', async () => {
  const started = await startApi()
  const email = anEmail()
  const { code } = await signUp(started, email)
  const { cookies } = await started.call(api.activateMember, { params: { email, code } })
  expect(cookies).toHaveProperty('activated')
  const body = { email, password: goodPassword }
  const elsewhere = await started.call(api.signIn, { body }, { cookies: { activated: 'something else' } })
  expect(elsewhere.status).toBe(200)
  const { body: session } = await started.call(api.signIn, { body }, { cookies })
  const member = {
    id: session.id,
    email,
    password: goodPassword,
    ip: '127.0.0.1',
    token: session.token,
    session,
    cookies,
  }
  await addPasskey(started, member, aPasskeyDevice(member.id))
  expect((await resetThroughMailbox(started, email)).status).toBe(200)
  const again = await started.call(api.signIn, { body: { email, password: newPassword } })
  expect(again.problem.code).toBe('second_factor_required')
  // So do factors added after a password was set by email.
})

test('factors added after a first reset survive the next one', async () => {
  const started = await startApi()
  const member = await aMember(started, { isElsewhere: true })
  await resetThroughMailbox(started, member.email)
  const { session } = await signInAs(started, member.email, newPassword, member.ip)
  await addPasskey(started, { ...member, token: session.token }, aPasskeyDevice(member.id))
  expect((await resetThroughMailbox(started, member.email, 'yet another password')).status).toBe(200)
  const again = await started.call(api.signIn, {
    body: { email: member.email, password: 'yet another password' },
  })
  expect(again.problem.code).toBe('second_factor_required')
})
