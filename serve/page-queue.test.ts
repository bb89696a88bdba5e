import { expect, test, vi } from 'vitest'
import { makePageQueue, ofSearches, type Busy } from './page-queue.ts'

const held = () => {
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  return { work: () => until, release: () => release() }
}
/** The seconds after which to come back, if it was refused. */
const refusal = (entered: Promise<unknown>): Promise<number | undefined> =>
  entered.then(
    () => undefined,
    (failure: unknown) => (failure as Busy).retryAfterSeconds,
  )
const wasRefused = async (entered: Promise<unknown>) => (await refusal(entered)) !== undefined

test('one page is rendered at a time', async () => {
  const queue = makePageQueue()
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
  const queue = makePageQueue()
  const { work, release } = held()
  const entered = clients.map((client) => wasRefused(queue.enter(client, work)))
  release()
  const answers = (await Promise.all(entered)).map((isRefused) => (isRefused ? 'no' : 'yes')).join(' ')
  expect(await queue.enter('a', async () => 'page')).toBe('page')
  return answers
}

test('a client has two waiting, all together eight', async () => {
  expect(await admitted(['a', 'a', 'a', 'b', 'b', 'b', 'c', 'd', 'e', 'f'])).toBe(
    'yes yes no yes yes no yes yes yes yes',
  )
})

test('when it is full the client with the most gives way, not the newcomer; among equals the newcomer does', async () => {
  // What has begun goes on.
  const clients = ['a', 'b', 'b', 'c', 'c', 'd', 'd', 'e', 'f', 'g', 'h', 'i']
  expect(await admitted(clients)).toBe('yes yes no yes no yes no yes yes yes yes no')
})

test('who waits for long is told to come back, although what has begun never ends', async () => {
  const queue = makePageQueue({ ...ofSearches, waitMax: 20 })
  const { work, release } = held()
  const begun = queue.enter('a', work)
  const waiting = ['b', 'c', 'd'].map((client) => refusal(queue.enter(client, work)))
  for (const seconds of await Promise.all(waiting)) expect(seconds).toBeGreaterThan(0)
  const late = refusal(queue.enter('e', work))
  expect(await late).toBeGreaterThan(0)
  // Nobody waits twice as long for what somebody else asked for first.
  const waitedElsewhere = refusal(queue.enter('f', work, 20))
  const newcomer = refusal(queue.enter('g', work))
  expect(await Promise.race([waitedElsewhere.then(() => 'waited'), newcomer.then(() => 'newcomer')])).toBe(
    'waited',
  )
  await newcomer
  release()
  await begun
  // After a pause.
  await vi.waitFor(async () => expect(await queue.enter('b', async () => 'page')).toBe('page'), 10_000)
})

test('a client gets sixty in a minute, whoever else asks, and is told when the next is given', async () => {
  let time = 0
  const queue = makePageQueue(undefined, () => time)
  const ask = (client: string) => queue.enter(client, async () => 'page')
  for (let n = 0; n < 60; n += 1) expect(await ask('a')).toBe('page')
  expect(await refusal(ask('a'))).toBe(60)
  time = 41_500
  expect(await refusal(ask('a'))).toBe(19)
  expect(await ask('b')).toBe('page')
  time = 60_000
  expect(await ask('a')).toBe('page')
})

/** Milliseconds from the end of such a page, which fails, until the next one begins. */
async function pauseAfter(work: () => Promise<void>): Promise<number> {
  const queue = makePageQueue()
  const failing = queue.enter('a', async () => {
    await work()
    throw new Error('broken')
  })
  await expect(failing).rejects.toThrow('broken')
  const failed = performance.now()
  await queue.enter('a', async () => {})
  return performance.now() - failed
}

test('after a page there is a pause as long as the program worked on it, and one that fails holds nobody', async () => {
  const worked = await pauseAfter(async () => {
    const begun = performance.now()
    while (performance.now() - begun < 100);
  })
  expect(worked).toBeGreaterThanOrEqual(90)
  const waited = await pauseAfter(() => new Promise((resolve) => setTimeout(resolve, 1500)))
  expect(waited).toBeLessThan(750)
})
