import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { anEmail } from '#tests/builders.ts'
import { aMailTo, setMail, withMailServer } from '#tests/mails.ts'
import type { TestApi } from '#tests/setup/start-api.ts'

const rowOf = ({ services }: TestApi, id: string) =>
  services.db
    .selectFrom('mail')
    .select(['state', 'sealed_message'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

test('a repeated handover is identical byte for byte, and a resent email is dated anew', async () => {
  const { server, started, startWorker } = await withMailServer()
  const id = await aMailTo(started, anEmail())
  const { sealed_message } = await rowOf(started, id)
  const worker = startWorker()
  /** Simulates that its acceptance was not recorded. */
  const deliver = async (change: object = {}) => {
    const before = server.received.length
    await setMail(started, id, { state: 'waiting', sealed_message, next_try_at: sql`now()`, ...change })
    worker.wake()
    await expect.poll(() => server.received.length).toBe(before + 1)
    await expect.poll(async () => (await rowOf(started, id)).state).toBe('sent')
    return server.received.at(-1)!
  }
  await deliver()
  await deliver()
  const [first, second] = server.received
  expect(second!.raw).toBe(first!.raw)

  const before = '2026-01-05T10:00:00.000Z'
  const longAgo = sql`jsonb_set(tries, '{0,at}', to_jsonb(${before}::text))`
  expect((await deliver({ tries: longAgo })).raw).toContain('\r\nDate: Mon, 05 Jan 2026 10:00:00 +0000\r\n')
  const asked = await deliver({ round_from: sql`attempts` })
  expect(asked.mail.messageId).toBe(first!.mail.messageId)
  expect(Date.parse(asked.mail.date!)).toBeGreaterThan(Date.parse(before))
})
