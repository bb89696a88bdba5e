import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY, MINUTE } from '#contract/platform/durations.ts'
import { aMember, aSignedInMember, goodPassword, type TestMember } from '#tests/builders.ts'
import { aMemberWithPasskey } from '#tests/passkey-device.ts'
import { startApi, type CallOptions } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call } = started
const { db, keys } = started.services

const signIn = ({ email, ip }: TestMember, options: CallOptions = {}) =>
  call(api.signIn, { body: { email, password: goodPassword } }, { ip, ...options })

const countOf = async (table: 'session' | 'known_device' | 'sign_in', { id }: TestMember) => {
  const rows = await db.selectFrom(table).select('member_id').where('member_id', '=', id).execute()
  return rows.length
}

/** Simulates that the key was counted that many times. */
const count = async (key: string, times: number) => {
  const row = { count: times, resets_at: new Date(Date.now() + MINUTE) }
  await db
    .insertInto('throttle')
    .values({ key_hash: keys.blind(key), ...row })
    .onConflict((conflict) => conflict.column('key_hash').doUpdateSet(row))
    .execute()
}

test("a program that signs in for each call leaves a limited number of rows, and the member's browsers stay signed in", async () => {
  const member = await aMember(started)
  await db
    .updateTable('session')
    .set({ last_used_at: sql`now() - interval '1 day'`, previous_refresh_hash: 'of a browser' })
    .where('member_id', '=', member.id)
    .execute()
  await db
    .updateTable('known_device')
    .set({ last_used_at: sql`now() - interval '1 day'`, has_proved_factor: true })
    .where('member_id', '=', member.id)
    .execute()
  const of = { member_id: member.id }
  const many = (length: number) => Array.from({ length }, (_, n) => `${member.id} ${n}`)
  const session = { ...of, xsrf_hash: '', idle_ms: DAY, expires_at: new Date(Date.now() + DAY) }
  await db
    .insertInto('session')
    .values(many(150).map((refresh_hash) => ({ ...session, refresh_hash })))
    .execute()
  await db
    .insertInto('known_device')
    .values(many(150).map((token_hash) => ({ ...of, token_hash })))
    .execute()
  await db
    .insertInto('sign_in')
    .values(many(1_100).map(() => ({ ...of, device: '', has_proved_factor: false })))
    .execute()
  const last = await signIn(member)
  expect(await countOf('session', member)).toBe(100)
  expect(await countOf('known_device', member)).toBe(100)
  expect(await countOf('sign_in', member)).toBe(1_000)
  const { body } = await call(api.listSessions, {}, { token: last.body.token })
  expect(body).toHaveLength(100)
  expect((await call(api.listSessions, {}, { token: member.token })).status).toBe(200)
  const kept = await db
    .selectFrom('known_device')
    .select('token_hash')
    .where('member_id', '=', member.id)
    .where('has_proved_factor', '=', true)
    .execute()
  expect(kept).toHaveLength(1)
  const officer = await aSignedInMember(started, { manage_employee: 1 })
  const read = await call(api.getConsoleMember, { params: { id: member.id } }, { token: officer.token })
  expect(read.body.sessions).toBe(100)
})

test("a member's two hundred newest clients are known, and few new ones a day are emailed about", async () => {
  const member = await aMember(started)
  await sql`
    insert into member_client (member_id, client_hash, last_seen_at)
    select ${member.id}, 'old ' || n, now() - interval '1 day' - n * interval '1 second' from generate_series(1, 300) n`.execute(
    db,
  )
  for (let n = 0; n < 12; n += 1) expect((await signIn(member, { ip: `198.51.100.${n}` })).status).toBe(200)
  const clients = await db
    .selectFrom('member_client')
    .select('client_hash')
    .where('member_id', '=', member.id)
    .execute()
  expect(clients).toHaveLength(200)
  // Those of the first sign-in and of the twelve are newer than the rest.
  expect(clients.filter(({ client_hash }) => client_hash.startsWith('old '))).toHaveLength(200 - 2 * 13)
  const mails = (await started.mailsTo(member.email)).filter(({ kind }) => kind === 'new-sign-in')
  expect(mails).toHaveLength(10)
})

test('six hundred sign-ins in 15 minutes block nobody elsewhere', async () => {
  const member = await aMember(started)
  await count(`signed-in ${member.id} ${member.ip}`, 599)
  expect((await signIn(member)).status).toBe(200)
  const refused = await signIn(member)
  expect(refused).toMatchObject({ status: 429, problem: { code: 'rate_limited' } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await signIn(member, { ip: '203.0.113.77' })).status).toBe(200)
})

test("correct passwords without the second factor can't be repeated endlessly", async () => {
  const { member } = await aMemberWithPasskey(started)
  await count(`half-way sign-in ${member.email} ${member.ip}`, 299)
  expect((await signIn(member)).problem.code).toBe('second_factor_required')
  expect((await signIn(member)).status).toBe(429)
  const known = { cookies: { device: member.cookies['device']! } }
  expect((await signIn(member, known)).problem.code).toBe('second_factor_required')
})
