import { expect, test } from 'vitest'
import { getOrRetry } from './get-or-retry.ts'
import { Busy } from './render-queue.ts'

/** Entries that were first requested by these clients, in turn, and fail with these errors or succeed. */
function entriesOf(...given: [client: string, failure?: Error][]) {
  const waits: number[] = []
  const enter = (waited: number) => {
    const [client, failure] = given[waits.length]!
    waits.push(waited)
    return { client, value: failure ? Promise.reject<string>(failure) : Promise.resolve('made') }
  }
  return { enter, waits }
}

test('requests once more if another client was removed from the queue, and keeps the time already waited', async () => {
  const { enter, waits } = entriesOf(['other', new Busy(5)], ['own'])
  expect(await getOrRetry('own', enter)).toBe('made')
  expect(waits[0]).toBe(0)
  expect(waits[1]).toBeGreaterThan(0)
})

test('requests no more than once more', async () => {
  const { enter, waits } = entriesOf(['other', new Busy(5)], ['another', new Busy(7)])
  await expect(getOrRetry('own', enter)).rejects.toMatchObject({ retryAfterSeconds: 7 })
  expect(waits).toHaveLength(2)
})

test.each([
  ['the client’s own request was removed', 'own', new Busy(5)],
  ['making it failed', 'other', new Error('failed')],
])('fails if %s', async (_what, client, failure) => {
  const { enter, waits } = entriesOf([client, failure])
  await expect(getOrRetry('own', enter)).rejects.toBe(failure)
  expect(waits).toHaveLength(1)
})
