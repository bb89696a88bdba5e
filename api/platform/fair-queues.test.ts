import { expect, test } from 'vitest'
import { MINUTE } from '#contract/platform/durations.ts'
import { createFairQueues } from './fair-queues.ts'
import { Refused } from './refused.ts'

const settings = { atOnce: 2, waitingMax: 40 }

/** Work that finishes when the test says so, one item at a time, in the order in which it started. */
function aWorkshop(options = settings) {
  const run = createFairQueues(['sign-in', 'change', 'sign-up'], options)
  const begun: string[] = []
  const open: (() => void)[] = []
  const add = (lane: 'sign-in' | 'change' | 'sign-up') =>
    run(lane, () => {
      begun.push(lane)
      return new Promise<void>((resolve) => open.push(resolve))
    })
  const finishOne = async () => {
    open.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { add, begun, finishOne }
}

test('delays a sign-in by at most one turn of others, however many sign-ups wait', async () => {
  const { add, begun, finishOne } = aWorkshop()
  const signUps = Array.from({ length: 150 }, () => add('sign-up').catch((error: Error) => error))
  void add('sign-in')
  await finishOne()
  await finishOne()
  expect(begun.slice(0, 4)).toContain('sign-in')
  for (let n = 0; n < 60; n += 1) await finishOne()
  expect(begun.filter((lane) => lane === 'sign-up')).toHaveLength(42)
  const refused = (await Promise.all(signUps)).filter((answer) => answer instanceof Refused)
  expect(refused).toHaveLength(108)
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['unavailable']))
})

test('gives steady sign-ins every second turn in a flood of sign-ups', async () => {
  const { add, begun, finishOne } = aWorkshop()
  for (let n = 0; n < 30; n += 1) void add('sign-up')
  for (let n = 0; n < 10; n += 1) void add('sign-in')
  for (let n = 0; n < 20; n += 1) await finishOne()
  expect(begun.slice(2, 22).filter((lane) => lane === 'sign-in')).toHaveLength(10)
})

test('a full queue rejects its own work and no other queue', async () => {
  const { add } = aWorkshop({ atOnce: 1, waitingMax: 1 })
  void add('sign-up')
  void add('sign-up')
  await expect(add('sign-up')).rejects.toMatchObject({ code: 'unavailable' })
  let isRefused = false
  void add('sign-in').catch(() => (isRefused = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(isRefused).toBe(false)
})

test('failed work releases its slot', async () => {
  const run = createFairQueues(['sign-in'], { atOnce: 1, waitingMax: 5 })
  const failing = run('sign-in', () => Promise.reject(new Error('broken')))
  const next = run('sign-in', () => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
  expect(await run('sign-in', () => Promise.resolve('again'))).toBe('again')
})

test('clients take turns within a queue, and no client can fill it', async () => {
  const run = createFairQueues(['sign-in'], { atOnce: 1, waitingMax: 40, waitingMaxOfClient: 10 })
  const begun: string[] = []
  const open: (() => void)[] = []
  const add = (client?: string) =>
    run(
      'sign-in',
      () => {
        begun.push(client ?? '')
        return new Promise<void>((resolve) => open.push(resolve))
      },
      client,
    )
  const finishOne = async () => {
    open.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const flood = Array.from({ length: 50 }, () => add('one').catch((error: unknown) => error))
  void add('two')
  void add('two')
  void add('three')
  for (let n = 0; n < 20; n += 1) await finishOne()
  expect(begun.slice(0, 6)).toEqual(['one', 'two', 'three', 'one', 'two', 'one'])
  const refused = (await Promise.all(flood)).filter((answer) => answer instanceof Refused)
  expect(refused).toHaveLength(39)
})

test('in a full queue the client with the most work gives way to another', async () => {
  const run = createFairQueues(['known'], { atOnce: 1, waitingMax: 40 })
  const open: (() => void)[] = []
  const add = (client?: string) =>
    run('known', () => new Promise<void>((resolve) => open.push(resolve)), client)
  const refusals = { one: 0, two: 0, nobody: 0 }
  const count = (client: 'one' | 'two') => void add(client).catch(() => (refusals[client] += 1))
  for (let n = 0; n < 41; n += 1) count('one')
  for (let n = 0; n < 30; n += 1) count('two')
  await expect(add()).rejects.toMatchObject({ code: 'unavailable' })
  await new Promise((resolve) => setImmediate(resolve))
  expect(refusals).toEqual({ one: 20, two: 10, nobody: 0 })
})

test('a client with many recent turns waits behind a new one, and gives way to it in a full queue', async () => {
  let time = 0
  const run = createFairQueues(['sign-in'], { atOnce: 1, waitingMax: 3, now: () => time })
  const begun: string[] = []
  const open: (() => void)[] = []
  const add = (client: string) =>
    run(
      'sign-in',
      () => {
        begun.push(client)
        return new Promise<void>((resolve) => open.push(resolve))
      },
      client,
    )
  const finishOne = async () => {
    open.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const client of ['a', 'b', 'c', 'a', 'b', 'c']) {
    const done = add(client)
    await finishOne()
    await done
  }
  void add('a')
  const guessing = ['a', 'b', 'c'].map((client) => add(client).catch((error: unknown) => error))
  const fresh = add('fresh').then(() => 'done')
  for (let n = 0; n < 4; n += 1) await finishOne()
  expect(begun.slice(6, 8)).toEqual(['a', 'fresh'])
  expect(await fresh).toBe('done')
  expect((await Promise.all(guessing)).filter((answer) => answer instanceof Refused)).toHaveLength(1)

  // Turns are forgotten: whoever waited first is next again.
  time = 30 * MINUTE
  begun.length = 0
  for (const client of ['b', 'a', 'new']) void add(client)
  for (let n = 0; n < 3; n += 1) await finishOne()
  expect(begun).toEqual(['b', 'a', 'new'])
})
