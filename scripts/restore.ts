import { restoreBackup } from '#api/platform/backup/restore-backup.ts'
import { openStore } from '#api/platform/files/open-store.ts'
import { hasKeyFile, readKeyFiles, writeMasterKey } from '#api/platform/master-key/key-file.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { commandLine } from '#api/platform/command-line.ts'
import { identityOf, readSettings, targetOf } from './backup-settings.ts'
import { reachDatabase, run } from './reach-database.ts'
import { recordRestore } from './record-restore.ts'

await run(async () => {
  const given = process.argv.slice(2)
  const skipsBrokenNotes = given.includes('--without-broken-notes')
  const [stamp, ...rest] = given.filter((word) => word !== '--without-broken-notes')
  if (rest.length > 0)
    throw new StartRefused(
      `Name one backup, or leave the name out to restore the newest. Usage: ${commandLine('restore', 'NAME')}.`,
    )
  const config = readSettings()
  const identity = identityOf(config)
  if (!identity) throw new StartRefused('Set BACKUP_IDENTITY to the secret backup key.')
  const target = targetOf(config)
  const reached = await reachDatabase('write')

  /** An existing key must be the one that was backed up. */
  function takeKey(key: Buffer): void {
    const there =
      config.encryptionKey ?? (hasKeyFile(config.dataDir) ? readKeyFiles(config.dataDir).now : undefined)
    if (!there) writeMasterKey(config.dataDir, key)
    else if (!there.equals(key))
      throw new StartRefused(
        'The master key differs from the one in the backup. Restore into an empty DATA_DIR, without ENCRYPTION_KEY or with the backup’s key.',
      )
  }
  try {
    const into = { url: reached.url, files: openStore(config), takeKey }
    const from = { target, identity, stamp, workDir: config.dataDir, skipsBrokenNotes }
    const manifest = await restoreBackup(from, into)
    await recordRestore(reached.url, manifest.takenAt)
    console.log(
      `${manifest.stamp} of ${manifest.takenAt}: ${manifest.rows} rows, ${manifest.files.length} files, and the master key restored. Sessions and codes were revoked, and queued emails stopped. Start one instance first.`,
    )
    if (config.databaseUrl && !config.encryptionKey)
      console.log(`Start with ENCRYPTION_KEY="$(cat ${config.dataDir}/keys/master.key)".`)
  } finally {
    await reached.close()
  }
})
