import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SECOND } from '#contract/platform/durations.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { startOutbox } from './start-outbox.ts'

test('a shutdown waits for attempts at items whose claim it overtook', async () => {
  const { services } = await startApi()
  const claim = Promise.withResolvers<string[]>()
  const claiming = Promise.withResolvers<void>()
  const done: string[] = []
  const outbox = startOutbox<string>(services, {
    job: 'mailDelivery',
    topic: 'mail',
    lease: SECOND,
    claim: () => {
      claiming.resolve()
      return claim.promise
    },
    attempt: async (item, signal) => {
      await wait(100)
      done.push(`${item}, aborted: ${signal.aborted}`)
    },
    releaseClaimsOf: async () => {},
    failed: 'the outbox cannot be read',
  })
  await claiming.promise
  const stopped = outbox.stop()
  claim.resolve(['an item'])
  await stopped
  expect(done).toEqual(['an item, aborted: true'])
})
