import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { aMember, anEmail, aSignedInMember, signInAs, type TestMember } from '#tests/builders.ts'
import { addPasskey, aPasskeyDevice, signInWith } from '#tests/passkey-device.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { addTotp } from '#tests/step-up.ts'

const newPassword = 'chosen in the mailbox'

const ask = ({ call }: TestApi, { token }: TestMember) =>
  call(api.requestVerificationCode, { body: null }, { token })
const prove = ({ call }: TestApi, { token }: TestMember, code: string) =>
  call(api.verifyEmail, { body: { code } }, { token })
async function codeMailedTo(started: TestApi, email: string): Promise<string> {
  const mail = (await started.mailsTo(email)).findLast(({ kind }) => kind === 'mailbox-code')!
  return /\n([A-Za-z0-9-]{8,})\n/.exec(mail.text)![1]!
}
async function resetThroughMailbox(started: TestApi, email: string) {
  await started.call(api.requestPasswordReset, { body: { email } }, { ip: '192.0.2.200' })
  const mail = (await started.mailsTo(email)).findLast(({ kind }) => kind === 'password-reset')!
  const [, id, pwdresetcode] = /change-password\/([^/\s]+)\/(\S+)/.exec(mail.text)!
  const body = { id: id!, pwdresetcode: pwdresetcode!, passwd: newPassword }
  expect((await started.call(api.executePasswordReset, { body })).status).toBe(200)
}
test('a member who activated in another way can verify the address, and factors then survive a reset', async () => {
  const started = await startApi()
  const { call } = started
  const member = await aMember(started, { isElsewhere: true })
  const { token } = member
  const device = aPasskeyDevice(member.id)
  // No proof is required: a factor is effective at once.
  expect((await addPasskey(started, member, device)).status).toBe(200)
  expect((await call(api.getFactors, {}, { token })).body.mailboxProved).toBe(false)

  expect((await ask(started, member)).body).toEqual({ sent: true })
  const code = await codeMailedTo(started, member.email)
  expect((await prove(started, member, 'wrong')).problem.code).toBe('code_invalid')
  expect((await prove(started, member, code.toLowerCase())).body).toEqual({ proved: true })
  expect((await call(api.getFactors, {}, { token })).body.mailboxProved).toBe(true)
  expect((await prove(started, member, code)).problem.code).toBe('code_invalid')
  expect((await ask(started, member)).problem.code).toBe('conflict')

  await resetThroughMailbox(started, member.email)
  const byPassword = { body: { email: member.email, password: newPassword } }
  expect((await call(api.signIn, byPassword)).problem.code).toBe('second_factor_required')
  expect((await signInWith(started, device)).status).toBe(200)
})

test('a member who signs in where the email was opened is not asked', async () => {
  const started = await startApi()
  const member = await aMember(started)
  expect((await started.call(api.getFactors, {}, { token: member.token })).body.mailboxProved).toBe(true)
  expect((await addPasskey(started, member, aPasskeyDevice(member.id))).status).toBe(200)
})

test('a code works once, within an hour, for one member, and ends with a change of address', async () => {
  const started = await startApi()
  const { call, services, mailsTo } = started
  const [member, other] = [
    await aMember(started, { isElsewhere: true }),
    await aMember(started, { isElsewhere: true }),
  ]
  await ask(started, member)
  const first = await codeMailedTo(started, member.email)
  expect((await prove(started, other, first)).problem.code).toBe('code_invalid')
  await ask(started, member)
  const second = await codeMailedTo(started, member.email)
  expect((await prove(started, member, first)).problem.code).toBe('code_invalid')
  await services.db
    .updateTable('mailbox_code')
    .set({ expires_at: new Date(Date.now() - HOUR) })
    .execute()
  expect((await prove(started, member, second)).problem.code).toBe('code_invalid')

  await ask(started, member)
  const third = await codeMailedTo(started, member.email)
  const email = anEmail()
  await call(api.updateMember, { body: { id: member.id, email } }, { token: member.token })
  const [, confirmation] = /\n([A-Za-z0-9-]{8,})\n/.exec((await mailsTo(email)).at(-1)!.text)!
  const confirmed = await call(api.confirmEmail, { body: { code: confirmation! } }, { token: member.token })
  expect(confirmed.status).toBe(200)
  // The code for the new address is its proof.
  const { body } = await call(api.getFactors, {}, { token: member.token })
  expect(body.mailboxProved).toBe(true)
  await services.db.updateTable('member').set({ address_proved_at: null }).execute()
  expect((await prove(started, member, third)).problem.code).toBe('code_invalid')
})

test('attempts and emails are limited', async () => {
  const started = await startApi()
  const member = await aMember(started, { isElsewhere: true })
  const asked: number[] = []
  for (let n = 0; n < 8; n += 1) asked.push((await ask(started, member)).status)
  expect(asked.at(-1)).toBe(429)
  expect(
    (await started.mailsTo(member.email)).filter(({ kind }) => kind === 'mailbox-code').length,
  ).toBeLessThan(6)
  const tried: number[] = []
  for (let n = 0; n < 11; n += 1) tried.push((await prove(started, member, 'wrong')).status)
  expect(tried).toEqual([...Array<number>(10).fill(400), 429])
})

test('promoted rights need a password and a factor, but not the proof', async () => {
  const started = await startApi()
  const { call } = started
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const officer = await aMember(started, { isElsewhere: true })
  const body = { id: officer.id, manageEmployee: 1 }
  const given = await call(api.updateMember, { body }, { token: admin.token })
  expect(given.body).toMatchObject({ manageEmployee: 1 })
  expect(given.body).not.toHaveProperty('waitingRights')
  const { session } = await signInAs(started, officer.email, officer.password, officer.ip)
  expect((await call(api.listMembers, {}, { token: session.token })).status).toBe(200)
})

test('a code works only for the signed-in member, and says what to do otherwise', async () => {
  const started = await startApi()
  const member = await aMember(started, { isElsewhere: true })
  await ask(started, member)
  const mail = (await started.mailsTo(member.email)).at(-1)!
  expect(mail.text).toContain('/login/reset')
  await resetThroughMailbox(started, member.email)
  const session = await signInAs(started, member.email, newPassword, member.ip)
  expect((await ask(started, { ...member, token: session.session.token })).problem.code).toBe('conflict')
})

test("the first factor of an account with an unverified address sends the code, later ones don't", async () => {
  const started = await startApi()
  const member = await aMember(started, { isElsewhere: true })
  const codes = async (email: string) =>
    (await started.mailsTo(email)).filter(({ kind }) => kind === 'mailbox-code').length
  expect((await addPasskey(started, member, aPasskeyDevice(member.id))).status).toBe(200)
  expect(await codes(member.email)).toBe(1)
  await addTotp(started, member)
  expect(await codes(member.email)).toBe(1)
  const code = await codeMailedTo(started, member.email)
  expect((await prove(started, member, code)).body).toEqual({ proved: true })

  const other = await aMember(started, { isElsewhere: true })
  await addTotp(started, other)
  expect(await codes(other.email)).toBe(1)
  const proved = await aMember(started)
  await addTotp(started, proved)
  expect(await codes(proved.email)).toBe(0)
})

test("neither strangers who use up an address's emails nor a member moving there block the owner's code", async () => {
  const started = await startApi()
  const { call } = started
  const owner = await aMember(started, { isElsewhere: true })
  for (const ip of ['192.0.2.31', '192.0.2.32'])
    for (let n = 0; n < 3; n += 1)
      await call(api.requestPasswordReset, { body: { email: owner.email } }, { ip })
  const mover = await aSignedInMember(started)
  const moves = { body: { _id: mover.id, email: owner.email } }
  expect((await call(api.updateMember, moves, { token: mover.token })).status).toBe(200)
  expect((await ask(started, owner)).body).toEqual({ sent: true })
})
