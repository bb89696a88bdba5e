import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY, SECOND } from '#contract/platform/durations.ts'
import { aMember, anEmail, goodPassword, type TestMember } from '#tests/builders.ts'
import { aMemberWithPasskey } from '#tests/passkey-device.ts'
import { startApi, type CallOptions, type TestApi } from '#tests/setup/start-api.ts'
import { addTotp, nextCode } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)

const deviceOf = ({ cookies }: Pick<TestMember, 'cookies'>) => ({ device: cookies['device']! })

const signIn = (
  on: TestApi,
  email: string,
  options: CallOptions,
  password = goodPassword,
  secondFactor?: string,
) => on.call(api.signIn, { body: { email, password, ...(secondFactor && { secondFactor }) } }, options)

/** Strangers at the same address, as behind a proxy missing in TRUST_PROXY. */
async function exhaust(on: TestApi, ip: string, email?: string, count = 10) {
  for (let n = 0; n < count; n += 1) await signIn(on, email ?? anEmail(), { ip }, 'wrong')
}

/** A hundred wrong passwords in a day, from as many networks. */
async function exhaustAccount(on: TestApi, email: string) {
  for (let n = 0; n < 100; n += 1) await signIn(on, email, { ip: `198.51.100.${n}` }, 'wrong')
}

async function resetPassword(on: TestApi, { email }: TestMember, options: CallOptions) {
  await on.call(api.requestPasswordReset, { body: { email } }, options)
  const mail = (await on.mailsTo(email)).findLast(({ kind }) => kind === 'password-reset')!
  const [, id = '', pwdresetcode = ''] = /change-password\/([^/\s]+)\/(\S+)/.exec(mail.text)!
  const body = { id, pwdresetcode, passwd: 'another good password' }
  return on.call(api.executePasswordReset, { body }, options)
}

test('failures of others at the same address do not block a known device', async () => {
  const member = await aMember(started)
  await exhaust(started, member.ip, member.email)
  expect((await signIn(started, member.email, { ip: member.ip })).status).toBe(429)
  const known = { ip: member.ip, cookies: deviceOf(member) }
  expect((await signIn(started, member.email, known)).status).toBe(200)
})

test('nor do fifty failures over many accounts, with password and second factor or by passkey', async () => {
  const { member, device } = await aMemberWithPasskey(started)
  const { totp } = await addTotp(started, member)
  await exhaust(started, member.ip, undefined, 50)
  const code = nextCode(totp)
  const known = { ip: member.ip, cookies: deviceOf(member) }
  expect((await signIn(started, member.email, { ip: member.ip }, goodPassword, code)).status).toBe(429)
  expect((await signIn(started, member.email, known, goodPassword, code)).status).toBe(200)
  const { body: options } = await started.call(api.beginPasskeySignIn, { body: null })
  const credential = device.sign(options)
  const byPasskey = (given: CallOptions) =>
    started.call(api.finishPasskeySignIn, { body: { credential } }, given)
  expect((await byPasskey({ ip: member.ip })).status).toBe(429)
  expect((await byPasskey(known)).status).toBe(200)
})

test('nor do a hundred strangers who start with a passkey there', async () => {
  const { member, device } = await aMemberWithPasskey(started)
  const begin = (options: CallOptions) => started.call(api.beginPasskeySignIn, { body: null }, options)
  for (let n = 0; n < 100; n += 1) await begin({ ip: member.ip })
  const refused = await begin({ ip: member.ip })
  expect(refused).toMatchObject({ status: 429, problem: { code: 'rate_limited' } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const known = { ip: member.ip, cookies: deviceOf(member) }
  const begun = await begin(known)
  expect(begun.status).toBe(200)
  const credential = device.sign(begun.body)
  expect((await started.call(api.finishPasskeySignIn, { body: { credential } }, known)).status).toBe(200)
})

test('a known device has ten failures of its own, and another account’s device none', async () => {
  const [member, other] = [await aMember(started), await aMember(started)]
  const known = { ip: '192.0.2.1', cookies: deviceOf(member) }
  for (let n = 0; n < 10; n += 1)
    expect((await signIn(started, member.email, known, 'wrong')).status).toBe(401)
  expect((await signIn(started, member.email, known)).status).toBe(429)
  await exhaust(started, '192.0.2.2', member.email)
  const foreign = { ip: '192.0.2.2', cookies: deviceOf(other) }
  expect((await signIn(started, member.email, foreign)).status).toBe(429)
  const invented = { ip: '192.0.2.2', cookies: { device: 'made-up' } }
  expect((await signIn(started, member.email, invented)).status).toBe(429)
})

test('a hundred wrong passwords of strangers block neither a known device elsewhere nor the owner of the mailbox', async () => {
  const member = await aMember(started)
  await exhaustAccount(started, member.email)
  const elsewhere = '203.0.113.7'
  expect((await signIn(started, member.email, { ip: elsewhere })).status).toBe(429)
  expect((await signIn(started, member.email, { ip: elsewhere, cookies: deviceOf(member) })).status).toBe(200)
  const reset = await resetPassword(started, member, { ip: elsewhere })
  expect(reset.status).toBe(200)
  const here = { ip: elsewhere, cookies: deviceOf(reset) }
  expect((await signIn(started, member.email, here, 'another good password')).status).toBe(200)
  expect((await signIn(started, member.email, { ip: elsewhere }, 'another good password')).status).toBe(200)
})

test('two members can share a known browser', async () => {
  const [one, two] = [await aMember(started), await aMember(started)]
  const second = await signIn(started, two.email, { ip: '192.0.2.3', cookies: deviceOf(one) })
  expect(second.cookies['device']).toBe(one.cookies['device'])
  await exhaust(started, '192.0.2.3', undefined, 50)
  for (const { email } of [one, two]) {
    const known = { ip: '192.0.2.3', cookies: deviceOf(one) }
    expect((await signIn(started, email, known)).status).toBe(200)
  }
})

test.each(['a change of password', 'a reset', 'an erasure'])(
  '%s removes every other known device',
  async (by) => {
    const own = await startApi()
    const member = await aMember(own)
    const laptop = await signIn(own, member.email, { ip: member.ip })
    expect(laptop.cookies['device']).not.toBe(member.cookies['device'])
    if (by === 'a change of password')
      await own.call(
        api.changePassword,
        { body: { current: goodPassword, passwd: 'another good password' } },
        { token: laptop.body.token, cookies: deviceOf(laptop) },
      )
    else if (by === 'a reset') await resetPassword(own, member, { ip: '203.0.113.8' })
    else await own.call(api.eraseMember, { body: { current: goodPassword } }, { token: laptop.body.token })
    const kept = await own.services.db.selectFrom('known_device').selectAll().execute()
    expect(kept).toHaveLength(by === 'an erasure' ? 0 : 1)
    await exhaust(own, '192.0.2.4', member.email)
    const old = { ip: '192.0.2.4', cookies: deviceOf(member) }
    expect((await signIn(own, member.email, old, 'another good password')).status).toBe(429)
  },
)

test('the cookie of a device is hidden from scripts, and the database holds its hash only', async () => {
  const own = await startApi({ PUBLIC_URL: 'https://coin.example' })
  const member = await aMember(own)
  const { headers } = await signIn(own, member.email, { ip: member.ip })
  const set = (headers['set-cookie'] as string[]).find((cookie) => cookie.startsWith('__Host-device='))!
  expect(set).toMatch(/Path=\/; HttpOnly; Secure; SameSite=Lax/)
  const [, token = ''] = /^__Host-device=([^;]+)/.exec(set)!
  const rows = await own.services.db.selectFrom('known_device').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('a flood of anonymous sign-ins delays neither a known device nor an open session', async () => {
  const member = await aMember(started)
  let isOver = false
  let refused = 0
  // Each finished attempt is replaced at once.
  const flood = async (): Promise<void> => {
    while (!isOver)
      await started.services.passwords.verify(undefined, 'wrong').catch(async (error: unknown) => {
        expect(error).toMatchObject({ code: 'unavailable' })
        refused += 1
        await new Promise((resolve) => setImmediate(resolve))
      })
  }
  const floods = Array.from({ length: 60 }, flood)
  const at = { ip: member.ip, cookies: deviceOf(member) }
  const password = { body: { password: goodPassword } }
  const [known, proved] = await Promise.all([
    signIn(started, member.email, at),
    started.call(api.stepUp, password, { token: member.token }),
  ])
  isOver = true
  await Promise.all(floods)
  expect(refused).toBeGreaterThan(0)
  expect([known.status, proved.status]).toEqual([200, 200])
})

test('a reset allows sign-in, even without cookies, from the network where it was done', async () => {
  const member = await aMember(started)
  await exhaustAccount(started, member.email)
  const [here, there] = [{ ip: '203.0.113.5' }, { ip: '203.0.113.6' }]
  expect((await signIn(started, member.email, here)).status).toBe(429)
  expect((await resetPassword(started, member, here)).status).toBe(200)
  expect((await signIn(started, member.email, here, 'another good password')).status).toBe(200)
  expect((await signIn(started, member.email, there, 'another good password')).status).toBe(429)
})

test('a reset is not a sign-in: the first one afterwards triggers no email', async () => {
  const member = await aMember(started)
  await started.services.db.deleteFrom('member_client').execute()
  const here = { ip: '203.0.113.5' }
  await resetPassword(started, member, here)
  expect((await signIn(started, member.email, here, 'another good password')).status).toBe(200)
  const kinds = (await started.mailsTo(member.email)).map(({ kind }) => kind)
  expect(kinds).not.toContain('new-sign-in')
})

describe('after strangers used up the attempts of an account', () => {
  const wrongs = async ({ services: { db, keys } }: TestApi, email: string, count: number) => {
    const resets_at = new Date(Date.now() + DAY)
    await db
      .insertInto('throttle')
      .values({ key_hash: keys.blind(`sign-in ${email}`), count, resets_at })
      .onConflict((conflict) => conflict.column('key_hash').doUpdateSet({ count, resets_at }))
      .execute()
  }
  const told = ({ status, problem, headers, cookies }: Awaited<ReturnType<typeof signIn>>) => {
    const waits = Math.abs(Number(headers['retry-after']) - DAY / SECOND) < 120
    return { status, waits, cookies, code: problem.code, isClosed: 'isClosed' in problem }
  }

  test("a wrong password gets the same refusal from the member's network and from elsewhere", async () => {
    const [member, closed] = [await aMember(started), await aMember(started)]
    await started.services.db
      .updateTable('member')
      .set({ active: false, closed_at: new Date() })
      .where('id', '=', closed.id)
      .execute()
    const chosen = { body: { email: member.email, password: 'of a stranger' } }
    await started.call(api.createMember, chosen, { ip: '203.0.113.9' })
    const emails = [member.email, closed.email, anEmail()]
    for (const email of emails) await wrongs(started, email, 100)
    const elsewhere = { ip: '203.0.113.8' }
    const refused = told(await signIn(started, anEmail(), elsewhere, 'wrong'))
    expect(refused.status).toBe(401)
    for (const password of ['wrong', 'of a stranger']) {
      const there = told(await signIn(started, member.email, elsewhere, password))
      expect(there).toMatchObject({ status: 429, waits: true })
      expect(told(await signIn(started, member.email, { ip: member.ip }, password))).toEqual(there)
      expect(told(await signIn(started, closed.email, { ip: closed.ip }, password))).toEqual(there)
      expect(told(await signIn(started, emails[2]!, elsewhere, password))).toEqual(there)
    }
    expect((await signIn(started, member.email, { ip: member.ip })).status).toBe(200)
    const own = await signIn(started, closed.email, { ip: closed.ip })
    expect(own.problem).toMatchObject({ code: 'member_inactive', isClosed: true })
  })

  test('a wrong password from there counts like one from elsewhere', async () => {
    const member = await aMember(started)
    await wrongs(started, member.email, 99)
    expect((await signIn(started, member.email, { ip: member.ip }, 'wrong')).status).toBe(401)
    expect((await signIn(started, member.email, { ip: '203.0.113.8' }, 'wrong')).status).toBe(429)
  })

  test('a refusal there takes as long as elsewhere, and correct passwords refund all attempts', async () => {
    const member = await aMember(started)
    await wrongs(started, member.email, 100)
    let hashes = 0
    const { passwords } = started.services
    const verifyEach = passwords.verifyEach
    passwords.verifyEach = (...given) => {
      hashes += 1
      return verifyEach(...given)
    }
    for (const ip of [member.ip, '203.0.113.8']) {
      hashes = 0
      await signIn(started, member.email, { ip }, 'wrong')
      expect(hashes).toBe(1)
    }
    passwords.verifyEach = verifyEach
    for (let n = 0; n < 12; n += 1)
      expect((await signIn(started, member.email, { ip: member.ip })).status).toBe(200)
  })
})
