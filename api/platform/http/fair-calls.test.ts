import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aMember, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const flood = 400

/** Returns how many requests of the flood are answered before another client, whose request came last. */
async function answeredBefore(
  ask: () => Promise<{ status: number }>,
  askElsewhere: () => Promise<{ status: number }>,
): Promise<number> {
  let answered = 0
  const all = Array.from({ length: flood }, async () => {
    const { status } = await ask()
    answered += 1
    return status
  })
  const { status } = await askElsewhere()
  expect(status).toBe(200)
  const before = answered
  // Requests that wait too long for their turn may be refused.
  expect((await Promise.all(all)).filter((status) => ![200, 503].includes(status))).toEqual([])
  return before
}

test('a client with hundreds of concurrent requests does not delay other clients', async () => {
  const started = await startApi()
  const busy = await aMember(started)
  const other = await aSignedInMember(started)
  const xsrf = { 'x-xsrf-token': busy.cookies['XSRF-TOKEN']! }
  const refresh = () =>
    started.call(api.restoreSession, { body: null }, { cookies: busy.cookies, headers: xsrf, ip: busy.ip })
  const look = (ip: string) => () => started.call(api.listSessions, {}, { token: other.token, ip })
  // Refreshes of one session wait for each other, each holding a connection.
  expect(await answeredBefore(refresh, look('203.0.113.7'))).toBeLessThan(flood / 4)
  expect(await answeredBefore(look(busy.ip), look('203.0.113.7'))).toBeLessThan(flood / 4)
})
