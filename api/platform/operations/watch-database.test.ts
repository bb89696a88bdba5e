import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { watchDatabase } from './watch-database.ts'

test('the database is away from the first failed query until change notifications work', async () => {
  let tell: (isListening: boolean) => void = () => {}
  const changes = { onListening: (listener: typeof tell) => void (tell = listener) }
  const watch = watchDatabase(changes, () => Promise.reject(new Error('away')), 5)
  onTestFinished(() => watch.close())
  const begun = performance.now()
  tell(false)
  expect(watch.isAway()).toBe(false)
  await expect.poll(() => watch.isAway()).toBe(true)
  const since = watch.awaySince()!
  expect(since).toBeGreaterThan(begun)
  await setTimeout(30)
  expect(watch.awaySince()).toBe(since)
  tell(true)
  expect(watch.awaySince()).toBeUndefined()
})
