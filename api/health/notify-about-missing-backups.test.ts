import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { anAdmin } from '#tests/builders.ts'
import { recipient } from '#tests/setup/backups.ts'
import { startApi } from '#tests/setup/start-api.ts'
import {
  recordBackupEnd,
  recordBackupFailure,
  recordBackupStart,
} from '../platform/backup/backup-run.queries.ts'
import { notifyAboutMissingBackups } from './notify-about-missing-backups.ts'

async function anInstallation(settings: Record<string, string>) {
  const started = await startApi(settings)
  const { services } = started
  const admins = [await anAdmin(started), await anAdmin(started)]
  const emails = async () => {
    const all = await Promise.all(admins.map(({ email }) => started.mailsTo(email)))
    return all.map((mails) => mails.filter(({ kind }) => kind === 'staff-backup-missing').length)
  }
  return {
    db: services.db,
    emails,
    /** The hourly job on two instances at once. */
    look: () => Promise.all([notifyAboutMissingBackups(services), notifyAboutMissingBackups(services)]),
    succeed: async () =>
      recordBackupEnd(services.db, await recordBackupStart(services.db, 'bucket'), {
        bytes: 1,
        failure: null,
      }),
  }
}

const everySixHours = { BACKUP_TO: '/mnt/x', BACKUP_RECIPIENT: recipient, BACKUP_EVERY_HOURS: '6' }

test('emails administrators once a day while a backup of the schedule is missing', async () => {
  const { db, emails, look, succeed } = await anInstallation(everySixHours)
  await look()
  await succeed()
  const letPass = (hours: number) =>
    sql`update backup_run set began_at = began_at - ${hours} * interval '1 hour',
      done_at = done_at - ${hours} * interval '1 hour'`.execute(db)
  await letPass(7.5)
  await look()
  expect(await emails()).toEqual([0, 0])
  await letPass(1)
  await recordBackupFailure(db, 'bucket', 'ENOSPC')
  await look()
  await look()
  expect(await emails()).toEqual([1, 1])
  await sql`update mail set created_at = created_at - interval '25 hours'`.execute(db)
  await look()
  expect(await emails()).toEqual([2, 2])
  await sql`update mail set created_at = created_at - interval '25 hours'`.execute(db)
  await succeed()
  await look()
  expect(await emails()).toEqual([2, 2])
})

test('emails about first backups that fail for two hours', async () => {
  const { db, emails, look } = await anInstallation(everySixHours)
  await recordBackupFailure(db, 'bucket', 'ENOSPC')
  await look()
  expect(await emails()).toEqual([0, 0])
  await sql`update backup_run set began_at = began_at - interval '121 minutes'`.execute(db)
  await look()
  expect(await emails()).toEqual([1, 1])
})

test('without a schedule, emails about a daily backup that is missing, but not if none was ever made', async () => {
  const { db, emails, look, succeed } = await anInstallation({
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://coin.example',
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  })
  await look()
  expect(await emails()).toEqual([0, 0])
  await succeed()
  await sql`update backup_run set done_at = now() - interval '27 hours'`.execute(db)
  await look()
  expect(await emails()).toEqual([1, 1])
})
