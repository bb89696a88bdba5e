import { join } from 'node:path'
import type { Config } from '../config.ts'
import { StartRefused } from '../start-refused.ts'
import { openDiskStore, type FileStore } from './file-store.ts'
import { openS3Store, readBucket } from './s3-store.ts'

/** The store of the settings: a bucket, or the data directory. */
export function openStore({ storageUrl, dataDir }: Pick<Config, 'storageUrl' | 'dataDir'>): FileStore {
  if (!storageUrl) return openDiskStore(join(dataDir, 'files'))
  const bucket = readBucket(storageUrl)
  if (!bucket)
    throw new StartRefused('The setting STORAGE_URL must be like https://KEY:SECRET@host/bucket?region=auto.')
  return openS3Store(bucket)
}
