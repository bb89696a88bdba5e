import { writeFileSync } from 'node:fs'
import { makeIdentity } from '#api/platform/backup/age.ts'
import { recordBackup } from '#api/platform/backup/backup-run.queries.ts'
import { backUpErasures, makeBackup, type BackupOf } from '#api/platform/backup/make-backup.ts'
import { bytesOf, listStamps, type Manifest } from '#api/platform/backup/manifest.ts'
import { verifyBackup } from '#api/platform/backup/restore-backup.ts'
import { openDatabase } from '#api/platform/db/database.ts'
import { isBucket, openExistingStore } from '#api/platform/files/open-store.ts'
import { readKeyFiles } from '#api/platform/master-key/key-file.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { identityOf, readSettings, recipientOf, targetOf } from './backup-settings.ts'
import { reachDatabase, run } from './reach-database.ts'

const [what = 'make', name, ...rest] = process.argv.slice(2)
const usage = 'Usage: npm run backup [-- erasures | -- list | -- verify [NAME] | -- key FILE].'

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

/** Records each attempt, because the health page shows the last backup and whether a later attempt failed. */
async function noted(of: BackupOf): Promise<Manifest> {
  const beganAt = new Date()
  const place = isBucket(readSettings().backupTo!) ? 'bucket' : 'directory'
  const db = openDatabase(of.url, () => undefined)
  const note = (bytes: number | null, failure: string | null) =>
    recordBackup(db, { beganAt, bytes, place, failure })
  try {
    const manifest = await makeBackup(of)
    await note(bytesOf(manifest), null)
    return manifest
  } catch (error) {
    const { name, code = name } = ((error as Error).cause ?? error) as Error & { code?: string }
    await note(null, code.slice(0, 60)).catch(() => undefined)
    throw error
  } finally {
    await db.destroy()
  }
}

const commands: Record<string, () => Promise<string>> = {
  async make() {
    const { stamp, rows, files, migration } = await withInstallation(noted)
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
  console.log(await command())
})
