import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, anEmail, goodPassword, signUp } from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'

async function aPendingMember(started: TestApi) {
  const email = anEmail()
  const { code } = await signUp(started, email)
  const { id } = await started.services.db
    .selectFrom('member')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return { id, email, code }
}
const setActive = (started: TestApi, token: string, id: string, active: boolean) =>
  started.call(api.updateMember, { body: { id, active } }, { token })
const kindsTo = async (started: TestApi, email: string) =>
  (await started.mailsTo(email)).map(({ kind }) => kind)
const signIn = async (started: TestApi, email: string, password: string) =>
  (await started.call(api.signIn, { body: { email, password } })).problem.code ?? 'signed in'

test('an account closed before activation stays closed, whatever its mailbox does', async () => {
  const started = await startApi()
  const { call } = started
  const officer = await aSignedInMember(started, { manage_employee: 2 })
  const { id, email, code } = await aPendingMember(started)
  expect((await setActive(started, officer.token, id, false)).status).toBe(200)
  expect((await call(api.activateMember, { params: { email, code } })).body).toBe(false)
  expect(await signIn(started, email, goodPassword)).toBe('member_inactive')

  await call(api.resendActivation, { body: { email } }, { ip: '192.0.2.1' })
  await call(api.createMember, { body: { email, password: 'of another sign-up' } }, { ip: '192.0.2.2' })
  expect(await kindsTo(started, email)).toEqual(['activation', 'account-closed', 'account-closed'])

  await call(api.requestPasswordReset, { body: { email } }, { ip: '192.0.2.3' })
  const mail = (await started.mailsTo(email)).find(({ kind }) => kind === 'password-reset')!
  const [, , pwdresetcode] = /change-password\/([^/\s]+)\/(\S+)/.exec(mail.text)!
  const body = { id, pwdresetcode: pwdresetcode!, passwd: 'chosen in the mailbox' }
  expect((await call(api.executePasswordReset, { body })).status).toBe(200)
  const refused = await call(api.signIn, { body: { email, password: 'chosen in the mailbox' } })
  expect(refused.problem).toMatchObject({ code: 'member_inactive', isClosed: true })
})

test("a change to a closed account's address does not release it", async () => {
  const started = await startApi()
  const officer = await aSignedInMember(started, { manage_employee: 2 })
  const { id, email } = await aPendingMember(started)
  await setActive(started, officer.token, id, false)
  const member = await aSignedInMember(started)
  const asked = { body: { id: member.id, email } }
  expect((await started.call(api.updateMember, asked, { token: member.token })).status).toBe(200)
  expect(await kindsTo(started, email)).toEqual(['activation', 'account-closed'])
})

test('reopening by staff lets its owner activate it', async () => {
  const started = await startApi()
  const officer = await aSignedInMember(started, { manage_employee: 2 })
  const { id, email, code } = await aPendingMember(started)
  await setActive(started, officer.token, id, false)
  await setActive(started, officer.token, id, true)
  expect((await started.call(api.activateMember, { params: { email, code } })).body).toBe(true)
  expect(await signIn(started, email, goodPassword)).toBe('signed in')
})

test('of concurrent activation and closing the closing wins', async () => {
  const started = await startApi()
  const officer = await aSignedInMember(started, { manage_employee: 2 })
  for (let round = 0; round < 4; round += 1) {
    const { id, email, code } = await aPendingMember(started)
    const both = [
      () => setActive(started, officer.token, id, false),
      () => started.call(api.activateMember, { params: { email, code } }),
    ]
    const answers = await Promise.all((round % 2 ? both : both.toReversed()).map((each) => each()))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await signIn(started, email, goodPassword)).toBe('member_inactive')
  }
})

test('other changes by staff do not close an account that awaits its code', async () => {
  const started = await startApi()
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const { id, email, code } = await aPendingMember(started)
  const body = { id, firstName: 'Ada' }
  expect((await started.call(api.updateMember, { body }, { token: admin.token })).status).toBe(200)
  expect((await started.call(api.activateMember, { params: { email, code } })).body).toBe(true)
})
