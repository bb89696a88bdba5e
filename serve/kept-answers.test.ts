import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { compress, makeCachedBody, type CachedBody } from './cached-body.ts'
import { makeKeptAnswers, type KeptAnswers } from './kept-answers.ts'

type Asked = { text?: string; topics?: string[]; client?: string; isExact?: boolean; patience?: number }

function counting(kept: KeptAnswers) {
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

test('what is asked for by many at once is made once, and kept until it changes', async () => {
  const kept = makeKeptAnswers()
  const ask = counting(kept)
  const all = await Promise.all(Array.from({ length: 20 }, () => ask('a')))
  expect(new Set(all.map(textOf))).toEqual(new Set(['a 1']))
  expect(textOf(await ask('a'))).toBe('a 1')
  kept.forget('something else')
  expect(textOf(await ask('a'))).toBe('a 1')
  kept.forget('news')
  expect(textOf(await ask('a'))).toBe('a 2')
})

test('what was being made when it changed is given to those who waited for it, and to nobody after', async () => {
  const kept = makeKeptAnswers()
  const ask = counting(kept)
  const before = ask('a')
  kept.forget('news')
  const after = ask('a')
  expect([textOf(await before), textOf(await after)]).toEqual(['a 1', 'a 2'])
  expect((await before).body.holder).toBeUndefined()
  expect(textOf(await ask('a'))).toBe('a 2')
})

test('while changes are not heard of, what depends on them is made for each who asks; the rest is kept', async () => {
  const kept = makeKeptAnswers()
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

test('while changes are not heard of, pages are kept for some seconds, and those that show only the content for good', async () => {
  let now = 1_000_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const kept = makeKeptAnswers()
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
  // Also where it is answered without being asked for.
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

test('it holds no more than it may, compressed forms included, and what is asked for stays', async () => {
  const bytesMax = 100_000
  const kept = makeKeptAnswers(bytesMax)
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

test('what depends on a query drives out only its like, and what is too large nothing', async () => {
  const kept = makeKeptAnswers(100_000)
  const ask = counting(kept)
  const page = await ask('/page', { text: 'p'.repeat(5000) })
  for (let n = 0; n < 100; n += 1) await ask(`/page?q=${n}`, { text: 'q'.repeat(5000) })
  await ask('/large', { text: 'l'.repeat(50_000) })
  expect(kept.peek('/large')).toBeUndefined()
  expect(await ask('/page')).toBe(page)
  expect(kept.bytes()).toBeLessThan(40_000)
})

test('what fails is kept for nobody', async () => {
  const kept = makeKeptAnswers()
  const how = { topics: [], client: '', bodyOf: () => undefined }
  const failing = () => kept.get('a', { ...how, make: () => Promise.reject(new Error('no')) }).value
  await expect(failing()).rejects.toThrow('no')
  expect(await kept.get('a', { ...how, make: async () => 'yes' }).value).toBe('yes')
})

test('nobody waits long for what another client asked for: it may have no turn for long', async () => {
  const kept = makeKeptAnswers()
  const never = { topics: [], client: 'a flood', patience: 5, bodyOf: () => undefined }
  void kept.get('a', { ...never, make: () => new Promise<string>(() => {}) })
  await setTimeout(10)
  const mine = kept.get('a', { ...never, client: 'a reader', make: async () => 'mine' })
  expect(await mine.value).toBe('mine')
})
