import { expect, test } from 'vitest'
import { makePageQueue } from './page-queue.ts'

const held = () => {
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  return { work: () => until, release: () => release() }
}

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

test('a client has two waiting, all together eight; who is refused does not wait', async () => {
  const queue = makePageQueue()
  const { work, release } = held()
  const entered = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((client) =>
    queue.enter(client, work),
  )
  const admitted = entered.map((each) => (each ? 'yes' : 'no')).join(' ')
  expect(admitted).toBe('yes yes no yes yes no yes yes yes yes no no')
  release()
  await Promise.all(entered.map(async (each) => each))
  expect(queue.enter('a', work)).toBeDefined()
})

test('a client gets sixty in a minute, whoever else asks', async () => {
  let time = 0
  const queue = makePageQueue(undefined, () => time)
  const ask = (client: string) => queue.enter(client, async () => 'page')
  for (let n = 0; n < 60; n += 1) expect(await ask('a')).toBe('page')
  expect(ask('a')).toBeUndefined()
  expect(await ask('b')).toBe('page')
  time = 60_000
  expect(await ask('a')).toBe('page')
})

test('after a page there is a pause as long as it took, and one that fails holds nobody', async () => {
  const queue = makePageQueue()
  const failing = queue.enter('a', async () => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    throw new Error('broken')
  })
  await expect(failing).rejects.toThrow('broken')
  const failed = performance.now()
  await queue.enter('a', async () => {})
  expect(performance.now() - failed).toBeGreaterThanOrEqual(90)
})
