import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aMember, anEmail, aSignedInMember, signInAs, signUp } from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'

const boss = 'boss@example.org'
const noRights = {
  isWriteAccessAdmin: false,
  manageNews: 0,
  manageEmployee: 0,
  manageFinance: 0,
  manageCoins: 0,
}

async function resetThroughMailbox(started: TestApi, email: string, passwd: string) {
  await started.call(api.requestPasswordReset, { body: { email } }, { ip: '192.0.2.200' })
  const mail = (await started.mailsTo(email)).findLast(({ kind }) => kind === 'password-reset')!
  const [, id, pwdresetcode] = /change-password\/([^/\s]+)\/(\S+)/.exec(mail.text)!
  const body = { id: id!, pwdresetcode: pwdresetcode!, passwd }
  expect((await started.call(api.executePasswordReset, { body })).status).toBe(200)
  return (await signInAs(started, email, passwd, '192.0.2.1')).session
}

const withdraw = (started: TestApi, token: string, id: string) => {
  const body = {
    id,
    isWriteAccessAdmin: false,
    manageNews: 0,
    manageEmployee: 0,
    manageFinance: 0,
    manageCoins: 0,
  }
  return started.call(api.updateMember, { body }, { token })
}

test('withdrawn rights of ADMIN_EMAILS are not restored by a later reset', async () => {
  const started = await startApi({ ADMIN_EMAILS: boss })
  const { id } = await aMember(started, { email: boss })
  const granted = await resetThroughMailbox(started, boss, 'first long password')
  expect(granted.isWriteAccessAdmin).toBe(true)
  const other = await aSignedInMember(started, { is_write_access_admin: true })
  expect((await withdraw(started, other.token, id)).status).toBe(200)
  expect(await resetThroughMailbox(started, boss, 'second long password')).toMatchObject(noRights)
})

test('nor by an erased and recreated account', async () => {
  const started = await startApi({ ADMIN_EMAILS: boss })
  const { id } = await aMember(started, { email: boss })
  await resetThroughMailbox(started, boss, 'first long password')
  const other = await aSignedInMember(started, { is_write_access_admin: true })
  await withdraw(started, other.token, id)
  const { session } = await signInAs(started, boss, 'first long password', '192.0.2.1')
  const body = { current: 'first long password' }
  expect((await started.call(api.eraseMember, { body }, { token: session.token })).status).toBe(200)
  const { code } = await signUp(started, boss)
  await started.call(api.activateMember, { params: { email: boss, code } })
  expect((await started.mailsTo(boss)).map(({ kind }) => kind)).not.toContain('administrator-password')
  expect(await resetThroughMailbox(started, boss, 'second long password')).toMatchObject(noRights)
})

test('nor if an administrator had granted and withdrawn them without the setting', async () => {
  const started = await startApi({ ADMIN_EMAILS: boss })
  const { id } = await aMember(started, { email: boss, rights: { is_write_access_admin: true } })
  const other = await aSignedInMember(started, { is_write_access_admin: true })
  expect((await withdraw(started, other.token, id)).status).toBe(200)
  expect(await resetThroughMailbox(started, boss, 'second long password')).toMatchObject(noRights)
})

test('the other administrators are notified whom the setting made an administrator', async () => {
  const started = await startApi({ ADMIN_EMAILS: boss })
  const [other, closed, member] = [
    await aSignedInMember(started, { is_write_access_admin: true }),
    await aSignedInMember(started, { is_write_access_admin: true, active: false }).catch(() => undefined),
    await aSignedInMember(started),
  ]
  await aMember(started, { email: boss })
  await resetThroughMailbox(started, boss, 'first long password')
  const kinds = async (email: string) => (await started.mailsTo(email)).map(({ kind }) => kind)
  expect(await started.mailsTo(other.email)).toMatchObject([
    { kind: 'administrator-by-setting', text: expect.stringMatching(/boss.*\/console\/members\//s) },
  ])
  for (const email of [member.email, ...(closed ? [closed.email] : []), boss])
    expect(await kinds(email)).not.toContain('administrator-by-setting')
})

test('two links used at the same time grant once', async () => {
  const started = await startApi({ ADMIN_EMAILS: boss })
  const other = await aSignedInMember(started, { is_write_access_admin: true })
  await aMember(started, { email: boss })
  const links: { id: string; pwdresetcode: string }[] = []
  for (const ip of ['192.0.2.200', '192.0.2.201']) {
    await started.call(api.requestPasswordReset, { body: { email: boss } }, { ip })
    const mail = (await started.mailsTo(boss)).findLast(({ kind }) => kind === 'password-reset')!
    const [, id, pwdresetcode] = /change-password\/([^/\s]+)\/(\S+)/.exec(mail.text)!
    links.push({ id: id!, pwdresetcode: pwdresetcode! })
  }
  const answers = await Promise.all(
    links.map((link) =>
      started.call(api.executePasswordReset, { body: { ...link, passwd: 'a long password' } }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(await started.mailsTo(other.email)).toHaveLength(1)
})

test.for([
  ['letter case in the setting', ' Boss@Example.ORG ', 'boss@example.org', true],
  ['letter case in the sign-up', 'boss@example.org', 'BOSS@example.org', true],
  ['a dot more', 'boss@example.org', 'b.oss@example.org', false],
  ['something after a plus', 'boss@example.org', 'boss+1@example.org', false],
  ['a letter that looks alike', 'boss@example.org', 'bоss@example.org', false],
] as const)('ADMIN_EMAILS and %s', async ([, setting, typed, isGranted]) => {
  const started = await startApi({ ADMIN_EMAILS: setting })
  const password = 'a password of twelve'
  const email = typed.toLowerCase()
  await started.call(api.createMember, { body: { email: typed, password } })
  const mail = (await started.mailsTo(email)).find(({ kind }) => kind === 'activation')!
  const code = new URL(/https?:\S+activate\S+/.exec(mail.text)![0]).searchParams.get('code')!
  await started.call(api.activateMember, { params: { email, code } })
  const session = await resetThroughMailbox(started, email, 'another long password')
  expect(session.isWriteAccessAdmin).toBe(isGranted)
})

test('an address of ADMIN_EMAILS that a member changes to gets the rights by a reset, once', async () => {
  const started = await startApi({ ADMIN_EMAILS: `${boss},chief@example.org` })
  const other = await aSignedInMember(started, { is_write_access_admin: true })
  const member = await aSignedInMember(started)
  const { call, mailsTo } = started
  for (const [email, isGranted] of [
    [boss, true],
    [anEmail(), false],
    [boss, false],
  ] as const) {
    const current = await started.services.db
      .selectFrom('member')
      .select('email')
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow()
    const { token } = await resetThroughMailbox(started, current.email, 'a long password')
    await call(api.updateMember, { body: { id: member.id, email } }, { token })
    const [, code] = /\n([A-Za-z0-9-]{8,})\n/.exec((await mailsTo(email)).at(-1)!.text)!
    expect((await call(api.confirmEmail, { body: { code: code! } }, { token })).status).toBe(200)
    const session = await resetThroughMailbox(started, email, 'a long password')
    expect([email, session.isWriteAccessAdmin]).toEqual([email, isGranted])
    await withdraw(started, other.token, member.id)
  }
})

test('the link that grants the rights is emailed again on request, until they are granted', async () => {
  const started = await startApi({ ADMIN_EMAILS: boss })
  const member = await aMember(started, { email: boss })
  const other = await aMember(started)
  const status = async (token: string) => (await started.call(api.readAdministratorLink, {}, { token })).body
  const send = (token: string) => started.call(api.sendAdministratorLink, { body: null }, { token })
  const links = async () =>
    (await started.mailsTo(boss)).filter(({ kind }) => kind === 'administrator-password')
  expect(await status(member.token)).toEqual({ isWaiting: true, isSent: true })
  expect(await status(other.token)).toEqual({ isWaiting: false, isSent: false })
  expect((await send(other.token)).body).toEqual({ sent: false })
  await started.services.db.deleteFrom('reset_code').execute()
  expect(await status(member.token)).toEqual({ isWaiting: true, isSent: false })
  expect((await send(member.token)).body).toEqual({ sent: true })
  expect(await status(member.token)).toEqual({ isWaiting: true, isSent: true })
  expect(await links()).toHaveLength(2)
  // Repeated clicks do not fill the mailbox.
  const codes = []
  for (let n = 0; n < 5; n += 1) codes.push((await send(member.token)).problem?.code)
  expect(codes.at(-1)).toBe('rate_limited')

  const [, id, pwdresetcode] = /choose-password\/([^/\s]+)\/(\S+)/.exec((await links())[1]!.text)!
  const body = { id: id!, pwdresetcode: pwdresetcode!, passwd: 'first long password' }
  expect((await started.call(api.executePasswordReset, { body })).status).toBe(200)
  const { session } = await signInAs(started, boss, 'first long password', '192.0.2.1')
  expect(session.isWriteAccessAdmin).toBe(true)
  expect(await status(session.token)).toEqual({ isWaiting: false, isSent: false })
  expect((await send(session.token)).body).toEqual({ sent: false })
})
