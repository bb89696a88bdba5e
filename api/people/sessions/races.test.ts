import { setTimeout as pass } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR, MINUTE } from '#contract/platform/durations.ts'
import { transaction, type Tx } from '#api/platform/db/database.ts'
import { hashSecret } from '#api/platform/keys.ts'
import { insertResetCode } from '#api/people/accounts/reset-code.queries.ts'
import { lockMember, updateMemberRow } from '#api/people/members/member.queries.ts'
import { aMember, anAdmin, goodPassword, signInAs, type TestMember } from '#tests/builders.ts'
import { isFull } from '#tests/setup/languages-under-test.ts'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'
import { deleteSessionsOfMember } from './session.queries.ts'
import { confirmTotpOfMember, insertTotp } from './second-factor.queries.ts'

const limitsBegin = 2000

/**
 * After two seconds for a connection, or five for a row, a call is asked to retry, which happens with thirty on
 * a busy machine. An earlier refusal has another cause.
 */
async function patiently<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    const begun = performance.now()
    const answer = await ask()
    if (answer.status !== 503 || tries === 9 || performance.now() - begun < limitsBegin) return answer
    await pass(200)
  }
}

const refresh = (on: TestApi, { cookies }: Pick<TestMember, 'cookies'>) =>
  on.call(
    api.restoreSession,
    { body: null },
    { cookies, headers: { 'x-xsrf-token': cookies['XSRF-TOKEN']! } },
  )

const signIn = (on: TestApi, { email, ip }: TestMember, password = goodPassword) =>
  on.call(api.signIn, { body: { email, password } }, { ip })

const statusesOf = async (work: Promise<{ status: number }>[]) =>
  [...new Set((await Promise.all(work)).map(({ status }) => status))].toSorted()

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))

test('thirty concurrent refreshes of one session, in two instances, all succeed', async () => {
  const started = await startApi()
  const another = await startAnotherInstance(started)
  const member = await aMember(started)
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all(
      times(30, (n) => patiently(() => refresh(n % 2 ? started : another, member))),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    for (const { body } of answers.slice(0, 3))
      expect((await started.call(api.listSessions, {}, { token: body.token })).status).toBe(200)
  }
})

test('refreshing while sessions are ended answers 200 or that the session has ended', async () => {
  const started = await startApi()
  for (let round = 0; round < 6; round += 1) {
    const member = await aMember(started)
    const end = () =>
      round % 2
        ? started.call(
            api.signOut,
            { body: null },
            { cookies: member.cookies, headers: { 'x-xsrf-token': member.cookies['XSRF-TOKEN']! } },
          )
        : started.call(
            api.changePassword,
            { body: { current: goodPassword, passwd: 'another good password' } },
            { token: member.token },
          )
    const work = [
      ...times(15, () => patiently(() => refresh(started, member))),
      end(),
      ...times(15, () => patiently(() => refresh(started, member))),
    ]
    expect(await statusesOf(work)).toSatisfy((found: number[]) =>
      found.every((status) => [200, 401].includes(status)),
    )
  }
})

test('signing in while the account is closed or its password changes never fails unexpectedly', async () => {
  const started = await startApi()
  const another = await startAnotherInstance(started)
  const admin = await anAdmin(started)
  // Once for each disturbance, and twice in the nightly run.
  for (let round = 0; round < (isFull ? 6 : 3); round += 1) {
    const member = await aMember(started)
    const code = `code of ${member.id}`
    await insertResetCode(started.services.db, member.id, hashSecret(code), 60_000)
    const disturb = () => {
      if (round % 3 === 0)
        return started.call(
          api.updateMember,
          { body: { id: member.id, active: false } },
          { token: admin.token },
        )
      if (round % 3 === 1)
        return started.call(
          api.changePassword,
          { body: { current: goodPassword, passwd: 'another good password' } },
          { token: member.token },
        )
      return started.call(api.executePasswordReset, {
        body: { id: member.id, pwdresetcode: code, passwd: 'another good password' },
      })
    }
    const attempts = (count: number) =>
      times(count, (n) => patiently(() => signIn(n % 2 ? started : another, member)))
    const work = [
      ...attempts(4),
      disturb(),
      ...times(6, () => patiently(() => refresh(another, member))),
      ...attempts(4),
    ]
    expect(await statusesOf(work)).toSatisfy((found: number[]) =>
      found.every((status) => [200, 401, 403, 429].includes(status)),
    )
  }
})

test('erasing an account during sign-ins and refreshes never fails unexpectedly', async () => {
  const started = await startApi()
  for (let round = 0; round < 3; round += 1) {
    const member = await aMember(started)
    const { session, cookies } = await signInAs(started, member.email, member.password, member.ip)
    const work = [
      ...times(4, () => patiently(() => signIn(started, member))),
      started.call(api.eraseMember, { body: { current: goodPassword } }, { token: session.token }),
      ...times(8, () => patiently(() => refresh(started, { cookies }))),
      ...times(4, () => patiently(() => signIn(started, member))),
    ]
    expect(await statusesOf(work)).toSatisfy((found: number[]) =>
      found.every((status) => [200, 401, 403, 429].includes(status)),
    )
  }
})

test.each([
  ['a factor is added', 'second_factor_required'],
  ['the password is changed', 'credentials_invalid'],
  ['the account is closed', 'credentials_invalid'],
  ['rights are granted', undefined],
])('a sign-in that waits while %s uses the state it finds afterwards', async (what, code) => {
  const started = await startApi()
  const { db, keys } = started.services
  const member = await aMember(started)
  let answer: ReturnType<typeof signIn> | undefined
  await transaction(db, async (db) => {
    await lockMember(db, member.id)
    if (what === 'a factor is added') {
      await insertTotp(db, member.id, keys.seal('second factor', member.id, 'JBSWY3DPEHPK3PXP'))
      await confirmTotpOfMember(db, member.id)
    } else
      await updateMemberRow(db, member.id, {
        ...(what === 'the password is changed' && { password_hash: 'of another password' }),
        ...(what === 'the account is closed' && { active: false, closed_at: new Date() }),
        ...(what === 'rights are granted' && { manage_news: 2, password_length_ok_for_staff: true }),
      })
    await deleteSessionsOfMember(db, member.id)
    answer = signIn(started, member)
    await isWaitedFor(started, db)
  })
  const { status, problem, body } = (await answer)!
  expect([status, problem.code]).toEqual([code === undefined ? 200 : 401, code])
  const sessions = await db.selectFrom('session').selectAll().where('member_id', '=', member.id).execute()
  expect(sessions).toHaveLength(code === undefined ? 1 : 0)
  if (code !== undefined) return
  // With the shorter lifetime of staff sessions.
  expect(body.manageNews).toBe(2)
  expect(sessions[0]!.expires_at.getTime()).toBeLessThan(Date.now() + 12 * HOUR + MINUTE)
})

/** Until another connection waits for a lock of the transaction. */
async function isWaitedFor({ services }: TestApi, tx: Tx): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
  await expect
    .poll(async () => {
      const waiting = await sql`
        select from pg_stat_activity where ${rows[0]!.pid}::int = any(pg_blocking_pids(pid))`.execute(
        services.db,
      )
      return waiting.rows.length
    })
    .toBeGreaterThan(0)
}

test('concurrent sign-ins of one browser are all served', async () => {
  const started = await startApi()
  const member = await aMember(started)
  const carrying = () =>
    started.call(
      api.signIn,
      { body: { email: member.email, password: goodPassword } },
      { ip: member.ip, cookies: member.cookies },
    )
  expect(await statusesOf(times(8, carrying))).toEqual([200])
})

test('a call whose transaction is always aborted says when to retry, and is not a bug', async () => {
  const started = await startApi()
  const member = await aMember(started)
  await sql`create function give_up() returns trigger language plpgsql as
    ${sql.lit(`begin raise exception using errcode = '40P01'; end`)}`.execute(started.services.db)
  await sql`create trigger give_up before insert on access_token execute function give_up()`.execute(
    started.services.db,
  )
  for (const answer of [await refresh(started, member), await signIn(started, member)]) {
    expect(answer).toMatchObject({ status: 503, problem: { code: 'unavailable' } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  }
})
