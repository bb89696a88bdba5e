import { expect, test } from 'vitest'
import { openThread, ThreadFailed } from './open-thread.ts'

/** Replies with the question and how often it was asked before; hangs, fails, or exits on request. */
const module = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    let n = 0
    parentPort.on('message', (asked) => {
      if (asked === 'hang') while (true);
      if (asked === 'end') process.exit()
      if (asked === 'throw') throw new Error('thrown')
      if (asked === 'problem') parentPort.postMessage({ problem: 'said' })
      else parentPort.postMessage({ reply: asked + ' ' + (n += 1) })
    })
  `)}`,
)
const open = (bounds: Partial<Parameters<typeof openThread>[1]> = {}) =>
  openThread<string, string>(module, { answerMax: 60_000, waitingMax: 5, memoryMaxMb: 64, ...bounds })

test('one thread answers questions in turn', async () => {
  const thread = open()
  expect(await Promise.all(['a', 'b', 'c'].map((each) => thread.ask(each)))).toEqual(['a 1', 'b 2', 'c 3'])
})

test.each(['end', 'throw'])(
  'a thread that dies (%s) fails only its question; the next gets a new one',
  async (how) => {
    const thread = open()
    expect(await thread.ask('a')).toBe('a 1')
    const [died, next] = await Promise.allSettled([thread.ask(how), thread.ask('b')])
    expect(died).toMatchObject({ status: 'rejected', reason: { isBusy: false } })
    expect(next).toEqual({ status: 'fulfilled', value: 'b 1' })
  },
)

test('a reported problem is the failure, and the thread stays', async () => {
  const thread = open()
  await expect(thread.ask('problem')).rejects.toThrow('said')
  expect(await thread.ask('a')).toBe('a 1')
})

test('ends slow questions, and limits waiting ones', async () => {
  const thread = open({ answerMax: 3000, waitingMax: 2 })
  const [hung, next, refused] = await Promise.allSettled(['hang', 'a', 'b'].map((each) => thread.ask(each)))
  expect(hung).toMatchObject({ status: 'rejected', reason: { message: 'it takes too long', isBusy: false } })
  expect(next).toEqual({ status: 'fulfilled', value: 'a 1' })
  expect(refused).toMatchObject({ status: 'rejected', reason: { isBusy: true } })
  expect((refused as PromiseRejectedResult).reason).toBeInstanceOf(ThreadFailed)
})
