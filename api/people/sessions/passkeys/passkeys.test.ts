import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { passkeysMax } from '#contract/people/passkeys.ts'
import { aMember, anEmail, goodPassword, signUp, type TestMember } from '#tests/builders.ts'
import { addPasskey, aMemberWithPasskey, aPasskeyDevice, signInWith } from '#tests/passkey-device.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'

const passwordSignIn = (started: TestApi, { email, password, ip }: TestMember, more: object = {}) =>
  started.call(api.signIn, { body: { email, password, ...more } }, { ip })

test('the first factor of an account brings recovery codes and an email, and ends older sessions', async () => {
  const started = await startApi()
  const member = await aMember(started)
  const older = await passwordSignIn(started, member)
  const first = await addPasskey(started, member, aPasskeyDevice(member.id), 'Laptop')
  expect(first.body).toMatchObject({ passkey: { name: 'Laptop', lastUsedAt: null, synced: false } })
  expect(first.body.recoveryCodes).toHaveLength(10)
  expect((await started.call(api.listSessions, {}, { token: older.body.token })).problem.code).toBe(
    'session_expired',
  )
  expect((await started.call(api.listSessions, {}, as(member))).body).toHaveLength(1)
  const second = await addPasskey(started, member, aPasskeyDevice(member.id))
  expect(second.body.recoveryCodes).toBeNull()
  const mails = (await started.mailsTo(member.email)).filter(({ kind }) => kind === 'passkey-added')
  expect(mails).toHaveLength(2)
  expect(mails[0]!.text).toContain('Laptop')
  expect(mails[0]!.text).toContain('/login/reset')
})

test('the password alone then opens nothing, and only the correct one reveals the factors', async () => {
  const started = await startApi()
  const { member, device, added } = await aMemberWithPasskey(started)
  const asked = await passwordSignIn(started, member)
  expect(asked).toMatchObject({
    status: 401,
    problem: {
      code: 'second_factor_required',
      secondFactor: { kinds: ['passkey', 'recovery'], passkey: { rpId: 'localhost' } },
    },
  })
  const wrong = await started.call(api.signIn, { body: { email: member.email, password: 'wrong' } })
  const unknown = await started.call(api.signIn, { body: { email: anEmail(), password: 'wrong' } })
  expect(wrong.problem).toEqual(unknown.problem)
  expect(wrong.problem).not.toHaveProperty('secondFactor')

  const passkey = device.sign(asked.problem.secondFactor!.passkey!)
  expect((await passwordSignIn(started, member, { passkey })).status).toBe(200)
  expect((await passwordSignIn(started, member, { passkey })).problem.code).toBe('second_factor_required')
  expect((await passwordSignIn(started, member, { secondFactor: added.recoveryCodes![0] })).status).toBe(200)
})

test("someone else's passkey is no second factor", async () => {
  const started = await startApi()
  const { member } = await aMemberWithPasskey(started)
  const { device: foreign } = await aMemberWithPasskey(started)
  const asked = await passwordSignIn(started, member)
  const passkey = foreign.sign(asked.problem.secondFactor!.passkey!)
  expect((await passwordSignIn(started, member, { passkey })).problem.code).toBe('second_factor_required')
})

test('a member lists, renames, and removes only their own passkeys', async () => {
  const started = await startApi()
  const { member, added } = await aMemberWithPasskey(started)
  const stranger = await aMember(started)
  const { id } = added.passkey
  const rename = (by: TestMember) =>
    started.call(api.renamePasskey, { body: { id, name: 'Work laptop' } }, as(by))
  expect((await rename(stranger)).problem.code).toBe('not_found')
  expect((await rename(member)).body.name).toBe('Work laptop')
  const remove = (by: TestMember) => started.call(api.removePasskey, { params: { id } }, as(by))
  expect((await remove(stranger)).problem.code).toBe('not_found')
  expect((await remove(member)).status).toBe(200)
  expect((await remove(member)).problem.code).toBe('not_found')
  expect((await started.call(api.listPasskeys, {}, as(member))).body).toEqual([])
  const mail = (await started.mailsTo(member.email)).find(({ kind }) => kind === 'passkey-removed')
  expect(mail!.text).toContain('Work laptop')
  // With the last factor its recovery codes are deleted, and the password alone signs in again.
  expect((await started.call(api.getFactors, {}, as(member))).body).toEqual({
    totp: false,
    passkeys: 0,
    recoveryCodesLeft: 0,
    mailboxProved: true,
  })
  expect((await passwordSignIn(started, member)).status).toBe(200)
})

test('a passkey belongs to one account, and an account has at most ten', async () => {
  const started = await startApi()
  const { member, device } = await aMemberWithPasskey(started)
  const other = await aMember(started)
  expect((await addPasskey(started, other, device)).problem.code).toBe('conflict')
  const ready = await started.call(api.beginPasskey, { body: null }, as(member))
  for (let n = 1; n < passkeysMax; n += 1)
    expect((await addPasskey(started, member, aPasskeyDevice(member.id))).status).toBe(200)
  expect((await started.call(api.beginPasskey, { body: null }, as(member))).problem.code).toBe('conflict')
  const eleventh = { credential: aPasskeyDevice(member.id).make(ready.body) }
  expect((await started.call(api.finishPasskey, { body: eleventh }, as(member))).problem.code).toBe(
    'conflict',
  )
})

test('rejects a passkey created for another member, without verification, or elsewhere', async () => {
  const started = await startApi()
  const member = await aMember(started)
  const other = await aMember(started)
  const device = aPasskeyDevice(member.id)
  const begin = async (by: TestMember) => (await started.call(api.beginPasskey, { body: null }, as(by))).body
  for (const credential of [
    device.make(await begin(other)),
    device.make(await begin(member), { isUnverified: true }),
    device.make(await begin(member), { origin: 'https://evil.example' }),
  ])
    expect((await started.call(api.finishPasskey, { body: { credential } }, as(member))).problem.code).toBe(
      'passkey_invalid',
    )
  expect((await started.call(api.listPasskeys, {}, as(member))).body).toEqual([])
})

test('host and origin come from PUBLIC_URL', async () => {
  const started = await startApi({ PUBLIC_URL: 'https://coin.example' })
  const email = anEmail()
  const { code } = await signUp(started, email)
  const { cookies } = await started.call(api.activateMember, { params: { email, code } })
  const body = { email, password: goodPassword }
  const session = (await started.call(api.signIn, { body }, { cookies })).body
  const device = aPasskeyDevice(session.id, 'https://coin.example')
  const { body: options } = await started.call(api.beginPasskey, { body: null }, { token: session.token })
  expect(options.rp.id).toBe('coin.example')
  const made = { credential: device.make(options) }
  expect((await started.call(api.finishPasskey, { body: made }, { token: session.token })).status).toBe(200)
  expect((await signInWith(started, device)).status).toBe(200)
  expect((await signInWith(started, device, { origin: 'http://localhost:3000' })).status).toBe(401)
})

test('staff with a passkey meet the requirement, but not a session that proved none', async () => {
  const started = await startApi({ STAFF_SECOND_FACTOR: 'required' })
  const { db } = started.services
  for (const rights of [
    { is_write_access_admin: true, manage_employee: 0 },
    { is_write_access_admin: false, manage_employee: 1 },
  ]) {
    const admin = await aMember(started, { rights })
    const listMembers = async (token: string) => {
      const { status, problem } = await started.call(api.listMembers, {}, { token })
      return status === 200 ? status : problem.code
    }
    expect(await listMembers(admin.token)).toBe('second_factor_needed')
    const device = aPasskeyDevice(admin.id)
    expect((await addPasskey(started, admin, device)).status).toBe(200)
    expect(await listMembers(admin.token)).toBe(200)
    expect(await listMembers((await signInWith(started, device)).body.token)).toBe(200)
    await db.updateTable('session').set({ has_proved_factor: false }).execute()
    expect(await listMembers(admin.token)).toBe('second_factor_needed')
  }
})
