import { writeFileSync } from 'node:fs'
import { makeIdentity } from '#api/platform/backup/age.ts'
import {
  listBackupRuns,
  recordBackupEnd,
  recordBackupFailure,
  recordBackupStart,
} from '#api/platform/backup/backup-run.queries.ts'
import { nextBackupAt } from '#api/platform/backup/backup-schedule.ts'
import { BackupBusy, backUpErasures, makeBackup, type BackupOf } from '#api/platform/backup/make-backup.ts'
import { bytesOf, listStamps, type Manifest } from '#api/platform/backup/manifest.ts'
import { verifyBackup } from '#api/platform/backup/restore-backup.ts'
import { openDatabase } from '#api/platform/db/database.ts'
import { isBucket, openExistingStore } from '#api/platform/files/open-store.ts'
import { readKeyFiles } from '#api/platform/master-key/key-file.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { commandLine } from '#api/platform/command-line.ts'
import { identityOf, readSettings, recipientOf, targetOf } from './backup-settings.ts'
import { reachDatabase, run } from './reach-database.ts'

/** The running product adds it: another instance may be doing the same, or may have just done it. */
const scheduled = '--scheduled'
const isScheduled = process.argv.includes(scheduled)
const [what = 'make', name, ...rest] = process.argv.slice(2).filter((word) => word !== scheduled)
const usage = `Usage: ${commandLine('backup', '[erasures | list | verify [NAME] | key FILE]')}.`

async function withInstallation<T>(work: (of: BackupOf) => Promise<T>): Promise<T> {
  const config = readSettings()
  const [target, recipient] = [targetOf(config), recipientOf(config)]
  const files = openExistingStore(config)
  const reached = await reachDatabase('read')
  try {
    return await work({
      url: reached.url,
      files,
      masterKey: config.encryptionKey ?? readKeyFiles(config.dataDir).now,
      target,
      recipient,
      keep: config.backupKeep,
      workDir: config.dataDir,
    })
  } finally {
    await reached.close()
  }
}

/** The schedule doesn't need the run that it asked for: another instance has done it. */
class NotDue extends Error {}

/**
 * Records each run, because the health page shows the last backup and whether a later run failed. A run that the schedule
 * started requires that it is still due.
 */
async function recorded(of: BackupOf): Promise<Manifest> {
  const { backupTo, backupSchedule } = readSettings()
  const place = isBucket(backupTo!) ? 'bucket' : 'directory'
  const db = openDatabase(of.url, () => undefined)
  let run: string | undefined
  const begin = async () => {
    const { runs, now } = await listBackupRuns(db)
    if (isScheduled && backupSchedule && nextBackupAt(runs, now, backupSchedule) > now) throw new NotDue()
    run = await recordBackupStart(db, place)
  }
  try {
    const manifest = await makeBackup({ ...of, begin })
    await recordBackupEnd(db, run!, { bytes: bytesOf(manifest), failure: null })
    return manifest
  } catch (error) {
    const { name, code = name } = ((error as Error).cause ?? error) as Error & { code?: string }
    const failure = code.slice(0, 60)
    if (run !== undefined) await recordBackupEnd(db, run, { bytes: null, failure }).catch(() => undefined)
    else if (!isUnneeded(error)) await recordBackupFailure(db, place, failure).catch(() => undefined)
    throw error
  } finally {
    await db.destroy()
  }
}

const isUnneeded = (error: unknown): boolean => error instanceof NotDue || error instanceof BackupBusy

const commands: Record<string, () => Promise<string>> = {
  async make() {
    const { stamp, rows, files, migration } = await withInstallation(recorded)
    return `${stamp}: ${rows} rows at migration ${migration}, ${files.length} files, and the master key backed up`
  },
  async erasures() {
    return `${await withInstallation(backUpErasures)} erasure records backed up`
  },
  async list() {
    const stamps = await listStamps(targetOf(readSettings()))
    return stamps.length > 0 ? stamps.join('\n') : 'There are no complete backups.'
  },
  async verify() {
    const config = readSettings()
    const identity = identityOf(config)
    const from = { target: targetOf(config), identity, stamp: name, workDir: config.dataDir }
    const { stamp, rows, files, migration } = await verifyBackup(from)
    const how = identity
      ? 'decrypted and read in full'
      : 'checksums match, but decryption needs BACKUP_IDENTITY'
    return `${stamp}: the dump of ${rows} rows at migration ${migration}, ${files.length} files, and the key are complete (${how})`
  },
  async key() {
    if (!name) throw new StartRefused(usage)
    const { identity, recipient } = await makeIdentity()
    try {
      writeFileSync(name, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx' })
    } catch (error) {
      throw new StartRefused(`${name} can’t be written (${(error as NodeJS.ErrnoException).code}).`)
    }
    return `Store ${name} away from this machine and the backups. Set BACKUP_RECIPIENT=${recipient}`
  },
}

await run(async () => {
  const command = commands[what]
  if (!command || rest.length > 0) throw new StartRefused(usage)
  try {
    console.log(await command())
  } catch (error) {
    if (!isScheduled || !isUnneeded(error)) throw error
  }
})
