import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { S3mini } from 's3mini'
import { MINUTE, SECOND } from '#contract/platform/durations.ts'
import type { Config } from '../config/config.ts'
import { StartRefused } from '../start-refused.ts'
import { checkFileKey, type FileStore, openDiskStore } from './file-store.ts'
import { StoreFailed } from './store-failed.ts'

/** A longer request counts as an outage of the store. */
const answerTimeMax = 5 * SECOND

type Bucket = { endpoint: string; accessKeyId: string; secretAccessKey: string; region: string }

/**
 * The bucket of `https://KEY:SECRET@host/bucket?region=…` (`s3:` stands for `https:`). Undefined if a part is
 * missing.
 */
export function readBucket(address: string): Bucket | undefined {
  const url = new URL(address.replace(/^s3:/, 'https:'))
  const [accessKeyId, secretAccessKey] = [url.username, url.password].map(decodeURIComponent)
  const hasBucket = /^\/[^/]+\/?$/.test(url.pathname)
  if (!accessKeyId || !secretAccessKey || !hasBucket) return undefined
  return {
    endpoint: url.origin + url.pathname.replace(/\/$/, ''),
    accessKeyId,
    secretAccessKey,
    region: url.searchParams.get('region') ?? 'auto',
  }
}

/** Any S3-compatible store. Bytes are encrypted before they are sent. */
function openS3Store(bucket: Bucket, patience = answerTimeMax): FileStore {
  const client = new S3mini({ ...bucket, requestAbortTimeout: patience })
  const listed = async (prefix: string): Promise<string[]> => {
    const objects = await client.listObjects('/', prefix)
    if (!objects) throw new Error('there is no such bucket')
    return objects.map(({ Key }) => Key)
  }
  async function ask<T>(key: string, request: () => Promise<T>): Promise<T> {
    checkFileKey(key)
    try {
      return await request()
    } catch (error) {
      throw new StoreFailed(error)
    }
  }
  return {
    put: (key, bytes) => ask(key, async () => void (await client.putObject(key, bytes))),
    async get(key) {
      const bytes = await ask(key, () => client.getObjectArrayBuffer(key))
      return bytes ? Buffer.from(bytes) : undefined
    },
    open: (key) =>
      ask(key, async () => {
        const answer = await client.getObjectResponse(key)
        return answer?.body ? Readable.fromWeb(answer.body) : undefined
      }),
    list: (folder) => ask(folder, () => listed(`${folder}/`)),
    async listAll() {
      try {
        return await listed('')
      } catch (error) {
        throw new StoreFailed(error)
      }
    },
    remove: (key) => ask(key, async () => void (await client.deleteObject(key))),
  }
}

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
