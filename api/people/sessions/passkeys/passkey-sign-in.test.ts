import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aMember } from '#tests/builders.ts'
import { aMemberWithPasskey, aPasskeyDevice, signInWith, type PasskeyDevice } from '#tests/passkey-device.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { newChallenge, requestWith } from './challenge.ts'
import { insertPasskey } from './passkey.queries.ts'

test('a passkey signs in without address and password, to the same session as a password', async () => {
  const started = await startApi()
  const { member, device } = await aMemberWithPasskey(started)
  const answer = await signInWith(started, device)
  expect(answer).toMatchObject({
    status: 200,
    body: { id: member.id, email: member.email, hasSecondFactor: true, kyc: member.session.kyc },
  })
  expect(Object.keys(answer.body).sort()).toEqual(Object.keys(member.session).sort())
  expect(Object.keys(answer.cookies)).toEqual(Object.keys(member.cookies))
  const own = await started.call(api.listPasskeys, {}, { token: answer.body.token })
  expect(own.body).toMatchObject([{ lastUsedAt: expect.any(String) }])
  const restored = await started.call(
    api.restoreSession,
    { body: null },
    { cookies: answer.cookies, headers: { 'x-xsrf-token': answer.cookies['XSRF-TOKEN']! } },
  )
  expect(restored.status).toBe(200)
})

test('the browser gets the same options for everyone, and only created passkeys require user verification', async () => {
  const started = await startApi()
  const { member } = await aMemberWithPasskey(started)
  const asked = await started.call(api.beginPasskeySignIn, { body: null })
  expect(asked.body).toEqual({
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    rpId: 'localhost',
    timeout: 300_000,
    userVerification: 'required',
  })
  const making = await started.call(api.beginPasskey, { body: null }, { token: member.token })
  expect(making.body).toMatchObject({
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [{ type: 'public-key' }],
    user: { id: Buffer.from(member.id).toString('base64url'), name: member.email },
  })
})

test.for([
  ['another origin', { origin: 'https://evil.example' }],
  ['another host', { rpId: 'evil.example' }],
  ['a user who was not verified', { isUnverified: true }],
  ['a count that does not grow', { signCount: 1 }],
] as const)('%s is refused, and the correct answer after it is not', async ([, flaws]) => {
  const started = await startApi()
  const { device } = await aMemberWithPasskey(started)
  expect((await signInWith(started, device)).status).toBe(200)
  expect(await signInWith(started, device, flaws)).toMatchObject({
    status: 401,
    problem: { code: 'passkey_invalid' },
  })
  expect((await signInWith(started, device, { signCount: 9 })).status).toBe(200)
})

test('accepts a device without a counter every time', async () => {
  const started = await startApi()
  const member = await aMember(started)
  const device = aPasskeyDevice(member.id)
  await insertPasskey(started.services.db, {
    memberId: member.id,
    credentialId: device.credentialId,
    publicKey: device.publicKey,
    signCount: 0,
    transports: [],
    name: 'Phone',
    synced: true,
  })
  for (let n = 0; n < 3; n += 1)
    expect((await signInWith(started, device, { signCount: 0 })).status).toBe(200)
})

test('a challenge works once, for its purpose, for five minutes, and is stored as a hash', async () => {
  const started = await startApi()
  const { db, config } = started.services
  const { member, device } = await aMemberWithPasskey(started)
  const { body: options } = await started.call(api.beginPasskeySignIn, { body: null })
  const rows = await db.selectFrom('passkey_challenge').select('challenge_hash').execute()
  expect(rows).not.toHaveLength(0)
  expect(rows.map((row) => row.challenge_hash)).not.toContain(options.challenge)

  const finish = (credential: ReturnType<PasskeyDevice['sign']>) =>
    started.call(api.finishPasskeySignIn, { body: { credential } })
  const right = device.sign(options)
  expect((await finish(right)).status).toBe(200)
  expect((await finish(right)).problem.code).toBe('passkey_invalid')
  expect((await finish(device.sign(options))).problem.code).toBe('passkey_invalid')

  for (const purpose of ['second_factor', 'step_up', 'create'] as const) {
    const other = requestWith(config, await newChallenge(db, purpose, member.id))
    expect((await finish(device.sign(other))).problem.code).toBe('passkey_invalid')
  }

  const { body: late } = await started.call(api.beginPasskeySignIn, { body: null })
  const inFiveMinutes = await db
    .selectFrom('passkey_challenge')
    .select('expires_at')
    .where('member_id', 'is', null)
    .executeTakeFirstOrThrow()
  expect(inFiveMinutes.expires_at.getTime() - Date.now()).toBeLessThanOrEqual(300_000)
  await db
    .updateTable('passkey_challenge')
    .set({ expires_at: new Date(Date.now() - 1) })
    .execute()
  expect((await finish(device.sign(late))).problem.code).toBe('passkey_invalid')
})

test('of ten concurrent answers to one challenge one is accepted', async () => {
  const started = await startApi()
  const { device } = await aMemberWithPasskey(started)
  const { body: options } = await started.call(api.beginPasskeySignIn, { body: null })
  const credential = device.sign(options)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => started.call(api.finishPasskeySignIn, { body: { credential } })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('an unknown passkey and a forged one get the same answer', async () => {
  const started = await startApi()
  const { member, device } = await aMemberWithPasskey(started)
  const unknown = await signInWith(started, aPasskeyDevice(member.id))
  const { body: options } = await started.call(api.beginPasskeySignIn, { body: null })
  const forged = {
    ...aPasskeyDevice(member.id).sign(options),
    id: device.credentialId,
    rawId: device.credentialId,
  }
  const answer = await started.call(api.finishPasskeySignIn, { body: { credential: forged } })
  expect(answer.problem).toEqual(unknown.problem)
  expect(answer.status).toBe(401)
})

test('reports an inactive account only after the correct passkey', async () => {
  const started = await startApi()
  const { member, device } = await aMemberWithPasskey(started)
  await started.services.db.updateTable('member').set({ active: false }).where('id', '=', member.id).execute()
  expect((await signInWith(started, device, { isUnverified: true })).problem.code).toBe('passkey_invalid')
  expect(await signInWith(started, device)).toMatchObject({
    status: 403,
    problem: { code: 'member_inactive' },
  })
})

test('fifty failures of one client block it, even with the correct passkey', async () => {
  const started = await startApi()
  const { device } = await aMemberWithPasskey(started)
  const { body: options } = await started.call(api.beginPasskeySignIn, { body: null })
  const spent = device.sign(options)
  const finish = () =>
    started.call(api.finishPasskeySignIn, { body: { credential: spent } }, { ip: '203.0.113.9' })
  expect((await finish()).status).toBe(200)
  for (let n = 0; n < 50; n += 1) expect((await finish()).status).toBe(401)
  expect((await finish()).problem.code).toBe('rate_limited')
})
