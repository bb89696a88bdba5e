import { chmod, chown, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startS3Server } from '#tests/setup/s3-server.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { openDiskStore, type FileStore } from './file-store.ts'
import { openStore, readBucket } from './open-store.ts'
import { StoreFailed } from './store-failed.ts'

async function aDirectory(): Promise<string> {
  const directory = await makeTemporary('store')
  onTestFinished(() => removeTemporary(directory))
  return directory
}

async function aBucket(secret = 'SECRET') {
  const server = await startS3Server('KEY', 'SECRET')
  onTestFinished(() => server.close())
  const storageUrl = server.url.replace(':SECRET@', `:${secret}@`)
  return { server, store: openStore({ storageUrl, dataDir: '/nowhere' }) }
}

const stores: [string, () => Promise<FileStore>][] = [
  ['the disk', async () => openDiskStore(await aDirectory())],
  ['a bucket', async () => (await aBucket()).store],
]

describe.each(stores)('%s', (_, open) => {
  test('returns what was stored until it is removed', async () => {
    const store = await open()
    const bytes = Buffer.from([0, 255, 10, 13, 0])
    await store.put('kyc/a-1', bytes)
    await store.put('kyc/b-2', Buffer.alloc(2_000_000, 7))
    expect((await store.get('kyc/a-1'))?.equals(bytes)).toBe(true)
    expect((await store.get('kyc/b-2'))?.length).toBe(2_000_000)
    await store.remove('kyc/a-1')
    await store.remove('kyc/a-1')
    expect(await store.get('kyc/a-1')).toBeUndefined()
  })

  test('lists complete files directly below one folder', async () => {
    const store = await open()
    expect(await store.list('erased/member')).toEqual([])
    for (const key of ['erased/member/a', 'erased/member/b', 'erased/photos/c', 'erased/members/d'])
      await store.put(key, Buffer.from('x'))
    expect(await store.list('erased/photos')).toEqual(['erased/photos/c'])
    expect((await store.list('erased/member')).toSorted()).toEqual(['erased/member/a', 'erased/member/b'])
  })

  test.each(['', '..', 'kyc/../../etc', '/kyc/a', 'kyc/A', 'kyc//a', 'kyc/a\0'])(
    'rejects a key like %j',
    async (key) => {
      const store = await open()
      await expect(async () => store.put(key, Buffer.from('x'))).rejects.toThrow('not a file key')
      await expect(async () => store.get(key)).rejects.toThrow('not a file key')
    },
  )
})

test('a bucket with a wrong secret is a failure of the store', async () => {
  const { server, store } = await aBucket('WRONG')
  await expect(store.put('kyc/a', Buffer.from('x'))).rejects.toThrow(StoreFailed)
  await expect(store.get('kyc/a')).rejects.toThrow(StoreFailed)
  await expect(store.list('kyc')).rejects.toThrow(StoreFailed)
  expect(new Set(server.answers)).toEqual(new Set([403]))
  expect(server.objects.size).toBe(0)
})

test('a missing bucket is a failure of the store, and not retried endlessly', async () => {
  const { server, store } = await aBucket()
  await server.close()
  const begun = performance.now()
  await expect(store.put('kyc/a', Buffer.from('x'))).rejects.toThrow(StoreFailed)
  // Refused at once; the margin is for a busy machine.
  expect(performance.now() - begun).toBeLessThan(15_000)
})

test.runIf(process.getuid?.() === 0)(
  'files written by root belong to the owner of the directory',
  async () => {
    const directory = await aDirectory()
    await chown(directory, 4711, 4712)
    const store = openDiskStore(directory)
    await store.put('erased/member/a', Buffer.from('x'))
    await store.put('erased/member/b', Buffer.from('x'))
    for (const each of ['erased', 'erased/member', 'erased/member/a', 'erased/member/b']) {
      const { uid, gid } = await stat(join(directory, each))
      expect([each, uid, gid]).toEqual([each, 4711, 4712])
    }
  },
)

test('a read-only directory is a failure of the store, and leaves no partial file', async () => {
  const directory = await aDirectory()
  // A file in place of the keys' folder: not even root can write there.
  await writeFile(join(directory, 'kyc'), '')
  await chmod(join(directory, 'kyc'), 0o400)
  const store = openDiskStore(directory)
  await expect(store.put('kyc/a', Buffer.from('x'))).rejects.toThrow(StoreFailed)
  expect(await readdir(directory)).toEqual(['kyc'])
})

test('a partial file left by a crash is removed with its key', async () => {
  const directory = await aDirectory()
  const store = openDiskStore(directory)
  await store.put('kyc/a', Buffer.from('x'))
  await writeFile(join(directory, 'kyc', 'b.part'), 'half')
  await store.remove('kyc/b')
  expect(await readdir(join(directory, 'kyc'))).toEqual(['a'])
})

test('the address of a bucket has a key, a secret, and a name', () => {
  expect(readBucket('s3://K:S%2F@s3.example/docs?region=eu-1')).toEqual({
    endpoint: 'https://s3.example/docs',
    accessKeyId: 'K',
    secretAccessKey: 'S/',
    region: 'eu-1',
  })
  for (const wrong of ['https://s3.example/docs', 'https://K:S@s3.example/', 'https://K@s3.example/docs'])
    expect(readBucket(wrong)).toBeUndefined()
})
