import { expect, test } from 'vitest'
import { makeFairQueue } from './decode-apart.ts'

/** A queue whose clock advances by the stated duration of each work item. */
function aQueue() {
  let clock = 0
  const done: string[] = []
  const enter = makeFairQueue(() => clock)
  const work = (owner: string, took: number) =>
    enter(owner, async () => {
      await Promise.resolve()
      clock += took
      done.push(owner)
    })
  return { work, done }
}

test('slow work of one owner waits for everyone else, who wait for one item of it', async () => {
  const { work, done } = aQueue()
  const slow = Array.from({ length: 8 }, () => work('slow', 3400))
  const others = ['a', 'b', 'a', 'b'].map((owner) => work(owner, 100))
  await Promise.all([...slow, ...others])
  expect(done).toEqual(['slow', 'a', 'b', 'a', 'b', ...Array<string>(7).fill('slow')])
})

test('several owners of the same kind take turns', async () => {
  const { work, done } = aQueue()
  await Promise.all(['a', 'a', 'a', 'b', 'b', 'c'].map((owner) => work(owner, 100)))
  expect(done).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
})

test('failed work only rejects its owner', async () => {
  const enter = makeFairQueue()
  const failing = enter('a', () => Promise.reject(new Error('broken')))
  const whole = enter('a', () => Promise.resolve(7))
  await expect(failing).rejects.toThrow('broken')
  expect(await whole).toBe(7)
})
