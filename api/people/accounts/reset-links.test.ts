import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aMember, anEmail, aSignedInMember, signInAs, signUp, type TestMember } from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'

const newPassword = 'chosen in the mailbox'
const fromElsewhere = { ip: '192.0.2.200' }

async function askForLink(started: TestApi, email: string) {
  await started.call(api.requestPasswordReset, { body: { email } }, fromElsewhere)
  const mail = (await started.mailsTo(email)).findLast(({ kind }) => kind === 'password-reset')!
  const [, id, pwdresetcode] = /change-password\/([^/\s]+)\/(\S+)/.exec(mail.text)!
  return { id: id!, pwdresetcode: pwdresetcode! }
}
const reset = (
  { call }: TestApi,
  link: { id: string; pwdresetcode: string },
  options: { ip?: string } = {},
) => call(api.executePasswordReset, { body: { ...link, passwd: newPassword } }, options)
const change = ({ call }: TestApi, { token }: TestMember, current: string, passwd: string) =>
  call(api.changePassword, { body: { current, passwd } }, { token })

test('knowing the password invalidates no emailed link', async () => {
  const started = await startApi()
  const member = await aMember(started)
  const link = await askForLink(started, member.email)
  expect((await change(started, member, member.password, 'of the thief now')).status).toBe(200)
  expect((await started.call(api.checkPasswordReset, { body: link })).status).toBe(200)
  expect((await reset(started, link)).status).toBe(200)
  await signInAs(started, member.email, newPassword, member.ip)
  expect((await started.call(api.listSessions, {}, { token: member.token })).status).toBe(401)
})

test('limits changes of the password, including correct ones', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  const statuses: number[] = []
  for (let n = 0; n < 11; n += 1)
    statuses.push((await change(started, member, member.password, member.password)).status)
  expect(statuses).toEqual([...Array<number>(10).fill(200), 429])
})

test('counts wrong codes, and accepts a correct one from the same client', async () => {
  const started = await startApi()
  const [member, other] = [await aSignedInMember(started), await aSignedInMember(started)]
  const links = [await askForLink(started, member.email), await askForLink(started, other.email)]
  const client = { ip: '198.51.100.7' }
  const wrong = { id: member.id, pwdresetcode: 'wrong' }
  const hashed = started.services.passwords.hash
  let hashes = 0
  started.services.passwords.hash = (...given) => {
    hashes += 1
    return hashed(...given)
  }
  const codes: string[] = []
  try {
    for (let n = 0; n < 16; n += 1) {
      codes.push((await reset(started, wrong, client)).problem.code)
      codes.push((await started.call(api.checkPasswordReset, { body: wrong }, client)).problem.code)
    }
    expect(codes).toEqual([
      ...Array<string>(30).fill('reset_code_invalid'),
      ...Array<string>(2).fill('rate_limited'),
    ])
    // A reset without a valid code costs no hash.
    expect(hashes).toBe(0)
    for (const link of links) {
      expect((await started.call(api.checkPasswordReset, { body: link }, client)).status).toBe(200)
      expect((await reset(started, link, client)).status).toBe(200)
    }
    expect((await reset(started, links[0]!, client)).problem.code).toBe('rate_limited')
  } finally {
    started.services.passwords.hash = hashed
  }
})

test('counts wrong activation codes, and accepts a correct one from the same client', async () => {
  const started = await startApi()
  const email = anEmail()
  const { code } = await signUp(started, email)
  const client = { ip: '198.51.100.8' }
  const activate = (given: string) =>
    started.call(api.activateMember, { params: { email, code: given } }, client)
  for (let n = 0; n < 30; n += 1) expect((await activate('wrong')).body).toBe(false)
  expect((await activate('wrong')).problem.code).toBe('rate_limited')
  expect((await activate(code)).body).toBe(true)
  expect((await activate(code)).body).toBe(true)
})

test('a link opens nothing if the account is erased while it is used', async () => {
  const started = await startApi()
  for (let round = 0; round < 4; round += 1) {
    const member = await aSignedInMember(started)
    const link = await askForLink(started, member.email)
    const erase = () =>
      started.call(api.eraseMember, { body: { current: member.password } }, { token: member.token })
    const [first, second] =
      round % 2 === 0 ? [erase, () => reset(started, link)] : [() => reset(started, link), erase]
    const answers = await Promise.all([first(), second()])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    const { password_hash, active, erased_at } = await started.services.db
      .selectFrom('member')
      .select(['password_hash', 'active', 'erased_at'])
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow()
    expect([password_hash === null, active]).toEqual([erased_at !== null, erased_at === null])
  }
})

test('invalidates a link requested before or during a change of address once the address changes', async () => {
  const started = await startApi()
  const { call, mailsTo } = started
  for (const isMeanwhile of [false, true]) {
    const member = await aSignedInMember(started)
    const email = anEmail()
    await call(api.updateMember, { body: { id: member.id, email } }, { token: member.token })
    const [, code] = /\n([A-Za-z0-9-]{8,})\n/.exec((await mailsTo(email)).at(-1)!.text)!
    const confirm = () => call(api.confirmEmail, { body: { code: code! } }, { token: member.token })
    const [link] = isMeanwhile
      ? await Promise.all([askForLink(started, member.email).catch(() => undefined), confirm()])
      : [await askForLink(started, member.email), await confirm()]
    if (link) expect((await reset(started, link)).problem.code).toBe('reset_code_invalid')
    expect((await reset(started, await askForLink(started, email))).status).toBe(200)
  }
})
