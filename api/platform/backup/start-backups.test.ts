import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { aFolder, recipient } from '#tests/setup/backups.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { openDiskStore } from '../files/file-store.ts'
import { findLastBackup, isBackupRunning } from './backup-run.queries.ts'
import { listStamps } from './manifest.ts'
import { startBackups } from './start-backups.ts'

/** An installation with a schedule, of which each call of `begin` starts another instance. */
async function aScheduledInstallation(settings: Record<string, string> = {}) {
  const folder = await aFolder()
  const schedule = { BACKUP_TO: folder, BACKUP_RECIPIENT: recipient, BACKUP_EVERY_HOURS: '24' }
  const { services } = await startApi({ ...schedule, ...settings })
  const { config, db } = services
  // Many files, so that a backup can be interrupted.
  for (let n = 0; n < 200; n += 1) await services.files.put(`pictures/${n}`, Buffer.from('a picture'))
  const environment = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    DATABASE_URL: config.databaseUrl,
    DATA_DIR: config.dataDir,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ...schedule,
    ...settings,
  }
  const begin = () => {
    const worker = startBackups(services, { every: 50, environment })!
    onTestFinished(() => worker.stop())
    return worker
  }
  const runs = () => db.selectFrom('backup_run').select(['failure', 'place']).orderBy('id').execute()
  return { services, db, begin, runs, environment, backups: () => listStamps(openDiskStore(folder)) }
}

const soon = { timeout: 60_000, interval: 50 }

test('without a schedule, no backup is made', async () => {
  const { services } = await startApi()
  expect(startBackups(services)).toBeUndefined()
})

test('one of several instances makes the backup, and an hour later one copies the erasure records', async () => {
  const { db, begin, runs, backups, services } = await aScheduledInstallation()
  const instances = [begin(), begin()]
  await vi.waitFor(async () => expect((await findLastBackup(db)).doneAt).toBeDefined(), soon)
  expect(await backups()).toHaveLength(1)
  await new Promise((resolve) => setTimeout(resolve, 500))
  for (const instance of instances) await instance.stop()
  expect(await runs()).toEqual([{ failure: null, place: 'directory' }])
  await services.files.put('erased/member/x', Buffer.from('{}'))
  await sql`update backup_run set done_at = done_at - interval '61 minutes'`.execute(db)
  begin()
  const copied = () =>
    db.selectFrom('job_run').selectAll().where('job', '=', 'erasureBackups').executeTakeFirst()
  await vi.waitFor(async () => expect(await copied()).toMatchObject({ failure: null }), soon)
  expect(await runs()).toHaveLength(1)
})

test('an interrupted backup is none, and another instance makes it after a pause', async () => {
  const { db, begin, runs, backups } = await aScheduledInstallation()
  const stopped = begin()
  await vi.waitFor(async () => expect(await runs()).toHaveLength(1), { ...soon, interval: 2 })
  await stopped.stop()
  expect(await runs()).toMatchObject([{ failure: 'interrupted' }])
  expect(await backups()).toEqual([])
  expect(await findLastBackup(db)).toMatchObject({ doneAt: undefined, hasFailedSince: true })
  begin()
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await runs()).toHaveLength(1)
  await sql`update backup_run set done_at = done_at - interval '6 minutes'`.execute(db)
  await vi.waitFor(async () => expect(await runs()).toMatchObject([{}, { failure: null }]), soon)
  expect(await backups()).toHaveLength(1)
  expect(await findLastBackup(db)).toMatchObject({ hasFailedSince: false })
})

/** Another instance as a process of its own, which can be killed. */
function startInstance(environment: Record<string, string | undefined>) {
  const program = `
    import { openDatabase } from '#api/platform/db/database.ts'
    import { readConfig } from '#api/platform/config/config.ts'
    import { startBackups } from '#api/platform/backup/start-backups.ts'
    import { makeKnownMaintenance } from '#api/platform/maintenance/known-maintenance.ts'
    const config = readConfig(process.env)
    const db = openDatabase(config.databaseUrl, () => {})
    startBackups({ db, config, log: console, maintenance: makeKnownMaintenance(db) }, { every: 50 })`
  const words = ['--input-type=module', '--eval', program]
  const child = spawn(process.execPath, words, { env: environment, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('kill -9 of an instance ends its backup, which counts as none, and another instance makes it', async () => {
  const { db, begin, runs, backups, environment } = await aScheduledInstallation()
  const instance = startInstance(environment)
  await vi.waitFor(async () => expect(await runs()).toHaveLength(1), { ...soon, interval: 2 })
  instance.kill('SIGKILL')
  await vi.waitFor(async () => expect(await isBackupRunning(db)).toBe(false), soon)
  expect(await backups()).toEqual([])
  expect(await findLastBackup(db)).toMatchObject({ doneAt: undefined, hasFailedSince: true })
  await sql`update backup_run set done_at = done_at - interval '6 minutes'`.execute(db)
  begin()
  await vi.waitFor(async () => expect(await runs()).toMatchObject([{}, { failure: null }]), soon)
  expect(await backups()).toHaveLength(1)
})

test('a failed backup is recorded once, and waits', async () => {
  const { begin, runs, db } = await aScheduledInstallation({ BACKUP_TO: '/dev/null/nowhere' })
  begin()
  await vi.waitFor(async () => expect((await findLastBackup(db)).hasFailedSince).toBe(true), soon)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(await runs()).toHaveLength(1)
})

test('a command that can’t record its failure doesn’t start again at once', async () => {
  const { begin, runs, services } = await aScheduledInstallation()
  const worker = startBackups(services, { every: 50, environment: { DATABASE_URL: 'no address' } })!
  onTestFinished(() => worker.stop())
  await vi.waitFor(async () => expect(await runs()).toMatchObject([{ failure: 'exit code 1' }]), soon)
  begin()
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await runs()).toHaveLength(1)
})
