import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { failedTokensMax, tokenCallsMax } from '#contract/people/api-tokens.ts'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { aToken, by } from '#tests/api-tokens.ts'
import { anIp, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startAnotherInstance, startApi, type CallOptions, type TestApi } from '#tests/setup/start-api.ts'
import { recordRejection } from './api-token.queries.ts'
import { newSecret } from './secret.ts'

const started = await startApi({}, afterAll)
const { db } = started.services
const officer = { manage_employee: 2, manage_finance: 2 }

const anOfficer = () => aSignedInMember(started, officer)
const read = (options: CallOptions, on: TestApi = started) => on.call(api.listMembers, {}, options)
const outcomeOf = async (options: CallOptions, on?: TestApi) => {
  const { status, problem } = await read(options, on)
  return status < 300 ? status : problem.code
}
const rowOf = (id: string) =>
  db.selectFrom('api_token').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const change = (id: string, set: Record<string, unknown>) =>
  db.updateTable('api_token').set(set).where('id', '=', id).execute()

async function employeeToken(maker?: TestMember, given: Parameters<typeof aToken>[2] = {}) {
  const owner = maker ?? (await anOfficer())
  return { maker: owner, ...(await aToken(started, owner.id, { levels: { employee: 2 }, ...given })) }
}

describe('a token', () => {
  test('has the lesser of its own and its owner’s current levels', async () => {
    const { maker, secret } = await employeeToken()
    expect(await outcomeOf(by(secret))).toBe(200)
    await updateMemberRow(db, maker.id, { manage_employee: 0 })
    // None of its levels is left.
    expect(await outcomeOf(by(secret))).toBe('token_invalid')
    await updateMemberRow(db, maker.id, { manage_employee: 1 })
    expect(await outcomeOf(by(secret))).toBe(200)
    const note = { params: { id: maker.id }, body: { text: 'A sample note.' } }
    expect((await started.call(api.addMemberNote, note, by(secret))).problem.code).toBe('forbidden')
  })

  test('never exceeds its own levels, and is never an administrator', async () => {
    const maker = await aSignedInMember(started, { is_write_access_admin: true, manage_finance: 2 })
    const { secret } = await aToken(started, maker.id, { levels: { news: 2 } })
    expect(await outcomeOf(by(secret))).toBe('forbidden')
    expect((await started.call(api.listRecord, {}, by(secret))).problem.code).toBe('person_required')
    expect((await started.call(api.listOrders, {}, by(secret))).problem.code).toBe('forbidden')
  })

  test('owns no records: its owner’s records require the level too', async () => {
    const maker = await anOfficer()
    const { secret } = await aToken(started, maker.id, { levels: { finance: 1 } })
    const own = await started.call(api.getMember, { params: { id: maker.id } }, by(secret))
    expect(own.problem.code).toBe('forbidden')
  })

  test.each(['de-activated', 'with a password too short for staff'])(
    'of an owner who is %s is rejected',
    async (how) => {
      const { maker, secret, id } = await employeeToken()
      expect(await outcomeOf(by(secret))).toBe(200)
      await updateMemberRow(
        db,
        maker.id,
        how === 'de-activated' ? { active: false } : { password_length_ok_for_staff: false },
      )
      expect(await outcomeOf(by(secret))).toBe('token_invalid')
      expect((await rowOf(id)).last_refused_why).toBe('maker')
    },
  )

  test('is rejected in all instances at the next request once expired or revoked', async () => {
    const other = await startAnotherInstance(started)
    const { maker, secret, id } = await employeeToken()
    expect([await outcomeOf(by(secret)), await outcomeOf(by(secret), other)]).toEqual([200, 200])
    const revoked = await started.call(
      api.revokeApiToken,
      { params: { id }, body: { reason: 'Found in a log.' } },
      maker,
    )
    expect(revoked.body).toMatchObject({ state: 'revoked', revoked: { reason: 'Found in a log.' } })
    expect([await outcomeOf(by(secret), other), await outcomeOf(by(secret))]).toEqual(
      Array(2).fill('token_invalid'),
    )
    expect((await rowOf(id)).last_refused_why).toBe('revoked')
    const ended = await employeeToken()
    await change(ended.id, { expires_at: sql`now() - interval '1 second'` })
    expect(await outcomeOf(by(ended.secret))).toBe('token_invalid')
    expect((await rowOf(ended.id)).last_refused_why).toBe('expired')
  })

  test('cannot step up: such endpoints are for people', async () => {
    const maker = await anOfficer()
    const { secret } = await aToken(started, maker.id, { levels: { finance: 2 } })
    const buyer = await aSignedInMember(started)
    const completed = { memberId: buyer.id, status: 'completed', fabQty: '1' }
    const answer = await started.call(api.createOrder, { body: completed }, by(secret))
    expect(answer).toMatchObject({ status: 403, problem: { code: 'person_required' } })
    const quoted = await started.call(api.createOrder, { body: { quoteId: 'q', amount: '1' } }, by(secret))
    expect(quoted.problem.code).toBe('person_required')
    const confirmed = [{ reason: 'Agreed.' }, { txId: `0x${'7'.repeat(64)}` }, { sharesTransaction: true }]
    for (const given of confirmed) {
      const body = { memberId: buyer.id, amount: '1', fabQty: '1', ...given }
      expect((await started.call(api.createOrder, { body }, by(secret))).problem.code).toBe('person_required')
    }
  })

  test('requires its owner’s second factor if staff must have one', async () => {
    const strict = await startApi({ STAFF_SECOND_FACTOR: 'required' })
    const maker = await aSignedInMember(strict, officer)
    const { secret } = await aToken(strict, maker.id, { levels: { employee: 1 } })
    expect(await outcomeOf(by(secret), strict)).toBe('second_factor_needed')
  })
})

describe('the address of a token', () => {
  test.each([
    ['198.51.100.7', ['198.51.100.7'], 200],
    ['::ffff:198.51.100.7', ['198.51.100.0/24'], 200],
    ['198.51.101.7', ['198.51.100.0/24', '2001:db8::/32'], 'token_invalid'],
    ['2001:db8:1::9', ['198.51.100.0/24', '2001:db8::/32'], 200],
    ['2001:db9::9', ['2001:db8::/32'], 'token_invalid'],
  ] as const)('%s with %j: %s', async (ip, addresses, outcome) => {
    const { secret, id } = await employeeToken(undefined, { addresses })
    expect(await outcomeOf(by(secret, ip))).toBe(outcome)
    const row = await rowOf(id)
    expect([row.last_used_at !== null, row.last_refused_why]).toEqual(
      outcome === 200 ? [true, null] : [false, 'address'],
    )
  })

  test('is the one reported by the trusted proxy, and no other', async () => {
    const { secret } = await employeeToken(undefined, { addresses: ['203.0.113.9'] })
    const spoofed = { ...by(secret), headers: { ...by(secret).headers, 'x-forwarded-for': '203.0.113.9' } }
    expect(await outcomeOf(spoofed)).toBe('token_invalid')
    const behind = await startApi({ TRUST_PROXY: '10.9.9.9' })
    const maker = await aSignedInMember(behind, officer)
    const there = await aToken(behind, maker.id, { levels: { employee: 1 }, addresses: ['203.0.113.9'] })
    const from = (ip: string, forwarded: string) => ({
      ip,
      headers: { ...by(there.secret).headers, 'x-forwarded-for': forwarded },
    })
    expect(await outcomeOf(from('10.9.9.9', '203.0.113.9'), behind)).toBe(200)
    // The client's own value precedes what the proxy adds.
    expect(await outcomeOf(from('10.9.9.9', '203.0.113.9, 198.51.100.1'), behind)).toBe('token_invalid')
    expect(await outcomeOf(from('10.9.9.8', '203.0.113.9'), behind)).toBe('token_invalid')
  })

  test('if foreign, is recorded at once, and stays the reason until the secret changes', async () => {
    const { id } = await employeeToken()
    const why = async (given: 'expired' | 'address') => {
      await recordRejection(db, id, '198.51.100.0/24', given)
      const row = await rowOf(id)
      await change(id, { last_refused_at: sql`last_refused_at - interval '2 minutes'` })
      return row.last_refused_why
    }
    await recordRejection(db, id, '198.51.100.0/24', 'expired')
    expect([await why('address'), await why('expired')]).toEqual(['address', 'address'])
    await change(id, { rotated_at: sql`now()` })
    expect(await why('expired')).toBe('expired')
  })

  test('is stored as a network, once a minute', async () => {
    const { secret, id } = await employeeToken()
    await read(by(secret, '198.51.100.77'))
    const first = await rowOf(id)
    expect(first.last_used_place).toBe('198.51.100.0/24')
    await read(by(secret, '2001:DB8:0012:3::5'))
    expect(await rowOf(id)).toEqual(first)
    await change(id, { last_used_at: sql`now() - interval '61 seconds'` })
    await read(by(secret, '2001:DB8:0012:3::5'))
    expect((await rowOf(id)).last_used_place).toBe('2001:db8:12::/48')
  })
})

describe('a token is sent', () => {
  test('only in the header: in a URL it is rejected, valid or not', async () => {
    const { secret } = await employeeToken()
    for (const query of [`access_token=${secret}`, `limit=1&access_token=x`, `q=${secret}`]) {
      const answer = await started.send({
        method: 'GET',
        url: `/v2/members/?${query}`,
        headers: { 'x-app-id': started.services.config.appId, ...by(secret).headers },
      })
      expect([query, answer.statusCode, answer.json<{ code: string }>().code]).toEqual([
        query,
        400,
        'token_misused',
      ])
      expect(answer.headers['www-authenticate']).toContain('error="invalid_request"')
      expect(answer.body).not.toContain(secret)
    }
  })

  test('never beside a session, because the actor would be ambiguous', async () => {
    const { maker, secret } = await employeeToken()
    const { headers } = by(secret)
    expect(await outcomeOf({ headers: headers!, token: maker.token })).toBe('token_misused')
    expect(await outcomeOf({ headers: headers!, cookies: maker.cookies })).toBe('token_misused')
    const language = { headers: headers!, cookies: { language: 'cn' } }
    expect(await outcomeOf(language)).toBe(200)
  })

  test('without ever creating a session', async () => {
    const { secret, maker } = await employeeToken()
    const answer = await read(by(secret))
    expect(answer.headers['set-cookie']).toBeUndefined()
    const body = { email: maker.email, password: maker.password }
    const signedIn = await started.call(api.signIn, { body }, by(secret))
    expect(signedIn).toMatchObject({ status: 403, problem: { code: 'person_required' } })
    expect(signedIn.cookies).toEqual({})
  })

  test('with its application ID, and never from a foreign page', async () => {
    const { secret } = await employeeToken()
    const { headers } = by(secret)
    expect(await outcomeOf({ headers: { ...headers, 'x-app-id': '' } })).toBe('app_unknown')
    const foreign = { ...headers, origin: 'https://evil.example' }
    const note = { params: { id: 'x' }, body: { text: 'A sample note.' } }
    const answer = await started.call(api.addMemberNote, note, { headers: foreign })
    expect(answer.problem.code).toBe('xsrf_failed')
    expect(Object.keys((await read({ headers: foreign })).headers).join(' ')).not.toContain('access-control')
  })

  test.each([
    ['no token', ''],
    ['a checksum that is wrong', `${newSecret().slice(0, -1)}!`],
    ['more than a token', `${newSecret()}${newSecret()}`],
    ['12 KB', `coinsite_${'a'.repeat(12_000)}`],
    ['signs beyond ASCII', 'coinsite_ï¿½'],
    ['one nobody made', newSecret()],
  ])('%s is refused with what RFC 6750 asks for, and is not repeated', async (_, secret) => {
    const answer = await read({ ip: anIp(), headers: { authorization: `Bearer ${secret}` } })
    expect(answer.status).toBe(401)
    expect(answer.problem.code).toBe(secret === '' ? 'unauthenticated' : 'token_invalid')
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="api"/)
    if (secret) expect(JSON.stringify(answer)).not.toContain(secret)
  })

  test('apart from other bearer tokens, such as the one for metrics', async () => {
    const metrics = await startApi({ METRICS_TOKEN: 'sample-token-of-thirty-two-letters' })
    const headers = { authorization: 'Bearer sample-token-of-thirty-two-letters' }
    expect((await metrics.call(api.checkReadiness, {}, { headers })).status).toBe(200)
    expect((await metrics.call(api.listMembers, {}, { headers })).problem.code).toBe('unauthenticated')
  })
})

describe('rate limits', () => {
  test('of a token block it for a minute', async () => {
    const { secret, id } = await employeeToken()
    await read(by(secret))
    await db
      .updateTable('throttle')
      .set({ count: tokenCallsMax })
      .where('key_hash', '=', started.services.keys.blind(`api-token ${id}`))
      .execute()
    const answer = await read(by(secret))
    expect(answer.problem.code).toBe('rate_limited')
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(await outcomeOf(by((await employeeToken()).secret))).toBe(200)
  })

  test('of a client with failing tokens leave a valid token unaffected', async () => {
    const ip = anIp()
    for (let n = 0; n < failedTokensMax; n += 1)
      expect(await outcomeOf(by(newSecret(), ip))).toBe('token_invalid')
    expect(await outcomeOf(by(newSecret(), ip))).toBe('rate_limited')
    expect(await outcomeOf(by((await employeeToken()).secret, ip))).toBe(200)
    expect(await outcomeOf(by(newSecret(), anIp()))).toBe('token_invalid')
  })
})

test('logs an action by token as its owner’s, with the token', async () => {
  const { maker, secret, id } = await employeeToken()
  await read(by(secret))
  await read({ token: maker.token })
  const entries = await db
    .selectFrom('audit_entry')
    .select(['action', 'detail'])
    .where('actor_id', '=', maker.id)
    .orderBy('id')
    .execute()
  expect(entries.map(({ action }) => action)).toEqual(['member-listed', 'member-listed'])
  expect(entries[0]!.detail).toMatchObject({ token: id, tokenEnd: secret.slice(-4) })
  expect(Object.keys(entries[1]!.detail as object)).not.toContain('token')
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const shown = await started.call(api.listRecord, { query: { actor: maker.id } }, { token: admin.token })
  expect(shown.body.map(({ detail }) => detail['token'])).toEqual([undefined, id])
})
