import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, goodPassword, type TestMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'
import { hashSecret } from '../../../platform/keys.ts'

const started = await startApi({}, afterAll)
const { call } = started
const { db } = started.services

const sessionOf = async ({ id }: TestMember) =>
  (await db.selectFrom('session').select('id').where('member_id', '=', id).executeTakeFirstOrThrow()).id

/** Higher numbers are older; the newest is from `minutes` ago. */
const spend = (sessionId: string, count: number, minutes: number) =>
  sql`
    insert into spent_refresh_token (token_hash, session_id, spent_at)
    select ${sessionId} || ' ' || n, ${sessionId},
      now() - ${minutes} * interval '1 minute' - n * interval '1 second'
    from generate_series(1, ${count}::int) n`.execute(db)

const aDay = 24 * 60

/** Lets time pass for replaced tokens, and for limits with windows. */
async function pass(minutes: number) {
  const by = sql`${minutes} * interval '1 minute'`
  await sql`update spent_refresh_token set spent_at = spent_at - ${by}`.execute(db)
  await sql`update throttle set resets_at = resets_at - ${by}`.execute(db)
}

const spentIn = async (sessionId: string) => {
  const { rows } = await sql<{ count: number; oldest: number }>`
    select count(*)::int as count, max(split_part(token_hash, ' ', 2)::int) as oldest
    from spent_refresh_token where session_id = ${sessionId} and token_hash like '% %'`.execute(db)
  return rows[0]!
}

const refresh = (cookies: Record<string, string>) =>
  call(api.restoreSession, { body: null }, { cookies, headers: { 'x-xsrf-token': cookies['XSRF-TOKEN']! } })

/** The maximum number of sessions of a member, each with that many replaced tokens. */
async function fill(member: TestMember, spentOfEach: number) {
  const one = `${member.id}-`
  await sql`
    insert into session (id, member_id, refresh_hash, xsrf_hash, device, place, idle_ms, expires_at)
    select ${one} || s, ${member.id}, ${one} || s, '', '', '', 86400000, now() + interval '1 day'
    from generate_series(1, 99) s`.execute(db)
  // In batches that even a busy machine writes in time.
  for (let session = 1; session < 100; session += 1)
    await sql`
      insert into spent_refresh_token (token_hash, session_id, spent_at)
      select ${`${one}${session}`} || ' ' || n, ${`${one}${session}`}, now() - interval '1 day'
      from generate_series(1, ${spentOfEach}::int) n`.execute(db)
}

async function reset(member: TestMember) {
  await call(api.requestPasswordReset, { body: { email: member.email } }, { ip: member.ip })
  const { text } = (await started.mailsTo(member.email)).findLast(({ kind }) => kind === 'password-reset')!
  const [, id = '', code = ''] = /change-password\/([^/\s]+)\/(\S+)/.exec(text)!
  const body = { id, pwdresetcode: decodeURIComponent(code), passwd: 'another good password' }
  return call(api.executePasswordReset, { body }, { ip: member.ip })
}

const countSessions = async ({ id }: TestMember) =>
  (await db.selectFrom('session').select('id').where('member_id', '=', id).execute()).length

test('beyond a day a session keeps its two thousand newest replaced tokens, which reveal a copy', async () => {
  const member = await aSignedInMember(started)
  const id = await sessionOf(member)
  await spend(id, 2050, aDay)
  const { cookies } = member
  expect((await refresh(cookies)).status).toBe(200)
  expect(await spentIn(id)).toEqual({ count: 1999, oldest: 1999 })
  const rename = (n: number, token: string) =>
    db
      .updateTable('spent_refresh_token')
      .set({ token_hash: hashSecret(token) })
      .where('token_hash', '=', `${id} ${n}`)
      .execute()
  await rename(1999, 'the oldest known')
  expect((await refresh({ ...cookies, refresh: 'forgotten' })).problem.code).toBe('session_expired')
  expect(await countSessions(member)).toBe(1)
  expect((await refresh({ ...cookies, refresh: 'the oldest known' })).problem.code).toBe('session_expired')
  expect(await countSessions(member)).toBe(0)
})

test("a copy ends the session even if the day's refreshes are used up", async () => {
  const member = await aSignedInMember(started)
  const copied = member.cookies
  const next = { ...copied, ...(await refresh(copied)).cookies }
  const newest = { ...next, ...(await refresh(next)).cookies }
  await pass(5)
  await spend(await sessionOf(member), 1998, 2)
  const limited = await refresh(newest)
  expect(limited.status).toBe(429)
  expect(limited.cookies).toEqual({})
  // Parallel windows and refusals use up nothing of it.
  for (let n = 0; n < 5; n += 1) expect((await refresh(newest)).status).toBe(429)
  expect(await countSessions(member)).toBe(1)
  expect((await refresh(copied)).problem.code).toBe('session_expired')
  expect(await countSessions(member)).toBe(0)
  const mails = (await started.mailsTo(member.email)).filter(({ kind }) => kind === 'session-copied')
  expect(mails).toHaveLength(1)
})

test('any day allows two thousand refreshes, and a token stays known that long', async () => {
  const member = await aSignedInMember(started)
  const id = await sessionOf(member)
  let { cookies } = member
  const goOn = async () => {
    const answer = await refresh(cookies)
    cookies = { ...cookies, ...answer.cookies }
    return answer
  }
  expect((await goOn()).status).toBe(200)
  await pass(23 * 60)
  // A thief uses up the end of one window …
  await spend(id, 1998, 2)
  expect((await goOn()).status).toBe(200)
  expect((await goOn()).status).toBe(429)
  await pass(50)
  const early = await goOn()
  expect(early.status).toBe(429)
  // … until the first token, spent a day minus ten minutes ago, is older than a day.
  const wait = Number(early.headers['retry-after'])
  expect(wait).toBeGreaterThan(8 * 60)
  expect(wait).toBeLessThanOrEqual(10 * 60)
  expect(
    (await db.selectFrom('spent_refresh_token').select('token_hash').where('session_id', '=', id).execute())
      .length,
  ).toBe(2000)
  await pass(10)
  expect((await goOn()).status).toBe(200)
  expect((await goOn()).status).toBe(429)
  // Tokens spent within the day stay known, whatever was replaced since.
  await db
    .updateTable('spent_refresh_token')
    .set({ token_hash: hashSecret('a copy') })
    .where('token_hash', '=', `${id} 1998`)
    .execute()
  expect((await refresh({ ...cookies, refresh: 'a copy' })).problem.code).toBe('session_expired')
  expect(await countSessions(member)).toBe(0)
})

test('parallel windows have a separate limit, and use up no refreshes', async () => {
  const member = await aSignedInMember(started)
  const { cookies } = member
  const newest = { ...cookies, ...(await refresh(cookies)).cookies }
  for (let n = 0; n < 3; n += 1) expect((await refresh(cookies)).status).toBe(200)
  await db.updateTable('throttle').set({ count: 2000 }).execute()
  expect((await refresh(cookies)).status).toBe(429)
  expect((await refresh(newest)).status).toBe(200)
  await db.deleteFrom('throttle').execute()
})

test('tokens left by an earlier release are deleted in batches, except those younger than a day', async () => {
  const member = await aSignedInMember(started)
  const id = await sessionOf(member)
  await spend(id, 45_000, aDay)
  await cleanUp(started.services)
  expect(await spentIn(id)).toEqual({ count: 2000, oldest: 2000 })
  const other = await aSignedInMember(started)
  await spend(await sessionOf(other), 2100, 2)
  await cleanUp(started.services)
  expect(await spentIn(await sessionOf(other))).toEqual({ count: 2100, oldest: 2100 })
})

test('deletes any number of expired sessions and keeps valid ones', async () => {
  const member = await aSignedInMember(started)
  await fill(member, 2)
  const other = await aSignedInMember(started)
  await fill(other, 2)
  await db
    .updateTable('session')
    .set({ expires_at: new Date(0) })
    .where('id', 'like', '%-%')
    .execute()
  await sql`update session set expires_at = now() + interval '1 day' where id = ${await sessionOf(other)}`.execute(
    db,
  )
  await cleanUp(started.services)
  const { rows } = await sql<{ id: string }>`select id from session where expires_at < now()`.execute(db)
  expect(rows).toEqual([])
  expect(await countSessions(other)).toBeGreaterThan(0)
})

test(
  'filling every session of an account does not prevent resetting, closing, or erasing it',
  { tags: ['nightly'] },
  async () => {
    const officer = await aSignedInMember(started, { manage_employee: 2 })
    const [flooded, closed, erased] = [
      await aSignedInMember(started),
      await aSignedInMember(started),
      await aSignedInMember(started),
    ]
    // From an earlier release, which deleted nothing.
    await fill(flooded, 12_000)
    await cleanUp(started.services)
    const { rows } = await sql<{
      count: number
    }>`select count(*)::int as count from spent_refresh_token`.execute(db)
    expect(rows[0]!.count).toBeLessThanOrEqual(201_000)
    expect((await reset(flooded)).status).toBe(200)
    expect(await countSessions(flooded)).toBe(0)
    for (const member of [closed, erased]) await fill(member, 2000)
    const closing = { params: { id: closed.id }, body: { active: false, reason: 'A sample.' } }
    expect((await call(api.setMemberActive, closing, as(officer))).status).toBe(200)
    const leaving = { body: { current: goodPassword } }
    expect((await call(api.eraseMember, leaving, as(erased))).status).toBe(200)
    for (const member of [closed, erased]) expect(await countSessions(member)).toBe(0)
  },
)
