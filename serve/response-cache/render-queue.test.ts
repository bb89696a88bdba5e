import { expect, test, vi } from 'vitest'
import { makeRenderQueue, ofSearches, type Busy } from './render-queue.ts'

const held = () => {
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  return { work: () => until, release: () => release() }
}
/** The seconds to wait before a retry, if it was rejected. */
const refusal = (entered: Promise<unknown>): Promise<number | undefined> =>
  entered.then(
    () => undefined,
    (failure: unknown) => (failure as Busy).retryAfterSeconds,
  )
const wasRefused = async (entered: Promise<unknown>) => (await refusal(entered)) !== undefined

test('renders one page at a time', async () => {
  const queue = makeRenderQueue()
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, (running += 1))
    await new Promise((resolve) => setTimeout(resolve, 2))
    running -= 1
  }
  await Promise.all(Array.from({ length: 8 }, async (_, n) => queue.enter(`client ${n}`, work)))
  expect(most).toBe(1)
})

async function admitted(clients: readonly string[]) {
  const queue = makeRenderQueue()
  const { work, release } = held()
  const entered = clients.map((client) => wasRefused(queue.enter(client, work)))
  release()
  const answers = (await Promise.all(entered)).map((isRefused) => (isRefused ? 'no' : 'yes')).join(' ')
  expect(await queue.enter('a', async () => 'page')).toBe('page')
  return answers
}

test('a client can have two requests waiting, and all clients eight', async () => {
  expect(await admitted(['a', 'a', 'a', 'b', 'b', 'b', 'c', 'd', 'e', 'f'])).toBe(
    'yes yes no yes yes no yes yes yes yes',
  )
})

test('when full, displaces a request of the client with the most; among equals, the newcomer', async () => {
  // Work that is already running continues.
  const clients = ['a', 'b', 'b', 'c', 'c', 'd', 'd', 'e', 'f', 'g', 'h', 'i']
  expect(await admitted(clients)).toBe('yes yes no yes no yes no yes yes yes yes no')
})

test('a request that waits too long is told to retry, even if the running one never ends', async () => {
  const queue = makeRenderQueue({ ...ofSearches, waitMax: 20 })
  const { work, release } = held()
  const begun = queue.enter('a', work)
  const waiting = ['b', 'c', 'd'].map((client) => refusal(queue.enter(client, work)))
  for (const seconds of await Promise.all(waiting)) expect(seconds).toBeGreaterThan(0)
  const late = refusal(queue.enter('e', work))
  expect(await late).toBeGreaterThan(0)
  // The time that was already spent waiting for another client's request counts.
  const waitedElsewhere = refusal(queue.enter('f', work, 20))
  const newcomer = refusal(queue.enter('g', work))
  expect(await Promise.race([waitedElsewhere.then(() => 'waited'), newcomer.then(() => 'newcomer')])).toBe(
    'waited',
  )
  await newcomer
  release()
  await begun
  // After the pause, requests are accepted again.
  await vi.waitFor(async () => expect(await queue.enter('b', async () => 'page')).toBe('page'), 10_000)
})

test('a client gets sixty pages per minute regardless of others, and is told when the next is available', async () => {
  let time = 0
  const queue = makeRenderQueue(undefined, () => time)
  const ask = (client: string) => queue.enter(client, async () => 'page')
  for (let n = 0; n < 60; n += 1) expect(await ask('a')).toBe('page')
  expect(await refusal(ask('a'))).toBe(60)
  time = 41_500
  expect(await refusal(ask('a'))).toBe(19)
  expect(await ask('b')).toBe('page')
  time = 60_000
  expect(await ask('a')).toBe('page')
})

/** Milliseconds from the end of a failing page to the start of the next one. */
async function pauseAfter(work: () => Promise<void>): Promise<number> {
  const queue = makeRenderQueue()
  const failing = queue.enter('a', async () => {
    await work()
    throw new Error('broken')
  })
  await expect(failing).rejects.toThrow('broken')
  const failed = performance.now()
  await queue.enter('a', async () => {})
  return performance.now() - failed
}

test('pauses after each page for as long as the program worked on it, and continues after a failure', async () => {
  const worked = await pauseAfter(async () => {
    const begun = performance.now()
    while (performance.now() - begun < 100);
  })
  expect(worked).toBeGreaterThanOrEqual(90)
  const waited = await pauseAfter(() => new Promise((resolve) => setTimeout(resolve, 1500)))
  expect(waited).toBeLessThan(750)
})
