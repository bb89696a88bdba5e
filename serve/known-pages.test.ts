import { expect, test } from 'vitest'
import { makeKnownPages } from './known-pages.ts'

test('a change while addresses are listed is listed, and what was known stays known meanwhile and in a failure', async () => {
  let posts = ['/news/one']
  let lists = 0
  let hold: Promise<void> = Promise.resolve()
  const failures: unknown[] = []
  const known = makeKnownPages(
    async () => {
      lists += 1
      const listed = [...posts]
      await hold
      if (listed.includes('broken')) throw new Error('broken')
      return listed
    },
    (failure) => failures.push(failure),
  )
  expect(known.has('/news/one')).toBe(false)
  await known.renew()
  expect(known.has('/news/one')).toBe(true)
  const held = Promise.withResolvers<void>()
  hold = held.promise
  const first = known.renew()
  posts = ['/news/two']
  const others = [known.renew(), known.renew()]
  expect([known.has('/news/one'), lists]).toEqual([true, 2])
  held.resolve()
  await Promise.all([first, ...others])
  expect([known.has('/news/one'), known.has('/news/two'), lists]).toEqual([false, true, 3])
  posts = ['broken']
  await known.renew()
  expect([known.has('/news/two'), failures.length]).toEqual([true, 1])
  posts = ['/news/three']
  await known.renew()
  expect(known.has('/news/three')).toBe(true)
})
