import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { randomSecret } from '../../../platform/keys.ts'
import { stagedPhotoAge } from '../kyc.rules.ts'
import { anApplicant, aPicture, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db } = services

const make = async (by: TestMember, room = 8) =>
  call(api.createHandoff, { body: { room } }, { token: by.token })
const look = async (by: TestMember) => (await call(api.getHandoff, {}, { token: by.token })).body
const end = (by: TestMember) => call(api.endHandoff, { body: null }, { token: by.token })
const open = (link: string, secret: string, ip = '192.0.2.50', agent = '') =>
  call(api.openHandoff, { body: { link, secret } }, { ip, headers: { 'user-agent': agent } })
const send = async (phoneSecret: string, photo?: string) =>
  call(api.stageHandoffPhoto, { body: { photo: photo ?? (await aPicture()) }, phoneSecret })
const drop = (phoneSecret: string, id: string) =>
  call(api.deleteHandoffPhoto, { params: { id }, phoneSecret })
const close = (phoneSecret: string) => call(api.closeHandoff, { body: null, phoneSecret })

/** Returns a member whose device link a phone has opened. */
async function handedOver(room = 8) {
  const member = await aSignedInMember(started)
  const { link } = (await make(member, room)).body
  const secret = randomSecret(32)
  expect((await open(link, secret)).status).toBe(200)
  return { member, link, secret }
}

const actionsOf = async (member: TestMember) => {
  const rows = await db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id', 'detail'])
    .where('subject_id', '=', member.id)
    .where('action', 'like', 'kyc-handoff-%')
    .orderBy('id')
    .execute()
  return rows.map(({ action, actor_id, detail }) => [
    action.replace('kyc-handoff-', ''),
    actor_id === member.id ? 'member' : actor_id,
    detail,
  ])
}

const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1'

test('a phone’s photos are in the application of the member who created the link', async () => {
  const member = await aSignedInMember(started)
  expect(await look(member)).toMatchObject({ state: 'none', photos: [] })
  const { link, expiresAt } = (await make(member)).body
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(14 * MINUTE)
  expect(await look(member)).toMatchObject({ state: 'waiting', openedAt: null, photos: [] })

  const secret = randomSecret(32)
  const opened = await open(link, secret, '192.0.2.51', agent)
  expect(opened.body).toEqual({ expiresAt: expect.any(String), room: 8, received: 0 })
  const first = (await send(secret)).body
  const second = (await send(secret, await aPicture('png'))).body
  const seen = await look(member)
  expect(seen).toMatchObject({ state: 'open', openedAt: expect.any(String), device: 'Safari · iOS' })
  expect(seen.photos.map(({ id }) => id)).toEqual([first.id, second.id])

  // Only the member can see the picture.
  const see = (by: TestMember) =>
    call(api.getStagedKycPhoto, { params: { id: first.id } }, { token: by.token })
  expect((await see(member)).headers['content-type']).toBe('image/jpeg')
  expect((await see(await aSignedInMember(started))).status).toBe(404)

  const body = { ...anApplicant(member.email), photoUrls: seen.photos.map(({ id }) => `staged:${id}`) }
  const handedIn = await call(api.createKyc, { body }, { token: member.token })
  expect(handedIn.body.photoCount).toBe(2)
  expect(await look(member)).toMatchObject({ state: 'ended', photos: [] })
  expect((await send(secret)).problem.code).toBe('session_expired')
  expect((await make(member)).problem.code).toBe('conflict')
  expect(await actionsOf(member)).toEqual([
    ['made', 'member', {}],
    ['opened', null, {}],
    ['ended', 'member', { by: 'application' }],
  ])
})

describe('a link', () => {
  test('is bound to the first browser, which may open it again', async () => {
    const { link, secret, member } = await handedOver()
    expect((await open(link, randomSecret(32))).problem.code).toBe('not_found')
    await send(secret)
    expect((await open(link, secret)).body).toMatchObject({ received: 1 })
    expect((await actionsOf(member)).length).toBe(2)
  })

  test('is assigned to one of many browsers that open it at once', async () => {
    const member = await aSignedInMember(started)
    const { link } = (await make(member)).body
    const secrets = Array.from({ length: 8 }, () => randomSecret(32))
    const answers = await Promise.all(secrets.map((secret) => open(link, secret)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(404)])
    const sent = await Promise.all(secrets.map((secret) => send(secret)))
    expect(sent.map(({ status }) => status)).toEqual(
      answers.map(({ status }) => (status === 200 ? 201 : 401)),
    )
  })

  test('expires unopened after fifteen minutes, and so does a phone', async () => {
    const age = (member: TestMember) =>
      db
        .updateTable('phone_handoff')
        .set({ expires_at: new Date(Date.now() - 1000) })
        .where('member_id', '=', member.id)
        .execute()
    const member = await aSignedInMember(started)
    const { link } = (await make(member)).body
    await age(member)
    expect((await open(link, randomSecret(32))).problem.code).toBe('not_found')
    const other = await handedOver()
    await age(other.member)
    expect((await send(other.secret)).problem.code).toBe('session_expired')
    expect((await open(other.link, other.secret)).problem.code).toBe('not_found')
    expect(await look(other.member)).toMatchObject({ state: 'ended' })
  })

  test('allows thirty guesses per client, and a correct one is not counted', async () => {
    const { link, secret } = await handedOver()
    for (let n = 0; n < 30; n += 1) {
      expect((await open(randomSecret(32), randomSecret(32), '192.0.2.60')).status).toBe(404)
      expect((await open(link, secret, '192.0.2.61')).status).toBe(200)
    }
    expect((await open(randomSecret(32), secret, '192.0.2.60')).problem.code).toBe('rate_limited')
  })

  test('rejects a secret that belongs to another phone', async () => {
    const { secret } = await handedOver()
    const { link } = (await make(await aSignedInMember(started))).body
    expect((await open(link, secret)).problem.code).toBe('not_found')
    expect((await open(link, randomSecret(32))).status).toBe(200)
  })

  test('is created for one window after the other, and the last one works', async () => {
    const member = await aSignedInMember(started)
    const made = await Promise.all(Array.from({ length: 8 }, () => make(member)))
    expect(made.map(({ status }) => status)).toEqual(Array<number>(8).fill(201))
    const opened = await Promise.all(
      made.map(({ body }, n) => open(body.link, randomSecret(32), `192.0.2.${70 + n}`)),
    )
    expect(opened.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(404)])
  })

  test('and its secret are stored as hashes', async () => {
    const { link, secret, member } = await handedOver()
    const row = await db
      .selectFrom('phone_handoff')
      .selectAll()
      .where('member_id', '=', member.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(link)
    expect(JSON.stringify(row)).not.toContain(secret)
  })
})

describe('a phone', () => {
  test('without a secret, or with the link instead, is rejected', async () => {
    const { link } = await handedOver()
    const body = { photo: await aPicture() }
    expect((await call(api.stageHandoffPhoto, { body })).problem.code).toBe('unauthenticated')
    expect((await send(link)).problem.code).toBe('session_expired')
  })

  test('is checked before anything large is read', async () => {
    const answer = await started.send({
      method: 'POST',
      url: '/v2/kyc/handoff/photos',
      headers: { 'x-app-id': services.config.appId, 'content-type': 'application/json' },
      payload: `{"photo":"${'x'.repeat(16_000_000)}"}`,
    })
    expect(answer.statusCode).toBe(401)
  })

  test('can access nothing else with its secret', async () => {
    const { secret, member } = await handedOver()
    const { body: photo } = await send(secret)
    const tries = await Promise.all([
      call(api.getHandoff, {}, { token: secret, headers: { 'x-phone-secret': secret } }),
      call(api.getStagedKycPhoto, { params: { id: photo.id } }, { headers: { 'x-phone-secret': secret } }),
      call(api.listKycOfMember, { body: { memberId: member.id } }, { headers: { 'x-phone-secret': secret } }),
      call(api.createKyc, {
        body: { ...anApplicant(member.email), photoUrls: [`staged:${photo.id}`] },
        phoneSecret: secret,
      }),
    ])
    expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  })

  test('can delete what it sent itself, but nothing from the computer or another phone', async () => {
    const { secret, member } = await handedOver()
    const body = { photo: await aPicture() }
    const byComputer = await call(api.stageKycPhoto, { body }, { token: member.token })
    const byOther = await send((await handedOver()).secret)
    expect((await drop(secret, byComputer.body.id)).status).toBe(404)
    expect((await drop(secret, byOther.body.id)).status).toBe(404)
    const own = await send(secret)
    expect((await drop(secret, own.body.id)).body).toEqual({ dropped: true })
    expect((await look(member)).photos).toEqual([])
  })

  test('sends as many photos as the form allows, even concurrently', async () => {
    const { secret, member } = await handedOver(2)
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send(secret)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 400, 400, 400])
    expect((await send(secret)).problem.errors).toEqual([
      expect.objectContaining({ path: 'photo', code: 'too_many' }),
    ])
    const [first] = (await look(member)).photos
    await call(api.deleteKycPhoto, { params: { id: first!.id } }, { token: member.token })
    expect((await send(secret)).status).toBe(201)
  })

  test('can only send pictures', async () => {
    const { secret } = await handedOver()
    expect((await send(secret, 'data:image/png;base64,AAAA')).problem.code).toBe('validation_failed')
  })
})

describe('the link ends', () => {
  test.each([
    ['by the phone', ({ secret }: Awaited<ReturnType<typeof handedOver>>) => close(secret), 'phone'],
    ['by the computer', ({ member }: Awaited<ReturnType<typeof handedOver>>) => end(member), 'computer'],
    ['by another one', ({ member }: Awaited<ReturnType<typeof handedOver>>) => make(member), 'computer'],
  ])('%s; what was sent stays', async (_, finish, by) => {
    const made = await handedOver()
    const { body: photo } = await send(made.secret)
    expect((await finish(made)).status).toBeLessThan(300)
    expect((await send(made.secret)).problem.code).toBe('session_expired')
    expect((await open(made.link, made.secret)).status).toBe(404)
    expect((await actionsOf(made.member))[2]).toEqual(['ended', by === 'phone' ? null : 'member', { by }])
    const seen = await call(api.getStagedKycPhoto, { params: { id: photo.id } }, { token: made.member.token })
    expect(seen.status).toBe(200)
  })

  test('with the session that created it', async () => {
    const { member, secret } = await handedOver()
    const carried = { cookies: member.cookies, headers: { 'x-xsrf-token': member.cookies['XSRF-TOKEN']! } }
    expect((await call(api.signOut, { body: null }, carried)).status).toBe(200)
    expect((await send(secret)).problem.code).toBe('session_expired')
  })

  test('and is deleted with the pending photos', async () => {
    const { member } = await handedOver()
    const there = async () =>
      (await db.selectFrom('phone_handoff').select('id').where('member_id', '=', member.id).execute()).length
    await cleanUp(services)
    expect(await there()).toBe(1)
    await db
      .updateTable('phone_handoff')
      .set({ expires_at: new Date(Date.now() - stagedPhotoAge - 1000) })
      .where('member_id', '=', member.id)
      .execute()
    await cleanUp(services)
    expect(await there()).toBe(0)
  })
})
