import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { compress, makeCachedBody, type CachedBody } from './cached-body.ts'
import { makeResponseCache, type ResponseCache } from './response-cache.ts'

type Asked = { text?: string; topics?: string[]; client?: string; isExact?: boolean; patience?: number }

function counting(kept: ResponseCache) {
  let made = 0
  return (key: string, { text = key, topics = ['news'], client = 'a client', ...how }: Asked = {}) =>
    kept.get(key, {
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
  const kept = makeResponseCache()
  const ask = counting(kept)
  const all = await Promise.all(Array.from({ length: 20 }, () => ask('a')))
  expect(new Set(all.map(textOf))).toEqual(new Set(['a 1']))
  expect(textOf(await ask('a'))).toBe('a 1')
  kept.forget('something else')
  expect(textOf(await ask('a'))).toBe('a 1')
  kept.forget('news')
  expect(textOf(await ask('a'))).toBe('a 2')
})

test('an answer that was being made during a change goes only to those already waiting for it', async () => {
  const kept = makeResponseCache()
  const ask = counting(kept)
  const before = ask('a')
  kept.forget('news')
  const after = ask('a')
  expect([textOf(await before), textOf(await after)]).toEqual(['a 1', 'a 2'])
  expect((await before).body.holder).toBeUndefined()
  expect(textOf(await ask('a'))).toBe('a 2')
})

test('without change notifications, dependent answers are made for each request; the others stay cached', async () => {
  const kept = makeResponseCache()
  const ask = counting(kept)
  const exact = { isExact: true }
  expect(textOf(await ask('a', exact))).toBe('a 1')
  expect(textOf(await ask('a', exact))).toBe('a 2')
  kept.setListening(true)
  expect(textOf(await ask('a', exact))).toBe('a 3')
  expect(textOf(await ask('a', exact))).toBe('a 3')
  expect(textOf(await ask('b'))).toBe('b 4')
  kept.setListening(false)
  expect(textOf(await ask('a', exact))).toBe('a 5')
  expect(textOf(await ask('b'))).toBe('b 4')
})

test('without change notifications, pages are cached for a few seconds, and those that show only content permanently', async () => {
  let now = 1_000_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const kept = makeResponseCache()
  const ask = counting(kept)
  const still = { topics: ['content'] }
  kept.setListening(true)
  const first = await ask('page')
  await ask('about', still)
  now += 60_000
  expect(first.body.holder!.isStale()).toBe(false)
  kept.setListening(false)
  now += 4000
  expect(textOf(await ask('page'))).toBe('page 1')
  now += 2000
  // This also holds when a cached response bypasses the framework.
  expect(first.body.holder!.isStale()).toBe(true)
  expect(kept.peek('page')).toBeUndefined()
  expect(textOf(await ask('page'))).toBe('page 3')
  now += 4000
  expect(textOf(await ask('page'))).toBe('page 3')
  now += 2000
  expect(textOf(await ask('page'))).toBe('page 4')
  kept.setListening(true)
  now += 60_000
  expect(textOf(await ask('page'))).toBe('page 4')
  expect(textOf(await ask('about', still))).toBe('about 2')
  kept.forget('news')
  kept.forget('content')
  expect(kept.bytes()).toBe(0)
})

test('stays within its size limit including compressed forms, and keeps what is requested', async () => {
  const bytesMax = 100_000
  const kept = makeResponseCache(bytesMax)
  const ask = counting(kept)
  const often = await ask('often', { text: 'o'.repeat(5000) })
  for (let n = 0; n < 60; n += 1) {
    const { body } = await ask(`a ${n}`, { text: `${n}`.repeat(2500) })
    await compress(body)
    await ask('often')
    expect(kept.bytes()).toBeLessThanOrEqual(bytesMax)
  }
  expect(await ask('often')).toBe(often)
  expect(kept.peek('a 0')).toBeUndefined()
  kept.forget('news')
  expect(kept.bytes()).toBe(0)
})

test('answers to queries displace only each other, and oversized answers displace nothing', async () => {
  const kept = makeResponseCache(100_000)
  const ask = counting(kept)
  const page = await ask('/page', { text: 'p'.repeat(5000) })
  for (let n = 0; n < 100; n += 1) await ask(`/page?q=${n}`, { text: 'q'.repeat(5000) })
  await ask('/large', { text: 'l'.repeat(50_000) })
  expect(kept.peek('/large')).toBeUndefined()
  expect(await ask('/page')).toBe(page)
  expect(kept.bytes()).toBeLessThan(40_000)
})

test('does not cache failures', async () => {
  const kept = makeResponseCache()
  const how = { topics: [], client: '', bodyOf: () => undefined }
  const failing = () => kept.get('a', { ...how, make: () => Promise.reject(new Error('no')) }).value
  await expect(failing()).rejects.toThrow('no')
  expect(await kept.get('a', { ...how, make: async () => 'yes' }).value).toBe('yes')
})

test('limits how long a client waits for what another one requested, because its turn may take long', async () => {
  const kept = makeResponseCache()
  const never = { topics: [], client: 'a flood', patience: 5, bodyOf: () => undefined }
  void kept.get('a', { ...never, make: () => new Promise<string>(() => {}) })
  await setTimeout(10)
  const mine = kept.get('a', { ...never, client: 'a reader', make: async () => 'mine' })
  expect(await mine.value).toBe('mine')
})
