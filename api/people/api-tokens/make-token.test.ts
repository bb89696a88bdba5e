import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { tokensMax } from '#contract/people/api-tokens.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { DAY } from '#contract/platform/durations.ts'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { aToken, by, noLevels } from '#tests/api-tokens.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { addTotp, as, letProofAge } from '#tests/step-up.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { isSecret, newSecret } from './secret.ts'
import { warnOfEnd } from './api-tokens.ts'

const started = await startApi({}, afterAll)
const { db } = started.services
const body = { name: 'Sample export', levels: { ...noLevels, news: 1 as const } }
const anEditor = () => aSignedInMember(started, { manage_news: 2 })
const make = (member: TestMember, given: object = {}) =>
  started.call(api.createApiToken, { body: { ...body, ...given } }, as(member))
const list = (member: TestMember, query = {}) => started.call(api.listApiTokens, { query }, as(member))
const reads = async (secret: string) => (await started.call(api.listNewsroomPosts, {}, by(secret))).status

test('a secret has 256 random bits, a prefix, and a checksum', () => {
  const secrets = Array.from({ length: 200 }, newSecret)
  expect(new Set(secrets).size).toBe(200)
  for (const secret of secrets) {
    expect(secret).toMatch(/^coinsite_[0-9A-Za-z]{49}$/)
    expect(isSecret(secret)).toBe(true)
    const at = 12
    const other = secret[at] === 'a' ? 'b' : 'a'
    expect(isSecret(secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false)
  }
})

describe('creating a token', () => {
  test('returns its secret once; database, list, email, and log never contain it', async () => {
    const maker = await anEditor()
    const made = await make(maker, { purpose: 'For a sample' })
    expect(made.status).toBe(201)
    const { secret, token } = made.body
    expect(token).toMatchObject({ state: 'active', end: secret.slice(-4), isOwn: true, isReadOnly: false })
    const left = Date.parse(token.expiresAt) - Date.now()
    expect(Math.round(left / DAY)).toBe(90)
    expect(await reads(secret)).toBe(200)
    const [mail] = await started.mailsTo(maker.email)
    expect(mail).toMatchObject({ kind: 'token-made' })
    const rows = await db.selectFrom('api_token').selectAll().execute()
    const entries = await db.selectFrom('audit_entry').selectAll().where('actor_id', '=', maker.id).execute()
    expect(entries.map(({ action, subject_id }) => [action, subject_id])).toEqual([['token-made', token.id]])
    const everything = JSON.stringify([rows, entries, mail, (await list(maker)).body])
    expect(everything).not.toContain(secret.slice(9, 40))
  })

  test('grants only levels that its owner has, and at least one', async () => {
    const maker = await anEditor()
    const refused = async (levels: object) =>
      (await make(maker, { levels: { ...noLevels, ...levels } })).problem
    expect((await refused({ finance: 1 })).errors).toMatchObject([
      { path: 'levels.finance', code: 'too_much' },
    ])
    expect((await refused({})).errors).toMatchObject([{ path: 'levels', code: 'required' }])
    expect((await refused({ admin: 1 })).code).toBe('validation_failed')
    expect((await make(maker, { levels: { ...noLevels, isWriteAccessAdmin: true } })).status).toBe(400)
    // An administrator has these two levels and can grant them.
    const admin = await aSignedInMember(started, { is_write_access_admin: true })
    expect((await make(admin, { levels: { ...noLevels, news: 2, employee: 2 } })).status).toBe(201)
    expect((await make(admin, { levels: { ...noLevels, coins: 1 } })).status).toBe(400)
  })

  test.each([
    [{ days: 0 }, 'days'],
    [{ days: 366 }, 'days'],
    [{ days: null }, 'days'],
    [{ addresses: ['300.1.1.1'] }, 'addresses.0'],
    [{ addresses: ['10.0.0.0/33'] }, 'addresses.0'],
    [{ addresses: ['example.org'] }, 'addresses.0'],
    [{ addresses: Array(21).fill('10.0.0.1') }, 'addresses'],
    [{ name: '' }, 'name'],
  ])('refuses %j', async (given, path) => {
    const answer = await make(await anEditor(), given)
    expect(answer.problem).toMatchObject({ code: 'validation_failed', errors: [{ path }] })
  })

  test('requires step-up authentication, as renewing the secret does, and accepts no token', async () => {
    const maker = await anEditor()
    const { secret, id } = await aToken(started, maker.id, { levels: { news: 2 } })
    for (const [endpoint, given] of [
      [api.createApiToken, { body }],
      [api.rotateApiToken, { params: { id }, body: {} }],
      [api.revokeApiToken, { params: { id }, body: { reason: 'x' } }],
    ] as const)
      expect((await started.call(endpoint, given as never, by(secret))).problem.code).toBe('person_required')
    await letProofAge(started, maker)
    expect((await make(maker)).problem.code).toBe('step_up_required')
    const rotated = await started.call(api.rotateApiToken, { params: { id }, body: {} }, as(maker))
    expect(rotated.problem.code).toBe('step_up_required')
    expect(
      (await started.call(api.revokeApiToken, { params: { id }, body: { reason: 'x' } }, as(maker))).status,
    ).toBe(200)
  })

  test('is limited to a maximum of active tokens, even concurrently', async () => {
    const maker = await anEditor()
    for (let n = 1; n < tokensMax; n += 1) await aToken(started, maker.id, { levels: { news: 1 } })
    const answers = await Promise.all([make(maker), make(maker), make(maker)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
  })
})

describe('a new secret', () => {
  const rotate = (member: TestMember, id: string, given: object) =>
    started.call(api.rotateApiToken, { params: { id }, body: given }, as(member))

  test('replaces the old one at once, or after the chosen overlap', async () => {
    const maker = await anEditor()
    const { secret, id } = await aToken(started, maker.id, { levels: { news: 1 } })
    const second = await rotate(maker, id, { overlapHours: 24, days: 365 })
    expect(second.body.token.overlapUntil).not.toBeNull()
    expect(Date.parse(second.body.token.expiresAt) - Date.now()).toBeGreaterThan(364 * DAY)
    expect([await reads(secret), await reads(second.body.secret)]).toEqual([200, 200])
    await db
      .updateTable('api_token')
      .set({ previous_until: sql`now()` })
      .where('id', '=', id)
      .execute()
    expect([await reads(secret), await reads(second.body.secret)]).toEqual([401, 200])
    const third = await rotate(maker, id, {})
    expect([await reads(second.body.secret), await reads(third.body.secret)]).toEqual([401, 200])
    expect((await rotate(maker, id, { overlapHours: 12 })).status).toBe(400)
  })

  test('is not issued for a revoked token or one of someone else', async () => {
    const [maker, other] = [await anEditor(), await aSignedInMember(started, { is_write_access_admin: true })]
    const { id, secret } = await aToken(started, maker.id, { levels: { news: 1 } })
    expect((await rotate(other, id, {})).problem.code).toBe('not_found')
    const revoke = (member: TestMember) =>
      started.call(api.revokeApiToken, { params: { id }, body: { reason: 'Lost.' } }, as(member))
    expect((await revoke(await anEditor())).problem.code).toBe('not_found')
    const unproved = await aSignedInMember(started, { is_write_access_admin: true })
    for (const member of [unproved, maker]) await letProofAge(started, member)
    expect((await revoke(unproved)).problem.code).toBe('step_up_required')
    expect((await revoke(other)).body).toMatchObject({ state: 'revoked', isOwn: false })
    expect((await revoke(maker)).body.revoked).toMatchObject({ reason: 'Lost.' })
    expect(await reads(secret)).toBe(401)
    expect((await rotate(maker, id, {})).problem.code).toBe('conflict')
    const own = await aToken(started, maker.id, { levels: { news: 1 } })
    expect((await rotate(maker, own.id, {})).problem.code).toBe('step_up_required')
    // The owner of a token can revoke it without step-up authentication.
    const body = { reason: 'Lost.' }
    const ended = await started.call(api.revokeApiToken, { params: { id: own.id }, body }, as(maker))
    expect(ended.body).toMatchObject({ state: 'revoked' })
  })
})

describe('the list of tokens', () => {
  const idsOf = ({ body }: { body: OutputOf<typeof api.listApiTokens> }) => body.map(({ id }) => id)

  test('contains one’s own tokens, and all tokens for administrators', async () => {
    const [maker, colleague] = [await anEditor(), await anEditor()]
    const admin = await aSignedInMember(started, { is_write_access_admin: true })
    const mine = await aToken(started, maker.id, { levels: { news: 1 }, name: `Of ${maker.email}` })
    const theirs = await aToken(started, colleague.id, { levels: { news: 1 } })
    expect(idsOf(await list(maker))).toEqual([mine.id])
    expect(idsOf(await list(maker, { whose: 'others' }))).toEqual([])
    expect(idsOf(await list(admin, { limit: 100 }))).toEqual(expect.arrayContaining([mine.id, theirs.id]))
    expect(idsOf(await list(admin, { whose: 'mine' }))).toEqual([])
    expect(idsOf(await list(admin, { q: maker.email.toUpperCase() }))).toEqual([mine.id])
    expect(idsOf(await list(admin, { q: '%' }))).toEqual([])
  })

  test('shows the status of each token and its effective levels', async () => {
    const maker = await aSignedInMember(started, { manage_news: 2, manage_coins: 1 })
    const of = async (set: object) => {
      const { id } = await aToken(started, maker.id, { levels: { news: 2, coins: 1 } })
      await db.updateTable('api_token').set(set).where('id', '=', id).execute()
      return id
    }
    const active = await of({ name: 'active' })
    const ending = await of({ expires_at: sql`now() + interval '6 days'` })
    const expired = await of({ expires_at: sql`now()` })
    const revoked = await of({ revoked_at: sql`now()` })
    const inState = async (state: string) => idsOf(await list(maker, { state, sort: 'expires' }))
    expect(await inState('active')).toEqual([active])
    expect(await inState('ending')).toEqual([ending])
    expect(await inState('expired')).toEqual([expired])
    expect(await inState('revoked')).toEqual([revoked])
    expect(idsOf(await list(maker, { level: 'finance' }))).toEqual([])
    await updateMemberRow(db, maker.id, { manage_news: 1 })
    const [shown] = (await list(maker, { state: 'active' })).body
    expect(shown).toMatchObject({
      levels: { news: 2, coins: 1 },
      counting: { news: 1, coins: 1, finance: 0 },
    })
    await updateMemberRow(db, maker.id, { active: false })
    const admin = await aSignedInMember(started, { is_write_access_admin: true })
    expect(idsOf(await list(admin, { state: 'dead', q: maker.email })).toSorted()).toEqual(
      [active, ending].toSorted(),
    )
  })
})

test('emails the owner once, a week before expiry, from any instance', async () => {
  const maker = await anEditor()
  const { id } = await aToken(started, maker.id, { levels: { news: 1 } })
  await aToken(started, maker.id, { levels: { news: 1 }, days: 5 })
  await warnOfEnd(started.services)
  expect(await started.mailsTo(maker.email)).toEqual([])
  await db
    .updateTable('api_token')
    .set({ expires_at: sql`now() + interval '6 days 23 hours'` })
    .where('id', '=', id)
    .execute()
  await Promise.all([warnOfEnd(started.services), warnOfEnd(started.services)])
  await warnOfEnd(started.services)
  expect((await started.mailsTo(maker.email)).map(({ kind }) => kind)).toEqual(['token-ends'])
})

test('deletes tokens with the owner’s account, and exports them without secrets', async () => {
  const maker = await anEditor()
  const { secret, id } = await aToken(started, maker.id, { levels: { news: 1 }, addresses: ['198.51.100.7'] })
  await reads(secret)
  const copy = await started.call(api.exportMember, {}, as(maker))
  expect(JSON.stringify(copy.body)).toContain('198.51.100.0/24')
  expect(JSON.stringify(copy.body)).not.toContain(secret.slice(9, 40))
  const colleague = await anEditor()
  const theirs = await aToken(started, colleague.id, { levels: { news: 1 } })
  await db
    .updateTable('api_token')
    .set({ revoked_by: maker.id, revoked_at: sql`now()`, revoke_reason: 'Sample.' })
    .where('id', '=', theirs.id)
    .execute()
  const erased = await started.call(api.eraseMember, { body: { current: maker.password } }, as(maker))
  expect([erased.status, erased.problem?.code]).toEqual([200, undefined])
  expect(await reads(secret)).toBe(401)
  const rows = await db
    .selectFrom('api_token')
    .select(['id', 'revoked_by', 'revoke_reason'])
    .where('id', 'in', [id, theirs.id])
    .execute()
  expect(rows).toEqual([{ id: theirs.id, revoked_by: null, revoke_reason: '' }])
})

test('revokes all tokens after a restore, because the backup lacks later revocations', async () => {
  const restored = await startApi()
  const maker = await aSignedInMember(restored, { manage_news: 1 })
  const { secret } = await aToken(restored, maker.id, { levels: { news: 1 } })
  const read = () => restored.call(api.listNewsroomPosts, {}, by(secret))
  expect((await read()).status).toBe(200)
  await sql`select end_what_was_open(now())`.execute(restored.services.db)
  expect((await read()).problem.code).toBe('token_invalid')
})

test('reports a database failure during revocation instead of a missing token', async () => {
  const failing = await startApi()
  const maker = await aSignedInMember(failing, { manage_news: 1 })
  const { id } = await aToken(failing, maker.id, { levels: { news: 1 } })
  await sql`alter table api_token rename to api_token_elsewhere`.execute(failing.services.db)
  const body = { reason: 'Lost.' }
  const answer = await failing.call(api.revokeApiToken, { params: { id }, body }, as(maker))
  expect([answer.status, answer.problem.code]).toEqual([500, 'unexpected'])
})

test('lists no unusable token as active, and sends no warning about it', async () => {
  const strict = await startApi({ STAFF_SECOND_FACTOR: 'required' })
  const seen = async (on: TestApi, q: string) => {
    const admin = await aSignedInMember(on, { is_write_access_admin: true })
    if (on === strict) await addTotp(strict, admin)
    const { body } = await on.call(api.listApiTokens, { query: { q } }, { token: admin.token })
    await on.services.db
      .updateTable('api_token')
      .set({ expires_at: sql`now() + interval '6 days'` })
      .execute()
    await warnOfEnd(on.services)
    const mails = await on.mailsTo(q)
    return { ...body[0]!, isWarned: mails.some(({ kind }) => kind === 'token-ends') }
  }
  // The owner has other levels, but none of the token's.
  const maker = await aSignedInMember(started, { manage_news: 1, manage_finance: 1 })
  const { secret } = await aToken(started, maker.id, { levels: { finance: 1 } })
  await updateMemberRow(db, maker.id, { manage_finance: 0 })
  expect((await started.call(api.listOrders, {}, by(secret))).problem.code).toBe('token_invalid')
  const dead = { state: 'dead', counting: noLevels, isWarned: false }
  expect(await seen(started, maker.email)).toMatchObject(dead)
  // A second factor is mandatory for staff, and its owner no longer has one.
  const without = await aSignedInMember(strict, { manage_news: 1 })
  const lacking = await aToken(strict, without.id, { levels: { news: 1 } })
  const answer = await strict.call(api.listNewsroomPosts, {}, by(lacking.secret))
  expect(answer.problem.code).toBe('second_factor_needed')
  expect(await seen(strict, without.email)).toMatchObject(dead)
  await addTotp(strict, without)
  expect((await strict.call(api.listNewsroomPosts, {}, by(lacking.secret))).status).toBe(200)
  expect(await seen(strict, without.email)).toMatchObject({ state: 'ending', isWarned: true })
})
