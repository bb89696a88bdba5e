import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import { anApplication, anEmail, anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { addPasskey, aMemberWithPasskey, aPasskeyDevice } from '#tests/passkey-device.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { addTotp, as, letProofAge } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)

const codeOf = async (started: TestApi, endpoint: Endpoint, input: CallOf<Endpoint>, member: TestMember) => {
  const { status, problem } = await started.call(endpoint, input, as(member))
  return status < 300 ? status : problem.code
}

const stepUpBy = (started: TestApi, member: TestMember, body: CallOf<typeof api.stepUp>['body']) =>
  codeOf(started, api.stepUp, { body }, member)

test.each<[string, (subject: TestMember) => object]>([
  ['granting the administrator’s right', () => ({ isWriteAccessAdmin: true })],
  ['withdrawing it', () => ({ isWriteAccessAdmin: false })],
  ['granting a level', () => ({ manageFinance: 1 })],
  ['withdrawing a level', () => ({ manageNews: 0, displayName: 'Another' })],
  ['closing an account', () => ({ active: false })],
  ['re-opening an account', () => ({ active: true })],
  ['another address for somebody', () => ({ email: anEmail() })],
])('%s requires a fresh proof, and writes nothing without one', async (_, fieldsFor) => {
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const subject = await aSignedInMember(started, { manage_news: 1 })
  await letProofAge(started)
  const before = await started.call(api.getMember, { params: { id: subject.id } }, as(admin))
  const update = { body: { id: subject.id, ...fieldsFor(subject) } }
  expect(await codeOf(started, api.updateMember, update, admin)).toBe('step_up_required')
  const after = await started.call(api.getMember, { params: { id: subject.id } }, as(admin))
  expect(after.body).toEqual(before.body)
  expect(await stepUpBy(started, admin, { password: admin.password })).toBe(200)
  expect(await codeOf(started, api.updateMember, update, admin)).toBe(200)
})

test('an administrator’s own rights and closing require a fresh proof too', async () => {
  const [admin] = [
    await aSignedInMember(started, { is_write_access_admin: true }),
    await aSignedInMember(started, { is_write_access_admin: true }),
  ]
  await letProofAge(started)
  for (const fields of [{ manageFinance: 2 }, { isWriteAccessAdmin: false }, { active: false }]) {
    const input = { body: { id: admin.id, ...fields } }
    expect(await codeOf(started, api.updateMember, input, admin)).toBe('step_up_required')
  }
})

test('a member without the right is refused before being asked for a proof', async () => {
  const [member, subject] = [await aSignedInMember(started), await aSignedInMember(started)]
  await letProofAge(started)
  const input = { body: { id: subject.id, manageNews: 2 } }
  expect(await codeOf(started, api.updateMember, input, member)).toBe('forbidden')
})

test('exports and corrections of orders require a fresh proof', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const applicant = await aSignedInMember(started)
  const { _id } = await anApplication(started, applicant)
  const order = await anOrder(started, applicant.id)
  const calls: [Endpoint, CallOf<Endpoint>][] = [
    [api.exportMember, {}],
    [api.exportKycCase, { params: { id: _id } }],
    [api.updateOrder, { body: { _id: order.id, amount: '2', reason: 'As was paid.' } }],
  ]
  await letProofAge(started)
  for (const [endpoint, input] of calls)
    expect(await codeOf(started, endpoint, input, officer), endpoint.path).toBe('step_up_required')
  await stepUpBy(started, officer, { password: officer.password })
  for (const [endpoint, input] of calls)
    expect(await codeOf(started, endpoint, input, officer), endpoint.path).toBe(200)
})

test('if the account has a factor, the password alone is no proof', async () => {
  const { member, device, added } = await aMemberWithPasskey(started)
  await letProofAge(started)
  expect(await stepUpBy(started, member, { password: member.password })).toBe('second_factor_required')
  const guarded: [Endpoint, CallOf<Endpoint>][] = [
    [api.removePasskey, { params: { id: added.passkey.id } }],
    [api.removeTotp, { body: { code: '123456' } }],
    [api.renewRecoveryCodes, { body: null }],
    [api.beginTotp, { body: null }],
    [api.beginPasskey, { body: null }],
    [api.changePassword, { body: { current: member.password, passwd: 'another good password' } }],
    [api.eraseMember, { body: { current: member.password } }],
    [api.updateMember, { body: { id: member.id, email: anEmail() } }],
    [api.exportMember, {}],
  ]
  for (const [endpoint, input] of guarded)
    expect(await codeOf(started, endpoint, input, member), endpoint.path).toBe('step_up_required')
  const asked = await started.call(api.beginStepUp, { body: null }, as(member))
  expect(asked.body.kinds).toEqual(['passkey', 'recovery'])
  expect(await stepUpBy(started, member, { passkey: device.sign(asked.body.passkey!) })).toBe(200)
  const remove = { params: { id: added.passkey.id } }
  expect(await codeOf(started, api.removePasskey, remove, member)).toBe(200)
  expect(await stepUpBy(started, member, { password: member.password })).toBe(200)
})

test('a recovery code is a proof in place of a lost factor', async () => {
  const { member, added } = await aMemberWithPasskey(started)
  await letProofAge(started)
  expect(await stepUpBy(started, member, { code: added.recoveryCodes![0]! })).toBe(200)
  const remove = { params: { id: added.passkey.id } }
  expect(await codeOf(started, api.removePasskey, remove, member)).toBe(200)
})

test('without a factor the password that these calls ask for is the proof', async () => {
  const member = await aSignedInMember(started)
  await letProofAge(started)
  const change = { body: { current: member.password, passwd: 'another good password' } }
  expect(await codeOf(started, api.changePassword, change, member)).toBe(200)
  const wrong = { body: { current: member.password } }
  expect(await codeOf(started, api.eraseMember, wrong, member)).toBe('credentials_invalid')
  const erase = { body: { current: 'another good password' } }
  expect(await codeOf(started, api.eraseMember, erase, member)).toBe(200)
})

test("a session's proof of a removed factor does not count for the next one", async () => {
  const { member, added } = await aMemberWithPasskey(started)
  const other = { email: member.email, password: member.password }
  const remove = { params: { id: added.passkey.id } }
  expect(await codeOf(started, api.removePasskey, remove, member)).toBe(200)
  // By password only, in an account without a factor.
  await letProofAge(started)
  await stepUpBy(started, member, { password: member.password })
  const second = await started.call(api.signIn, { body: other }, { ip: member.ip })
  const owner = { ...member, token: second.body.token }
  expect((await addPasskey(started, owner, aPasskeyDevice(member.id))).status).toBe(200)
  expect(await codeOf(started, api.exportMember, {}, member)).toBe('session_expired')
  expect(await codeOf(started, api.exportMember, {}, owner)).toBe(200)
})

test("a proof by password can't bypass a factor that is being added", async () => {
  const member = await aSignedInMember(started)
  const other = await started.call(
    api.signIn,
    { body: { email: member.email, password: member.password } },
    { ip: member.ip },
  )
  const intruder = { ...member, token: other.body.token }
  await Promise.all([
    addTotp(started, member),
    ...Array.from({ length: 4 }, () => stepUpBy(started, intruder, { password: member.password })),
  ])
  expect(await codeOf(started, api.exportMember, {}, intruder)).toBe('session_expired')
})
