import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { compress, makeCachedBody, type CachedBody } from './cached-body.ts'
import { makeResponseCache, type ResponseCache } from './response-cache.ts'

type Asked = { text?: string; topics?: string[]; client?: string; isExact?: boolean; patience?: number }

function counting(responseCache: ResponseCache) {
  let made = 0
  return (key: string, { text = key, topics = ['news'], client = 'a client', ...how }: Asked = {}) =>
    responseCache.get(key, {
      topics,
      client,
      ...how,
      make: async () => {
        const n = (made += 1)
        await setTimeout(1)
        return { body: makeCachedBody('text/plain', `${text} ${n}`) }
      },
      bodyOf: ({ body }) => body,
    }).value
}
const textOf = ({ body }: { body: CachedBody }) => body.identity.toString()

test('concurrent requests share one answer, which is cached until it changes', async () => {
  const responseCache = makeResponseCache()
  const ask = counting(responseCache)
  const all = await Promise.all(Array.from({ length: 20 }, () => ask('a')))
  expect(new Set(all.map(textOf))).toEqual(new Set(['a 1']))
  expect(textOf(await ask('a'))).toBe('a 1')
  responseCache.forget('something else')
  expect(textOf(await ask('a'))).toBe('a 1')
  responseCache.forget('news')
  expect(textOf(await ask('a'))).toBe('a 2')
})

test('an answer that was being made during a change goes only to those already waiting for it', async () => {
  const responseCache = makeResponseCache()
  const ask = counting(responseCache)
  const before = ask('a')
  responseCache.forget('news')
  const after = ask('a')
  expect([textOf(await before), textOf(await after)]).toEqual(['a 1', 'a 2'])
  expect((await before).body.holder).toBeUndefined()
  expect(textOf(await ask('a'))).toBe('a 2')
})

test('without change notifications, dependent answers are made for each request; the others stay cached', async () => {
  const responseCache = makeResponseCache()
  const ask = counting(responseCache)
  const exact = { isExact: true }
  expect(textOf(await ask('a', exact))).toBe('a 1')
  expect(textOf(await ask('a', exact))).toBe('a 2')
  responseCache.setListening(true)
  expect(textOf(await ask('a', exact))).toBe('a 3')
  expect(textOf(await ask('a', exact))).toBe('a 3')
  expect(textOf(await ask('b'))).toBe('b 4')
  responseCache.setListening(false)
  expect(textOf(await ask('a', exact))).toBe('a 5')
  expect(textOf(await ask('b'))).toBe('b 4')
})

test('without change notifications, pages are cached for a few seconds, and those that show only content permanently', async () => {
  let now = 1_000_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const responseCache = makeResponseCache()
  const ask = counting(responseCache)
  const still = { topics: ['content'] }
  responseCache.setListening(true)
  const first = await ask('page')
  await ask('about', still)
  now += 60_000
  expect(first.body.holder!.isStale()).toBe(false)
  responseCache.setListening(false)
  now += 4000
  expect(textOf(await ask('page'))).toBe('page 1')
  now += 2000
  // This also holds when a cached response bypasses the framework.
  expect(first.body.holder!.isStale()).toBe(true)
  expect(responseCache.peek('page')).toBeUndefined()
  expect(textOf(await ask('page'))).toBe('page 3')
  now += 4000
  expect(textOf(await ask('page'))).toBe('page 3')
  now += 2000
  expect(textOf(await ask('page'))).toBe('page 4')
  responseCache.setListening(true)
  now += 60_000
  expect(textOf(await ask('page'))).toBe('page 4')
  expect(textOf(await ask('about', still))).toBe('about 2')
  responseCache.forget('news')
  responseCache.forget('content')
  expect(responseCache.bytes()).toBe(0)
})

test('stays within its size limit including compressed forms, and keeps what is requested', async () => {
  const bytesMax = 100_000
  const responseCache = makeResponseCache(bytesMax)
  const ask = counting(responseCache)
  const often = await ask('often', { text: 'o'.repeat(5000) })
  for (let n = 0; n < 60; n += 1) {
    const { body } = await ask(`a ${n}`, { text: `${n}`.repeat(2500) })
    await compress(body)
    await ask('often')
    expect(responseCache.bytes()).toBeLessThanOrEqual(bytesMax)
  }
  expect(await ask('often')).toBe(often)
  expect(responseCache.peek('a 0')).toBeUndefined()
  responseCache.forget('news')
  expect(responseCache.bytes()).toBe(0)
})

test('answers to queries displace only each other, and oversized answers displace nothing', async () => {
  const responseCache = makeResponseCache(100_000)
  const ask = counting(responseCache)
  const page = await ask('/page', { text: 'p'.repeat(5000) })
  for (let n = 0; n < 100; n += 1) await ask(`/page?q=${n}`, { text: 'q'.repeat(5000) })
  await ask('/large', { text: 'l'.repeat(50_000) })
  expect(responseCache.peek('/large')).toBeUndefined()
  expect(await ask('/page')).toBe(page)
  expect(responseCache.bytes()).toBeLessThan(40_000)
})

test('does not cache failures', async () => {
  const responseCache = makeResponseCache()
  const how = { topics: [], client: '', bodyOf: () => undefined }
  const failing = () => responseCache.get('a', { ...how, make: () => Promise.reject(new Error('no')) }).value
  await expect(failing()).rejects.toThrow('no')
  expect(await responseCache.get('a', { ...how, make: async () => 'yes' }).value).toBe('yes')
})

test('limits how long a client waits for what another one requested, because its turn may take long', async () => {
  const responseCache = makeResponseCache()
  const never = { topics: [], client: 'a flood', patience: 5, bodyOf: () => undefined }
  void responseCache.get('a', { ...never, make: () => new Promise<string>(() => {}) })
  await setTimeout(10)
  const mine = responseCache.get('a', { ...never, client: 'a reader', make: async () => 'mine' })
  expect(await mine.value).toBe('mine')
})
