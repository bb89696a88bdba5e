import { expect, test } from 'vitest'
import { makeKnownPages } from './built-pages.ts'

function aNewsroom() {
  const state = {
    posts: ['/news/one'],
    lists: 0,
    hold: Promise.resolve(),
    failures: [] as unknown[],
  }
  const known = makeKnownPages(
    async () => {
      state.lists += 1
      const listed = [...state.posts]
      await state.hold
      if (listed.includes('broken')) throw new Error('broken')
      return listed
    },
    (failure) => state.failures.push(failure),
  )
  return { state, known }
}

test('a change during listing is picked up, and known addresses stay known meanwhile and after a failure', async () => {
  const { state, known } = aNewsroom()
  expect(known.has('/news/one')).toBe(false)
  await known.renew()
  expect(known.has('/news/one')).toBe(true)
  const held = Promise.withResolvers<void>()
  state.hold = held.promise
  const first = known.renew()
  state.posts = ['/news/two']
  const others = [known.renew(), known.renew()]
  expect([known.has('/news/one'), state.lists]).toEqual([true, 2])
  held.resolve()
  await Promise.all([first, ...others])
  expect([known.has('/news/one'), known.has('/news/two'), state.lists]).toEqual([false, true, 3])
  state.posts = ['broken']
  await known.renew()
  expect([known.has('/news/two'), state.failures.length]).toEqual([true, 1])
  state.posts = ['/news/three']
  await known.renew()
  expect(known.has('/news/three')).toBe(true)
})

test('after changes, addresses are listed once, when an unknown one is requested', async () => {
  const { state, known } = aNewsroom()
  await known.renew()
  state.posts = ['/news/one', '/news/two']
  for (let change = 0; change < 100; change += 1) known.outdate()
  expect([known.has('/news/one'), state.lists]).toEqual([true, 1])
  const asked = ['/news/two', '/news/two', '/news/made-up'].map(async (path) => known.has(path))
  expect([await Promise.all(asked), state.lists]).toEqual([[true, true, false], 2])
  expect([known.has('/news/made-up'), state.lists]).toEqual([false, 2])
})

test('a request waits only for the first listing started after it, even if changes continue', async () => {
  const { state, known } = aNewsroom()
  await known.renew()
  known.outdate()
  const asked = known.has('/news/two')
  state.posts = ['/news/two']
  known.outdate()
  expect([await asked, state.lists]).toEqual([false, 2])
  expect([await known.has('/news/two'), state.lists]).toEqual([true, 3])
})
