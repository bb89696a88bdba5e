import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anEmail, anOrder, aSignedInMember, signInAs, signUp, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started

const ask = (member: TestMember, email: string) =>
  call(api.updateMember, { body: { id: member.id, email } }, { token: member.token })

const confirm = (member: TestMember, code: string) =>
  call(api.confirmEmail, { body: { code } }, { token: member.token })

const kindsTo = async (email: string) => (await mailsTo(email)).map(({ kind }) => kind)

async function codeMailedTo(email: string): Promise<string> {
  const mail = (await mailsTo(email)).filter(({ kind }) => kind === 'email-confirm').at(-1)!
  return /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(mail.text)![0]
}

test('a new address awaits its emailed code; until then the old one stays', async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  const asked = await ask(member, ` ${email.toUpperCase()} `)
  expect(asked).toMatchObject({ status: 200, body: { email: member.email, pendingEmail: email } })
  expect(await kindsTo(member.email)).toEqual(['email-change-requested'])
  await signInAs(started, member.email, member.password, member.ip)

  const code = await codeMailedTo(email)
  expect((await confirm(member, 'WRONG-WRONG')).problem.code).toBe('code_invalid')
  const confirmed = await confirm(member, ` ${code.toLowerCase().replace('-', ' ')} `)
  expect(confirmed).toMatchObject({ status: 200, body: { email } })
  expect(confirmed.body).not.toHaveProperty('pendingEmail')
  expect(await kindsTo(member.email)).toContain('email-changed')
  await signInAs(started, email, member.password, member.ip)
  const old = await call(api.signIn, { body: { email: member.email, password: member.password } })
  expect(old.problem.code).toBe('credentials_invalid')
  expect((await confirm(member, code)).problem.code).toBe('code_invalid')
})

test('only the member sees the pending address', async () => {
  const member = await aSignedInMember(started)
  const officer = await aSignedInMember(started, { manage_employee: 2 })
  await ask(member, anEmail())
  const { body } = await call(api.getMember, { params: { id: member.id } }, { token: officer.token })
  expect(body).not.toHaveProperty('pendingEmail')
})

test('a code is bound to the member, valid for a day, and replaced by a newer one', async () => {
  const [member, other] = [await aSignedInMember(started), await aSignedInMember(started)]
  const [first, second] = [anEmail(), anEmail()]
  await ask(member, first)
  const firstCode = await codeMailedTo(first)
  expect((await confirm(other, firstCode)).problem.code).toBe('code_invalid')
  await ask(member, second)
  expect((await confirm(member, firstCode)).problem.code).toBe('code_invalid')
  await services.db
    .updateTable('email_change')
    .set({ expires_at: new Date(0) })
    .where('member_id', '=', member.id)
    .execute()
  expect((await confirm(member, await codeMailedTo(second))).problem.code).toBe('code_invalid')
})

test('returning to the current address cancels the change', async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  await ask(member, email)
  const back = await ask(member, member.email)
  expect(back.body).not.toHaveProperty('pendingEmail')
  expect((await confirm(member, await codeMailedTo(email))).problem.code).toBe('code_invalid')
})

test('an address of another member is not revealed in the answer and never taken over', async () => {
  const [member, holder] = [await aSignedInMember(started), await aSignedInMember(started)]
  const asked = await ask(member, holder.email)
  const free = await ask(await aSignedInMember(started), anEmail())
  expect(asked.status).toBe(free.status)
  expect(Object.keys(asked.body).toSorted()).toEqual(Object.keys(free.body).toSorted())
  expect(await kindsTo(holder.email)).toEqual(['already-member'])
})

test('the first to verify an address gets it, even against an earlier change request', async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  await ask(member, email)
  const code = await codeMailedTo(email)
  const { code: activation } = await signUp(started, email)
  await call(api.activateMember, { params: { email, code: activation } })
  expect((await confirm(member, code)).problem.code).toBe('code_invalid')
})

test('an unverified sign-up does not block the member who verifies the address', async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  await signUp(started, email, 'password of a stranger')
  await ask(member, email)
  expect((await confirm(member, await codeMailedTo(email))).body.email).toBe(email)
})

test('an address whose unverified account holds records is refused like any other that is taken', async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  await signUp(started, email)
  const { id } = await services.db
    .selectFrom('member')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  await anOrder(started, id)
  await ask(member, email)
  expect((await confirm(member, await codeMailedTo(email))).problem.code).toBe('code_invalid')
})

test('guesses of the code are limited', async () => {
  const member = await aSignedInMember(started)
  const answers = []
  for (let n = 0; n < 11; n += 1) answers.push((await confirm(member, `GUESS-${n}`)).problem.code)
  expect(answers.slice(0, 10)).toEqual(Array(10).fill('code_invalid'))
  expect(answers[10]).toBe('rate_limited')
})

test("staff who request a member’s new address can't confirm it", async () => {
  const member = await aSignedInMember(started)
  const officer = await aSignedInMember(started, { manage_employee: 2 })
  const email = anEmail()
  const asked = await call(api.updateMember, { body: { id: member.id, email } }, { token: officer.token })
  expect(asked).toMatchObject({ status: 200, body: { email: member.email } })
  expect(await kindsTo(member.email)).toContain('email-change-requested')
  expect((await confirm(officer, await codeMailedTo(email))).problem.code).toBe('code_invalid')
})

test('a code can be resent and a change cancelled, both within a limit', async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  await ask(member, email)
  const first = await codeMailedTo(email)
  await ask(member, email)
  const second = await codeMailedTo(email)
  expect(second).not.toBe(first)
  expect((await confirm(member, first)).problem.code).toBe('code_invalid')
  const withdrawn = await ask(member, member.email)
  expect(withdrawn.body).not.toHaveProperty('pendingEmail')
  expect((await confirm(member, second)).problem.code).toBe('code_invalid')
  for (let n = 0; n < 8; n += 1) expect((await ask(member, anEmail())).status).toBe(200)
  expect((await ask(member, anEmail())).problem.code).toBe('rate_limited')
  expect((await ask(member, member.email)).status).toBe(200)
})

/** The request that the newest password link emailed to the address would send. */
async function linkMailedTo(email: string) {
  const mail = (await mailsTo(email)).findLast(({ kind }) => kind === 'password-reset')
  const [, id, pwdresetcode] = /change-password\/([^/\s]+)\/(\S+)/.exec(mail!.text)!
  return { id: id!, pwdresetcode: pwdresetcode! }
}

test('leaving a mailbox invalidates every link in it', async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  for (let n = 0; n < 2; n += 1)
    await call(api.requestPasswordReset, { body: { email: member.email } }, { ip: member.ip })
  const link = await linkMailedTo(member.email)
  await ask(member, email)
  expect((await confirm(member, await codeMailedTo(email))).status).toBe(200)
  const reset = await call(api.executePasswordReset, { body: { ...link, passwd: 'a stolen password' } })
  expect(reset.problem.code).toBe('reset_code_invalid')
  expect((await call(api.checkPasswordReset, { body: link })).problem.code).toBe('reset_code_invalid')
  await signInAs(started, email, member.password, member.ip)
})

test('a link requested during a change of address does not outlive the change', async () => {
  for (let round = 0; round < 5; round += 1) {
    const member = await aSignedInMember(started)
    const email = anEmail()
    await ask(member, email)
    const code = await codeMailedTo(email)
    await Promise.all([
      confirm(member, code),
      ...[1, 2, 3].map((n) =>
        call(api.requestPasswordReset, { body: { email: member.email } }, { ip: `10.77.${round}.${n}` }),
      ),
    ])
    const living = await services.db
      .selectFrom('reset_code')
      .select('member_id')
      .where('member_id', '=', member.id)
      .execute()
    expect(living).toEqual([])
  }
})

test('a new password by email cancels a change of address requested from within the account', async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  await ask(member, email)
  await call(api.requestPasswordReset, { body: { email: member.email } }, { ip: member.ip })
  const passwd = 'set through the mailbox'
  await call(api.executePasswordReset, { body: { ...(await linkMailedTo(member.email)), passwd } })
  const { session } = await signInAs(started, member.email, passwd, member.ip)
  const late = { body: { code: await codeMailedTo(email) } }
  expect((await call(api.confirmEmail, late, { token: session.token })).problem.code).toBe('code_invalid')
})

test('the address of an account closed by staff is told so, and no useless code is emailed', async () => {
  const [member, closed] = [await aSignedInMember(started), await aSignedInMember(started)]
  await services.db.updateTable('member').set({ active: false }).where('id', '=', closed.id).execute()
  await ask(member, closed.email)
  expect(await kindsTo(closed.email)).toEqual(['account-closed'])
})

test("a code that can't be emailed replaces none", async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  for (let n = 0; n < 3; n += 1) await ask(member, email)
  const code = await codeMailedTo(email)
  expect((await ask(member, email)).problem.code).toBe('rate_limited')
  expect((await confirm(member, code)).body.email).toBe(email)
})

test('strangers who sign up with an address do not block moving there, and it gets a limited number of emails', async () => {
  const email = anEmail()
  for (const ip of ['192.0.2.31', '192.0.2.32'])
    for (let n = 0; n < 3; n += 1)
      await call(api.createMember, { body: { email, password: `password ${n} of a stranger` } }, { ip })
  const answers: number[] = []
  for (let n = 0; n < 8; n += 1) answers.push((await ask(await aSignedInMember(started), email)).status)
  expect(answers).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
})
