import { Readable } from 'node:stream'
import { S3mini } from 's3mini'
import { SECOND } from '#contract/durations.ts'
import { checkFileKey, type FileStore } from './file-store.ts'
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
export function openS3Store(bucket: Bucket, patience = answerTimeMax): FileStore {
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
