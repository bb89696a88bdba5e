import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anEmail, aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { proofOf } from '#tests/setup/solve-work.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { sql } from 'kysely'
import { recordRun } from '../../platform/jobs/record-run.ts'
import { logJobs } from '../../platform/operations/observe.ts'

const token = 'the-token-of-those-who-watch'
const authorization = `Bearer ${token}`

async function read(started: TestApi) {
  const { statusCode, body } = await started.app.inject({ url: '/metrics', headers: { authorization } })
  expect(statusCode).toBe(200)
  const of = (sample: string) => {
    const line = body.split('\n').find((each) => each.startsWith(`${sample} `))
    return line === undefined ? undefined : Number(line.slice(sample.length + 1))
  }
  return { body, of }
}

test('metrics need the token, and do not exist without one', async () => {
  const started = await startApi({ METRICS_TOKEN: token })
  for (const headers of [{}, { authorization: 'Bearer x' }, { authorization: token }])
    expect((await started.app.inject({ url: '/metrics', headers })).statusCode).toBe(401)
  const without = await startApi()
  expect((await without.app.inject({ url: '/metrics', headers: { authorization } })).statusCode).toBe(404)
})

test('measures the pool, the outbox, jobs, queues, instances, and the event loop', async () => {
  const started = await startApi({ METRICS_TOKEN: token })
  const { db } = started.services
  await sql`insert into mail (id, to_address, kind, sealed_message, state, created_at) values
    ('a', 'a@example.org', 'x', '', 'waiting', now() - interval '1 hour'), ('b', 'a@example.org', 'x', null, 'failed', now())`.execute(
    db,
  )
  await cleanUp(started.services)
  await recordRun(db, 'publishing', () => Promise.reject(new TypeError('x'))).catch(() => {})
  const { of } = await read(started)
  expect(of('database_up')).toBe(1)
  expect(of('database_pool_connections_max')).toBeGreaterThan(1)
  expect(of('database_pool_connections{state="idle"}')).toBeGreaterThanOrEqual(0)
  expect(of('database_pool_waiting')).toBe(0)
  expect(of('mails{state="waiting"}')).toBe(1)
  expect(of('mails{state="failed"}')).toBe(1)
  expect(of('mail_oldest_waiting_seconds')).toBeGreaterThan(3500)
  expect(of('queue_items{queue="orders_due"}')).toBe(0)
  expect(of('job_duration_seconds_count{job_name="trash",outcome="done"}')).toBe(1)
  expect(of('job_duration_seconds_count{job_name="publishing",outcome="failed"}')).toBe(1)
  expect(of('job_last_success_timestamp_seconds{job_name="trash"}')).toBeGreaterThan(1_000_000_000)
  expect(of('job_failed{job_name="publishing"}')).toBe(1)
  expect(of('program_instances')).toBe(0)
  expect(of('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
})

test('counts proofs of work by endpoint and outcome', async () => {
  const started = await startApi({ METRICS_TOKEN: token })
  const apply = (headers = {}) =>
    started.call(
      api.applyAsAmbassador,
      { body: { email: anEmail(), fullName: 'A', city: 'B', country: 'C' } },
      { headers },
    )
  for (let done = 0; done < api.applyAsAmbassador.proofOfWorkAfter!; done += 1) await apply()
  const { problem } = await apply()
  const proof = proofOf(problem.work!)
  for (const expected of [201, 429]) expect((await apply(proof)).status).toBe(expected)
  const { of } = await read(started)
  const counted = (outcome: string) =>
    of(`proofs_of_work_total{call="applyAsAmbassador",outcome="${outcome}"}`)
  expect([counted('asked'), counted('solved'), counted('refused')]).toEqual([2, 1, 1])
})

test('counts failed sign-ins by code, and names no one', async () => {
  const started = await startApi({ METRICS_TOKEN: token })
  const member = await aSignedInMember(started)
  const wrong = { email: member.email, password: 'not this one' }
  await started.call(api.signIn, { body: wrong })
  await started.call(api.signIn, { body: { ...wrong, email: anEmail() } })
  await started.call(api.getKyc, { params: { id: 'nobodys' } })
  const { of, body } = await read(started)
  expect(of('sign_in_failures_total{code="credentials_invalid"}')).toBe(2)
  expect(of('refusals_total{code="unauthenticated"}')).toBe(1)
  expect(body).not.toContain(member.email)
  expect(body).not.toContain('nobodys')
})

test('keeps process metrics while the database does not respond, and says so', async () => {
  const started = await startApi({ METRICS_TOKEN: token })
  expect((await read(started)).of('mails{state="waiting"}')).toBe(0)
  await sql`alter table mail rename to elsewhere`.execute(started.services.db)
  const { of } = await read(started)
  expect(of('database_up')).toBe(0)
  expect(of('mails{state="waiting"}')).toBe(undefined)
  expect(of('database_connections')).toBe(0)
  expect(of('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
})

test('names follow the Prometheus conventions', async () => {
  const { body } = await read(await startApi({ METRICS_TOKEN: token }))
  const types = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => ({
    name: name!,
    type: type!,
  }))
  expect(types.length).toBeGreaterThan(40)
  for (const { name, type } of types) {
    expect(name).toMatch(/^[a-z]+(_[a-z\d]+)*$/)
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
  }
  const helps = [...body.matchAll(/^# HELP (\S+) (.+)$/gm)]
  expect(helps).toHaveLength(types.length)
})

test('logs the duration and failure of jobs, at most once a minute without news', async () => {
  const { services } = await startApi()
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>)
      done()
    },
  })
  const app = Fastify({ logger: { level: 'info', stream } })
  logJobs(app, services.db)
  const run = (work: () => Promise<void>) => recordRun(services.db, 'publishing', work).catch(() => {})
  await run(() => Promise.resolve())
  await run(() => Promise.resolve())
  await run(() => Promise.reject(Object.assign(new Error('x'), { code: 'ENOSPC' })))
  await app.close()
  await run(() => Promise.resolve())
  expect(lines.map(({ msg, job, reason }) => [msg, job, reason])).toEqual([
    ['a job is done', 'publishing', undefined],
    ['a job failed', 'publishing', 'ENOSPC'],
  ])
  expect(lines[0]).toMatchObject({ level: 30, ms: expect.any(Number) as number })
})

test('measures the file store: whether it works, and its disk space', async () => {
  const started = await startApi({ METRICS_TOKEN: token })
  const { of } = await read(started)
  expect(of('file_store_up')).toBe(1)
  expect(of('data_disk_size_bytes')).toBeGreaterThan(of('data_disk_free_bytes')!)
})

test('reports an unwritable store as down, and omits unknown values', async () => {
  const started = await startApi({ METRICS_TOKEN: token })
  const { config } = started.services
  // A file in place of the store's folder, like a missing or read-only disk.
  await rm(join(config.dataDir, 'files'), { recursive: true, force: true })
  await writeFile(join(config.dataDir, 'files'), '')
  expect((await read(started)).of('file_store_up')).toBe(0)
})

test('a hanging store delays no other metrics, and is reported as down after the timeout', async () => {
  const started = await startApi({ METRICS_TOKEN: token })
  Object.assign(started.services.files, { get: () => new Promise(() => {}) })
  const begun = performance.now()
  const { of } = await read(started)
  expect(performance.now() - begun).toBeLessThan(8000)
  expect(of('database_up')).toBe(1)
  expect(of('file_store_up')).toBe(undefined)
  await expect.poll(async () => (await read(started)).of('file_store_up'), { timeout: 20_000 }).toBe(0)
})
