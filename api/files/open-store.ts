import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE } from '#contract/durations.ts'
import type { Config } from '../config.ts'
import { StartRefused } from '../start-refused.ts'
import { openDiskStore, type FileStore } from './file-store.ts'
import { openS3Store, readBucket } from './s3-store.ts'

/** The configured store: a bucket, or the data directory. */
export function openStore({ storageUrl, dataDir }: Pick<Config, 'storageUrl' | 'dataDir'>): FileStore {
  if (!storageUrl) return openDiskStore(join(dataDir, 'files'))
  const bucket = readBucket(storageUrl)
  if (!bucket)
    throw new StartRefused('The setting STORAGE_URL must be like https://KEY:SECRET@host/bucket?region=auto.')
  return openS3Store(bucket)
}

/** The store of an existing installation: a missing directory means a wrong DATA_DIR, not an empty store. */
export function openExistingStore(config: Pick<Config, 'storageUrl' | 'dataDir'>): FileStore {
  if (!config.storageUrl && !existsSync(join(config.dataDir, 'files')))
    throw new StartRefused(
      `There is no file storage in ${config.dataDir}. Set DATA_DIR or STORAGE_URL to the installation’s storage.`,
    )
  return openStore(config)
}

export const isBucket = (backupTo: string): boolean => /^(?:s3|https?):/.test(backupTo)

/** The backup target: a bucket, or a directory. Large parts may take long. */
export function openBackupTarget(backupTo: string): FileStore {
  if (!isBucket(backupTo)) return openDiskStore(backupTo)
  const bucket = readBucket(backupTo)
  if (!bucket)
    throw new StartRefused(
      'The setting BACKUP_TO must be a directory, or like https://KEY:SECRET@host/bucket?region=auto.',
    )
  return openS3Store(bucket, 5 * MINUTE)
}
