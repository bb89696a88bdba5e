import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { saltOf } from '#api/platform/password-hasher.ts'
import { aMember, anEmail, anOrder, aSignedInMember, goodPassword } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'

const owner = { ip: '192.0.2.1' }
const stranger = { ip: '198.51.100.1' }
const ownPassword = 'password of the owner'
const strangersPassword = 'password of a stranger'

const codesTo = async (started: TestApi, email: string): Promise<string[]> =>
  (await started.mailsTo(email))
    .filter(({ kind }) => kind === 'activation')
    .map(({ text }) => new URL(/https?:\S+activate\S+/.exec(text)![0]).searchParams.get('code')!)

async function resetLinkTo(started: TestApi, email: string) {
  const [, id, pwdresetcode] = /(?:change|choose)-password\/([^/\s]+)\/(\S+)/.exec(
    (await started.mailsTo(email)).findLast(({ text }) => /(?:change|choose)-password\//.test(text))!.text,
  )!
  return { id: id!, pwdresetcode: pwdresetcode! }
}

const signUp = ({ call }: TestApi, email: string, password: string, from: { ip: string }) =>
  call(api.createMember, { body: { email, password } }, from)
const resend = ({ call }: TestApi, email: string, from: { ip: string }) =>
  call(api.resendActivation, { body: { email } }, from)
const activate = async ({ call }: TestApi, email: string, code: string) =>
  (await call(api.activateMember, { params: { email, code } })).body
const signIn = async ({ call }: TestApi, email: string, password: string) =>
  (await call(api.signIn, { body: { email, password } })).status

test('a stranger’s sign-up and resend leave the owner’s code valid, with the owner’s password', async () => {
  const started = await startApi()
  const email = anEmail()
  await signUp(started, email, ownPassword, owner)
  const [code] = await codesTo(started, email)
  await signUp(started, email, strangersPassword, stranger)
  await resend(started, email, stranger)
  expect(await activate(started, email, code!)).toBe(true)
  expect(await signIn(started, email, ownPassword)).toBe(200)
  expect(await signIn(started, email, strangersPassword)).toBe(401)
})

test('another code of a sign-up sets its password, and the first stays valid', async () => {
  const started = await startApi()
  const email = anEmail()
  await signUp(started, email, ownPassword, owner)
  await resend(started, email, owner)
  const codes = await codesTo(started, email)
  expect(codes).toHaveLength(2)
  expect(await activate(started, email, codes[0]!)).toBe(true)
  expect(await activate(started, email, codes[1]!)).toBe(false)
  expect(await signIn(started, email, ownPassword)).toBe(200)
})

test('if several people have signed up, asking again leads to a password chosen by email', async () => {
  const started = await startApi()
  const email = anEmail()
  await signUp(started, email, ownPassword, owner)
  await signUp(started, email, strangersPassword, stranger)
  await resend(started, email, owner)
  expect(await codesTo(started, email)).toHaveLength(2)
  const passwd = 'chosen in the mailbox'
  const body = { ...(await resetLinkTo(started, email)), passwd }
  expect((await started.call(api.executePasswordReset, { body })).status).toBe(200)
  expect(await signIn(started, email, passwd)).toBe(200)
  expect(await signIn(started, email, strangersPassword)).toBe(401)
})

test('a code that could not be emailed does not exist, and invalidates no emailed one', async () => {
  const started = await startApi()
  const { db } = started.services
  const email = anEmail()
  await signUp(started, email, ownPassword, owner)
  const [code] = await codesTo(started, email)
  for (let n = 0; n < 12; n += 1) {
    await signUp(started, email, strangersPassword, { ip: `198.51.100.${n % 4}` })
    await resend(started, email, { ip: `198.51.100.${n % 4}` })
  }
  const pending = await db.selectFrom('sign_up').select('id').execute()
  expect(pending).toHaveLength((await codesTo(started, email)).length)
  for (const each of await codesTo(started, email)) expect(each).toBeTruthy()
  expect(await activate(started, email, code!)).toBe(true)
  expect(await signIn(started, email, ownPassword)).toBe(200)
})

test('the code of each sign-up works after the others in any order', async () => {
  const started = await startApi()
  for (const used of [0, 1, 2]) {
    const email = anEmail()
    const passwords = ['first password', 'second password', 'third password']
    for (const [n, password] of passwords.entries())
      await signUp(started, email, password, { ip: `203.0.113.${n}` })
    const codes = await codesTo(started, email)
    expect(await activate(started, email, codes[used]!)).toBe(true)
    for (const [n, password] of passwords.entries())
      expect(await signIn(started, email, password)).toBe(n === used ? 200 : 401)
  }
})

test('if two codes are used at once, one decides and sets its password', async () => {
  const started = await startApi()
  for (let round = 0; round < 4; round += 1) {
    const email = anEmail()
    const passwords = ['first password', 'second password']
    for (const [n, password] of passwords.entries())
      await signUp(started, email, password, { ip: `203.0.113.${n}` })
    const codes = await codesTo(started, email)
    const used = await Promise.all(codes.map((code) => activate(started, email, code)))
    expect(used.toSorted()).toEqual([false, true])
    const signedIn: number[] = []
    for (const password of passwords) signedIn.push(await signIn(started, email, password))
    expect(signedIn).toEqual(used.map((isUsed) => (isUsed ? 200 : 401)))
  }
})

test('with the password of any pending sign-up, sign-in says to activate first', async () => {
  const started = await startApi()
  const { call } = started
  const [waiting, known] = [anEmail(), (await aSignedInMember(started)).email]
  const passwords = [ownPassword, strangersPassword, 'a third password', 'a fourth password']
  for (const email of [waiting, known])
    for (const [n, password] of passwords.entries())
      await signUp(started, email, password, { ip: `203.0.113.${n}` })
  const codeOf = async (email: string, password: string) =>
    (await call(api.signIn, { body: { email, password } })).problem.code
  for (const email of [waiting, known]) {
    for (const password of passwords) expect(await codeOf(email, password)).toBe('member_inactive')
    expect(await codeOf(email, 'of nobody at all')).toBe('credentials_invalid')
  }
  const [code] = await codesTo(started, waiting)
  expect(await activate(started, waiting, code!)).toBe(true)
  expect(await codeOf(waiting, strangersPassword)).toBe('credentials_invalid')
  await started.services.db
    .updateTable('sign_up')
    .set({ expires_at: new Date(0) })
    .execute()
  expect(await codeOf(known, ownPassword)).toBe('credentials_invalid')
})

test('a sign-in costs one hash, however many sign-ups are pending, even after a new password', async () => {
  const started = await startApi()
  const { passwords } = started.services
  const [unknown, waiting, known] = [anEmail(), anEmail(), await aMember(started)]
  for (const email of [waiting, known.email])
    for (let n = 0; n < 3; n += 1) await signUp(started, email, `password ${n}`, { ip: `203.0.113.${n}` })
  const change = { current: known.password, passwd: 'another good password' }
  const changed = await started.call(api.changePassword, { body: change }, { token: known.token })
  expect(changed.status).toBe(200)
  await signUp(started, known.email, 'password 3', { ip: '203.0.113.3' })
  const original = { ...passwords }
  const hashed: (readonly (string | null | undefined)[])[] = []
  passwords.verifyEach = (hashes, ...given) => {
    hashed.push(hashes)
    return original.verifyEach(hashes, ...given)
  }
  for (const name of ['hash', 'verify'] as const)
    passwords[name] = () => {
      throw new Error('another hash')
    }
  try {
    const codes: (string | undefined)[] = []
    for (const [email, password] of [
      [unknown, ownPassword],
      [waiting, ownPassword],
      [waiting, 'password 0'],
      [known.email, 'password 0'],
      [known.email, 'password 3'],
      [known.email, 'another good password'],
    ] as const)
      codes.push((await started.call(api.signIn, { body: { email, password } })).problem.code)
    const inactive = 'member_inactive'
    const wrong = 'credentials_invalid'
    expect(codes).toEqual([wrong, wrong, inactive, inactive, inactive, undefined])
  } finally {
    Object.assign(passwords, original)
  }
  const saltsIn = (hashes: readonly (string | null | undefined)[]) =>
    new Set(hashes.filter(Boolean).map((each) => saltOf(each)!.toString('hex')))
  expect(hashed.map((each) => each.filter(Boolean).length)).toEqual([0, 3, 3, 5, 5, 5])
  expect(hashed.map((each) => saltsIn(each).size)).toEqual([0, 1, 1, 1, 1, 1])
})

test('emails an active member who asks for a code that there is nothing to activate', async () => {
  const started = await startApi()
  const email = anEmail()
  await signUp(started, email, goodPassword, owner)
  await activate(started, email, (await codesTo(started, email))[0]!)
  expect((await resend(started, email, owner)).body).toEqual({ sent: true })
  expect((await started.mailsTo(email)).at(-1)!.kind).toBe('already-member')
})

test('deletes an address that no one confirmed within 30 days of its last sign-up', async () => {
  const started = await startApi()
  const { services } = started
  const { db } = services
  const emails = {
    old: anEmail(),
    again: anEmail(),
    withRecords: anEmail(),
    active: anEmail(),
    fresh: anEmail(),
  }
  for (const email of Object.values(emails)) await signUp(started, email, ownPassword, owner)
  await activate(started, emails.active, (await codesTo(started, emails.active))[0]!)
  const idOf = async (email: string) =>
    (await db.selectFrom('member').select('id').where('email', '=', email).executeTakeFirst())?.id
  await anOrder(started, (await idOf(emails.withRecords))!)
  const age = async (email: string, days: number) => {
    const at = new Date(Date.now() - days * DAY)
    const id = (await idOf(email))!
    await db.updateTable('member').set({ created_at: at }).where('id', '=', id).execute()
    await db
      .updateTable('sign_up')
      .set({ created_at: at, expires_at: new Date(at.getTime() + DAY) })
      .where('member_id', '=', id)
      .execute()
  }
  for (const email of [emails.old, emails.again, emails.withRecords, emails.active]) await age(email, 31)
  await age(emails.fresh, 29)
  await signUp(started, emails.again, ownPassword, owner)
  await cleanUp(services)
  expect(await idOf(emails.old)).toBeUndefined()
  expect(await started.mailsTo(emails.old)).toEqual([])
  for (const kept of ['again', 'withRecords', 'active', 'fresh'] as const)
    expect([kept, await idOf(emails[kept])]).toEqual([kept, expect.any(String)])
})

test('tells a member deactivated by staff so, on every path', async () => {
  const started = await startApi()
  const { call, mailsTo } = started
  const [member, officer] = [
    await aSignedInMember(started),
    await aSignedInMember(started, { manage_employee: 2 }),
  ]
  const close = { body: { id: member.id, active: false } }
  expect((await call(api.updateMember, close, { token: officer.token })).status).toBe(200)
  const refused = await call(api.signIn, { body: { email: member.email, password: member.password } })
  expect(refused.problem).toMatchObject({ code: 'member_inactive', isClosed: true })
  expect(refused.problem.message).toContain('deactivated this account')
  await resend(started, member.email, owner)
  await signUp(started, member.email, strangersPassword, stranger)
  expect((await mailsTo(member.email)).slice(-2).map(({ kind }) => kind)).toEqual([
    'account-closed',
    'account-closed',
  ])
  // Whoever signed up with the address reads what they would read of any other.
  const other = await call(api.signIn, { body: { email: member.email, password: strangersPassword } })
  expect(other.problem).toMatchObject({ code: 'member_inactive' })
  expect(other.problem).not.toHaveProperty('isClosed')
})
