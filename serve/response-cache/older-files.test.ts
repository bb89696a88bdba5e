import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makeOlderFiles } from './older-files.ts'
import { makeResponseCache } from './response-cache.ts'

const name = 'home-abcdef1.js'
const text = 'console.log("home")'.repeat(20)

function aStoreOf(files: Record<string, string>) {
  const counts = { lists: 0, reads: 0 }
  const from = {
    async listNames() {
      counts.lists += 1
      return Object.keys(files)
    },
    async read(file: string) {
      counts.reads += 1
      const found = files[file]
      return found === undefined ? undefined : { form: 'br' as const, bytes: brotliCompressSync(found) }
    },
  }
  return { counts, files, former: makeOlderFiles(from, makeResponseCache(), 5) }
}

test('a file of another release is read once and served as built', async () => {
  const { former, counts } = aStoreOf({ [name]: text })
  const [one, other] = await Promise.all([former.find(name), former.find(name)])
  expect(one?.identity.toString()).toBe(text)
  expect(one?.type).toBe('text/javascript; charset=utf-8')
  expect(other).toBe(one)
  expect(await former.find(name)).toBe(one)
  expect(counts).toEqual({ lists: 1, reads: 1 })
})

test('a file added after the last listing is found at once', async () => {
  const { former, files } = aStoreOf({})
  expect(await former.find(name)).toBeUndefined()
  files[name] = text
  expect(await former.find(name)).toBeDefined()
})

test('made-up names cost at most one listing per pause, however many there are', async () => {
  const { former, counts } = aStoreOf({})
  const names = Array.from({ length: 500 }, (_, n) => `x${n}-abcdef1.js`)
  expect(await Promise.all(names.map((each) => former.find(each)))).toEqual(names.map(() => undefined))
  expect(counts.lists).toBeLessThan(5)
  expect(counts.reads).toBe(0)
})

test.each([
  '../../etc/passwd',
  'home.js',
  'home-abcdef1.html',
  'home-abcdef1.js.br',
  'home-abcdef1.constructor',
])('looks up nothing under %s', async (file) => {
  const { former, counts } = aStoreOf({ [file]: text })
  expect(await former.find(file)).toBeUndefined()
  expect(counts.lists).toBe(0)
})

test('while the list is unavailable a file is not reported as missing, and is found later', async () => {
  const { counts } = aStoreOf({})
  let isAway = true
  const former = makeOlderFiles(
    {
      listNames: async () => {
        counts.lists += 1
        if (isAway) throw new Error('away')
        return [name]
      },
      read: async () => ({ form: 'plain', bytes: Buffer.from(text) }),
    },
    makeResponseCache(),
    5,
  )
  await expect(former.find(name)).rejects.toThrow('away')
  isAway = false
  expect((await former.find(name))?.identity.toString()).toBe(text)
})
