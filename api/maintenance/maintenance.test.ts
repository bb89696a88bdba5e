import { PassThrough } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { enforceDeadlines } from '#api/money/orders/deadline-worker.ts'
import { apiBase } from '#api/app.ts'
import {
  insertLostFactor,
  listMembersWithLostFactorDue,
  markConfirmed,
} from '#api/people/sessions/lost-factors/lost-factor.queries.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { transaction } from '#api/platform/db/database.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import { parseEnd, switchMaintenance } from '../../scripts/admin/switch-maintenance.ts'
import { listenToChanges } from '#api/platform/db/changes.ts'
import { haveEnded, readNextTransaction } from '#api/platform/maintenance/maintenance.queries.ts'
import { startByClock } from '#api/platform/jobs/start-by-clock.ts'
import { startEvery } from '#api/platform/jobs/start-every.ts'
import { api } from '#contract/api.ts'
import { HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import { anAdmin, anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { as, letProofAge } from '#tests/step-up.ts'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'
import { endMaintenance, startMaintenance } from './switch-maintenance.ts'

async function turnOn({ services }: TestApi, until: Date | null = null): Promise<void> {
  await startMaintenance(services.db, { actorId: null, until })
  await services.maintenance.reload()
}

async function turnOff({ services }: TestApi): Promise<void> {
  await endMaintenance(services.db, { actorId: null })
  await services.maintenance.reload()
}

/** Moves the beginning of maintenance into the past. */
const letPass = ({ services }: TestApi, ms: number) =>
  sql`update maintenance set since = since - ${ms / SECOND} * interval '1 second'`.execute(services.db)

const actionsIn = async ({ services }: TestApi) => {
  const rows = await services.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id', 'detail'])
    .where('subject_kind', '=', 'maintenance')
    .orderBy('id')
    .execute()
  return rows.map(({ action, actor_id, detail }) => [action, actor_id, detail])
}

test('an administrator turns maintenance on and off with step-up authentication, and the audit log says so', async () => {
  const started = await startApi()
  const admin = await anAdmin(started)
  const until = new Date(Date.now() + HOUR).toISOString()
  const on = () => started.call(api.setMaintenance, { body: { isOn: true, until } }, as(admin))
  await letProofAge(started)
  expect((await on()).problem.code).toBe('step_up_required')
  expect((await started.call(api.stepUp, { body: { password: admin.password } }, as(admin))).status).toBe(200)
  const past = { isOn: true, until: new Date(0).toISOString() }
  expect((await started.call(api.setMaintenance, { body: past }, as(admin))).problem).toMatchObject({
    code: 'validation_failed',
    errors: [{ path: 'until', code: 'past' }],
  })
  const turned = await on()
  expect(turned.body.maintenance).toMatchObject({ until, by: expect.stringContaining(admin.email) as string })
  expect((await started.call(api.readHealth, {}, as(admin))).body.maintenance).toEqual(
    turned.body.maintenance,
  )
  // It can be turned off by someone who signs in meanwhile.
  const signedIn = await started.call(
    api.signIn,
    { body: { email: admin.email, password: admin.password } },
    { ip: admin.ip, cookies: admin.cookies },
  )
  expect(signedIn.status).toBe(200)
  const off = await started.call(
    api.setMaintenance,
    { body: { isOn: false } },
    { ip: admin.ip, token: signedIn.body.token },
  )
  expect(off.body).toEqual({ maintenance: null })
  expect(await actionsIn(started)).toEqual([
    ['maintenance-started', admin.id, { until }],
    ['maintenance-ended', admin.id, { seconds: expect.any(Number) as number, orders: 0 }],
  ])
})

const change = ({ call }: TestApi, member: TestMember, language = 'en') =>
  call(api.revokeOtherSessions, { body: null }, { ...as(member), headers: { 'accept-language': language } })

test('a refusal says in the reader’s language that nothing was saved, and when to try again', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  await turnOn(started)
  const open = await change(started, member)
  expect([open.status, open.headers['retry-after']]).toEqual([503, '60'])
  expect(open.problem).toMatchObject({
    code: 'maintenance',
    message: 'The site is being maintained. Nothing was saved. Try again later.',
  })
  const until = new Date(Date.now() + 10 * MINUTE)
  await turnOn(started, until)
  const known = await change(started, member, 'zh-CN')
  expect(Number(known.headers['retry-after'])).toBeGreaterThan(590)
  expect(known.problem.message).toContain(`${until.toISOString().slice(11, 16)} UTC`)
  expect(known.problem.message).toContain('没有保存')
  // A time that has passed helps no one.
  await turnOn(started, new Date(Date.now() - MINUTE))
  expect((await change(started, member)).problem.message).toBe(open.problem.message)
  expect((await actionsIn(started)).map(([action]) => action)).toEqual([
    'maintenance-started',
    'maintenance-changed',
    'maintenance-changed',
  ])
})

test('another instance refuses within a second, and accepts again within a second', async () => {
  const first = await startApi()
  const second = await startAnotherInstance(first)
  const changes = listenToChanges(first.services.config.databaseUrl!)
  onTestFinished(() => changes.close())
  let isListening = false
  changes.onListening((next) => (isListening = next))
  second.services.maintenance.follow(changes)
  await expect.poll(() => isListening).toBe(true)
  const member = await aSignedInMember(first)
  const status = async () => (await change(second, member)).status
  expect(await status()).toBe(200)
  await turnOn(first)
  await expect.poll(status, { timeout: SECOND, interval: 20 }).toBe(503)
  await turnOff(first)
  await expect.poll(status, { timeout: SECOND, interval: 20 }).toBe(200)
})

test('an instance that hears no announcements reads the state before it writes', async () => {
  const first = await startApi()
  const second = await startAnotherInstance(first)
  const member = await aSignedInMember(first)
  second.services.maintenance.follow({ on: () => {}, onListening: (listener) => listener(false) })
  expect((await change(second, member)).status).toBe(200)
  await turnOn(first)
  await expect
    .poll(async () => (await change(second, member)).status, { timeout: 2 * SECOND, interval: 100 })
    .toBe(503)
})

test('a change that has begun is completed, and one whose body is still arriving is refused', async () => {
  const started = await startApi()
  const { db } = started.services
  const [member, other] = [await aSignedInMember(started), await aSignedInMember(started)]
  const body = new PassThrough()
  const arriving = started.send({
    method: 'POST',
    url: `${apiBase}${api.revokeOtherSessions.path}`,
    headers: { 'x-app-id': defaultAppId, 'x-access-token': other.token, 'content-type': 'application/json' },
    payload: body,
  })
  const { promise: isLocked, resolve: lock } = Promise.withResolvers<void>()
  const { promise: isOver, resolve: release } = Promise.withResolvers<void>()
  const holding = transaction(db, async (db) => {
    await sql`lock table session in exclusive mode`.execute(db)
    lock()
    await isOver
  })
  await isLocked
  const begun = change(started, member)
  await expect
    .poll(async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(db)
      return rows.length
    })
    .toBeGreaterThan(0)
  await turnOn(started)
  release()
  await holding
  expect((await begun).status).toBe(200)
  body.end('{}')
  expect((await arriving).json()).toMatchObject({ code: 'maintenance' })
})

test('jobs pause, a round that is running is told to stop, and both go on afterward', async () => {
  const started = await startApi()
  const { services } = started
  const rounds = { every: 0, byClock: 0, always: 0 }
  let toldToStop = false
  const workers = [
    startEvery(services, {
      job: 'digests',
      every: 20,
      failed: '',
      work: async (isStopped) => {
        rounds.every += 1
        // Runs until maintenance begins.
        while (rounds.every === 1 && !isStopped()) await setTimeout(10)
        toldToStop ||= isStopped()
      },
    }),
    startByClock(services, {
      job: 'publishing',
      topic: 'announcements',
      failed: '',
      work: async () => (rounds.byClock += 1) && 20,
    }),
    startEvery(services, {
      job: 'auditSeals',
      every: 20,
      failed: '',
      worksInMaintenance: true,
      work: async () => (rounds.always += 1),
    }),
  ]
  onTestFinished(async () => {
    for (const worker of workers) await worker.stop()
  })
  await expect.poll(() => Math.min(rounds.every, rounds.byClock)).toBeGreaterThan(0)
  await turnOn(started)
  await expect.poll(() => toldToStop).toBe(true)
  await setTimeout(400)
  const paused = { ...rounds }
  await setTimeout(400)
  expect([rounds.every, rounds.byClock]).toEqual([paused.every, paused.byClock])
  expect(rounds.always).toBeGreaterThan(paused.always)
  await turnOff(started)
  await expect
    .poll(() => rounds.every > paused.every && rounds.byClock > paused.byClock, { timeout: 7000 })
    .toBe(true)
})

test('the hourly cleanup does nothing during maintenance', async () => {
  const started = await startApi()
  const { db } = started.services
  const lastRuns = async () => (await db.selectFrom('job_run').select('job').execute()).length
  await turnOn(started)
  await cleanUp(started.services)
  expect(await lastRuns()).toBe(0)
  await turnOff(started)
  await cleanUp(started.services)
  expect(await lastRuns()).toBeGreaterThan(10)
})

test('a payment deadline that passes during maintenance is extended by its duration, and one before it isn’t', async () => {
  const started = await startApi()
  const { db } = started.services
  const anOrderDue = async (ms: number) => {
    const member = await aSignedInMember(started)
    const { id } = await anOrder(started, member.id)
    await sql`update token_order set pay_before = now() + ${ms / SECOND} * interval '1 second' where id = ${id}`.execute(
      db,
    )
    return id
  }
  const late = await anOrderDue(-3 * HOUR)
  const during = await anOrderDue(-HOUR)
  await turnOn(started)
  await letPass(started, 2 * HOUR)
  await turnOff(started)
  await enforceDeadlines(started.services)
  const rows = await db.selectFrom('token_order').select(['id', 'status', 'pay_before']).execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  expect([found.get(late)!.status, found.get(during)!.status]).toEqual(['cancelled', 'pending'])
  expect(Math.abs(found.get(during)!.pay_before!.getTime() - Date.now() - HOUR)).toBeLessThan(MINUTE)
  expect((await actionsIn(started)).at(-1)).toEqual(['maintenance-ended', null, { seconds: 7200, orders: 1 }])
})

test('a recovery that a member could not stop takes effect later by the duration', async () => {
  const started = await startApi()
  const { db } = started.services
  const [member, officer] = [await aSignedInMember(started), await aSignedInMember(started)]
  const { id } = await insertLostFactor(db, member.id)
  await markConfirmed(db, id, officer.id)
  await sql`update lost_factor set takes_effect_at = now() - interval '1 minute'`.execute(db)
  await turnOn(started)
  await letPass(started, HOUR)
  expect(await listMembersWithLostFactorDue(db)).toEqual([])
  await turnOff(started)
  expect(await listMembersWithLostFactorDue(db)).toEqual([])
  await sql`update lost_factor set takes_effect_at = takes_effect_at - interval '1 hour'`.execute(db)
  expect(await listMembersWithLostFactorDue(db)).toHaveLength(1)
})

test('health, readiness, and metrics say that maintenance is on; jobs that pause aren’t late', async () => {
  const token = 'the-token-of-those-who-watch'
  const started = await startApi({ METRICS_TOKEN: token })
  const headers = { authorization: `Bearer ${token}` }
  await cleanUp(started.services)
  await sql`update job_run set began_at = now() - interval '4 hours'`.execute(started.services.db)
  const problems = async () => {
    const { status, body } = await started.call(api.checkReadiness, {}, { headers })
    expect(status).toBe(200)
    return body.degraded?.find(({ part }) => part === 'jobs')?.problems
  }
  const metric = async () => (await started.app.inject({ url: '/metrics', headers })).body
  expect(await problems()).toEqual(['jobs_late'])
  expect(await metric()).toContain('\nmaintenance_on 0\n')
  await turnOn(started)
  expect(await problems()).toEqual(['maintenance_on'])
  expect(await metric()).toContain('\nmaintenance_on 1\n')
})

test('the command turns it on and off, leaves audit entries, and refuses what it does not understand', async () => {
  const started = await startApi()
  const { db, maintenance } = started.services
  expect(await switchMaintenance(db, ['on', '--until', '2100-01-01T00:00Z'])).toBe(
    'Maintenance is on. No change is in progress.',
  )
  await maintenance.reload()
  expect(maintenance.current()?.until?.toISOString()).toBe('2100-01-01T00:00:00.000Z')
  expect(await switchMaintenance(db, ['off'])).toBe('Maintenance is off.')
  expect(await switchMaintenance(db, ['off'])).toBe('Maintenance was already off.')
  for (const args of [
    [],
    ['up'],
    ['on', '--until'],
    ['on', 'now'],
    ['off', 'now'],
    ['on', '--until', '2000-01-01T00:00Z'],
  ])
    await expect(switchMaintenance(db, args)).rejects.toThrow(StartRefused)
  expect((await actionsIn(started)).map(([action, actor]) => [action, actor])).toEqual([
    ['maintenance-started', null],
    ['maintenance-ended', null],
  ])
})

test('the command waits for changes of this database, not for those of other databases on the server', async () => {
  const { services } = await startApi()
  const { db, config } = services
  const url = config.databaseUrl!
  const elsewhere = new URL(url)
  elsewhere.pathname = '/postgres'
  const write = async (connectionString: string) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('begin; select pg_current_xact_id()')
    return client
  }
  await write(elsewhere.href)
  expect(await haveEnded(db, await readNextTransaction(db))).toBe(true)
  const writer = await write(url)
  const next = await readNextTransaction(db)
  expect(await haveEnded(db, next)).toBe(false)
  await writer.query('commit')
  await write(url)
  expect(await haveEnded(db, next)).toBe(true)
})

test('an end without a day is the next such time in UTC', () => {
  const now = new Date('2036-05-01T12:00:00Z')
  expect(parseEnd('14:30', now).toISOString()).toBe('2036-05-01T14:30:00.000Z')
  expect(parseEnd('9:05', now).toISOString()).toBe('2036-05-02T09:05:00.000Z')
  expect(parseEnd('2036-05-01T14:30+02:00', now).toISOString()).toBe('2036-05-01T12:30:00.000Z')
})
