import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { healthChecks, type HealthCheckName } from '#contract/console/console-health.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { recipient } from '#tests/setup/backups.ts'
import { modules } from '../app.ts'
import {
  recordBackupEnd,
  recordBackupFailure,
  recordBackupStart,
} from '../platform/backup/backup-run.queries.ts'
import { instance } from '../platform/jobs/instance.ts'
import { cleanUp as runCleanUp } from '../platform/jobs/housekeeping.ts'
import { recordRun } from '../platform/jobs/record-run.ts'
import type { Module } from '../platform/module.ts'
import { startHeartbeat } from './health.ts'

const read = async (started: TestApi, admin: TestMember) => {
  const answer = await started.call(api.readHealth, {}, { token: admin.token })
  expect(answer.status).toBe(200)
  const of = (name: HealthCheckName) => answer.body.checks.find((check) => check.name === name)!
  const fact = (name: HealthCheckName, wanted: string) =>
    of(name).facts.find((each) => each.name === wanted)?.value
  return { ...answer.body, of, fact }
}

test('a new installation passes every check, and reports unusual things but no secrets', async () => {
  const started = await startApi()
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const health = await read(started, admin)
  expect(health.checks.map(({ name }) => name)).toEqual(healthChecks)
  const { of, fact } = health
  for (const name of ['database', 'mail', 'storage', 'queues', 'jobs', 'keys', 'versions'] as const)
    expect([name, of(name).problems]).toEqual([name, []])
  // On a developer's machine nothing can be lost, so this is neither a fault nor a healthy state.
  expect(of('backup')).toEqual({ name: 'backup', state: 'unchecked', problems: [], facts: [] })
  expect(of('record')).toMatchObject({ state: 'attention', problems: ['record_never'] })
  expect(of('settings').problems).toEqual(['one_administrator'])
  expect(fact('versions', 'node')).toBe(process.versions.node)
  expect(fact('database', 'version')).toMatch(/^\d+/)
  expect(Number(fact('database', 'size'))).toBeGreaterThan(1_000_000)
  expect(Number(fact('versions', 'migrations'))).toBeGreaterThan(20)
  const text = JSON.stringify(health)
  expect(text).not.toContain(admin.email)
  const { password } = new URL(started.services.config.databaseUrl!)
  if (password) expect(text).not.toContain(password)
})

test('names settings that are unusual in production', async () => {
  const started = await startApi({
    NODE_ENV: 'production',
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    PUBLIC_URL: 'https://coin.example',
    KYC_FOUR_EYES: 'off',
    PROOF_OF_WORK: 'off',
    SCREENING_LIST: '/nowhere/list.csv',
  })
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  await aSignedInMember(started, { is_write_access_admin: true })
  const { of, fact } = await read(started, admin)
  expect(of('settings')).toMatchObject({
    state: 'down',
    problems: [
      'proxy_unnamed',
      'factor_optional',
      'proof_of_work_off',
      'four_eyes_off_orders',
      'four_eyes_off_sale',
      'four_eyes_off_content',
      'four_eyes_off',
      'screening_list_unreadable',
      'log_silent',
    ],
  })
  expect(of('mail').problems).toEqual(['mail_unset'])
  expect(fact('keys', 'masterKey')).toBe('environment')
})

test('ignores an administrator with pending rights, and detects an unnamed proxy', async () => {
  const started = await startApi()
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const second = await aSignedInMember(started, { is_write_access_admin: true })
  expect((await read(started, admin)).of('settings').problems).toEqual([])
  const set = (change: { password_length_ok_for_staff: boolean }) =>
    started.services.db.updateTable('member').set(change).where('id', '=', second.id).execute()
  await set({ password_length_ok_for_staff: false })
  const { of, fact } = await read(started, admin)
  expect([of('settings').problems, fact('settings', 'administrators')]).toEqual([['one_administrator'], '1'])
  await set({ password_length_ok_for_staff: true })
  await started.call(api.checkReadiness, {}, { headers: { 'x-forwarded-for': '203.0.113.9' } })
  expect((await read(started, admin)).of('settings').problems).toEqual(['proxy_unnamed'])
})

test('reports waiting or failed emails, and late posts and orders', async () => {
  const started = await startApi({ SMTP_URL: 'smtp://127.0.0.1:9' })
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const { db } = started.services
  await sql`insert into mail (id, to_address, kind, sealed_message, state, last_error, created_at) values
    ('a', 'a@example.org', 'x', '', 'waiting', 'ECONNREFUSED', now() - interval '1 hour'),
    ('b', 'a@example.org', 'x', null, 'failed', '550', now() - interval '2 days'),
    ('c', 'a@example.org', 'x', null, 'failed', '551', now() - interval '20 days')`.execute(db)
  const order = await anOrder(started, (await aSignedInMember(started)).id, {
    receivingAddress: 'somewhere',
  })
  await sql`update token_order set pay_before = now() - interval '1 hour' where id = ${order.id}`.execute(db)
  const { of, fact } = await read(started, admin)
  expect(of('mail')).toMatchObject({ state: 'attention', problems: ['mail_waiting', 'mail_failed'] })
  expect(fact('mail', 'failed')).toBe('1')
  expect(fact('mail', 'lastError')).toBe('ECONNREFUSED')
  expect(of('queues').problems).toEqual(['orders_overdue'])
})

test('a schedule of backups decides when one is missing, and shows the next one', async () => {
  const started = await startApi({
    BACKUP_TO: '/mnt/x',
    BACKUP_RECIPIENT: recipient,
    BACKUP_EVERY_HOURS: '6',
  })
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const { db } = started.services
  const problems = async () => (await read(started, admin)).of('backup').problems
  expect(await problems()).toEqual(['backup_never'])
  await recordBackupFailure(db, 'bucket', 'ENOSPC')
  expect(await problems()).toEqual(['backup_failed'])
  await recordBackupEnd(db, await recordBackupStart(db, 'bucket'), { bytes: 1, failure: null })
  const { of, fact } = await read(started, admin)
  expect(of('backup')).toMatchObject({ state: 'good', problems: [] })
  expect(new Date(fact('backup', 'nextBackup')!).getTime()).toBeGreaterThan(Date.now())
  await sql`update backup_run set done_at = now() - interval '481 minutes'`.execute(db)
  expect(await problems()).toEqual(['backup_old'])
})

test('detects a store that does not respond and a readable key file', async () => {
  const started = await startApi()
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const { dataDir } = started.services.config
  await mkdir(join(dataDir, 'keys'), { recursive: true })
  await writeFile(join(dataDir, 'keys', 'master.key'), 'x', { mode: 0o644 })
  await rm(join(dataDir, 'files'), { recursive: true, force: true })
  // A file in place of the folder: no name below it can be looked up.
  await mkdir(join(dataDir, 'files'))
  await writeFile(join(dataDir, 'files', 'health'), '')
  const { of, fact } = await read(started, admin)
  expect(of('storage')).toMatchObject({ state: 'down', problems: ['storage_unreachable'] })
  expect(of('keys').problems).toEqual(['key_readable'])
  expect(fact('keys', 'masterKey')).toBe('file')
})

test('a failed check hides no other', async () => {
  const started = await startApi()
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  await sql`alter table pending_file rename to elsewhere`.execute(started.services.db)
  const { of } = await read(started, admin)
  expect(of('queues')).toEqual({
    name: 'queues',
    state: 'down',
    problems: ['check_failed'],
    facts: [{ name: 'why', value: '42P01' }],
  })
  expect(of('database').state).toBe('good')
})

test('every housekeeping step has a recent run', async () => {
  const started = await startApi()
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  await cleanUp(started.services)
  const { jobs, of } = await read(started, admin)
  const steps = (modules as readonly Module[]).flatMap(({ cleanUp = {} }) => Object.keys(cleanUp))
  expect(jobs.map(({ name }) => name).toSorted()).toEqual(steps.toSorted())
  expect(new Set(jobs.map(({ state }) => state))).toEqual(new Set(['good']))
  expect(of('jobs')).toMatchObject({ state: 'good' })
})

test('reports a failed or silent job in any instance, and keeps its last success', async () => {
  const started = await startApi()
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const { services } = started
  const failing: Module = {
    cleanUp: {
      trash: () => Promise.reject(Object.assign(new Error('about person@example.org'), { code: 'ENOSPC' })),
    },
  }
  await runCleanUp(services, [{ cleanUp: { trash: () => Promise.resolve() } }])
  const before = (await read(started, admin)).jobs[0]!
  await sql`update job_run set instance_id = 'another'`.execute(services.db)
  expect(await runCleanUp(services, [failing])).toEqual(['trash'])
  const { jobs, of } = await read(started, admin)
  expect(jobs).toEqual([
    {
      name: 'trash',
      state: 'failed',
      beganAt: expect.any(String),
      ms: expect.any(Number),
      failure: 'ENOSPC',
      doneAt: before.doneAt,
      instance: instance.id.slice(0, 8),
    },
  ])
  expect(of('jobs')).toMatchObject({ state: 'attention', problems: ['jobs_failed'] })
  await sql`update job_run set failure = null, began_at = now() - interval '4 hours'`.execute(services.db)
  expect((await read(started, admin)).of('jobs').problems).toEqual(['jobs_late'])
})

test('a frequent worker records each minute, or when it starts to fail', async () => {
  const { services } = await startApi()
  const { db } = services
  const run = (work: () => Promise<void>) => recordRun(db, 'publishing', work).catch(() => {})
  const written = async () =>
    (await db.selectFrom('job_run').select(['began_at', 'failure']).execute()).map((row) => ({
      ...row,
      began_at: row.began_at.getTime(),
    }))
  await run(() => Promise.resolve())
  const first = await written()
  await run(() => Promise.resolve())
  expect(await written()).toEqual(first)
  await run(() => Promise.reject(new TypeError('x')))
  expect((await written())[0]!.failure).toBe('TypeError')
  await run(() => Promise.resolve())
  expect((await written())[0]!.failure).toBe(null)
})

test('lists running instances, and flags a different version', async () => {
  const started = await startApi()
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const { db } = started.services
  const beating = startHeartbeat(started.services)
  await expect.poll(async () => (await read(started, admin)).instances.length).toBe(1)
  await sql`insert into program_instance (id, host, version, node, started_at, seen_at) values
    ('other', 'b', '0.0.9', '24', now(), now()), ('gone', 'c', '0.0.8', '24', now(), now() - interval '1 hour')`.execute(
    db,
  )
  const { instances, of } = await read(started, admin)
  expect(instances.map(({ id, isThis }) => [id, isThis])).toEqual([
    [instance.id.slice(0, 8), true],
    ['other', false],
  ])
  expect(of('versions').problems).toEqual(['versions_differ'])
  await beating.stop()
  expect((await read(started, admin)).instances.map(({ id }) => id)).toEqual(['other'])
})
