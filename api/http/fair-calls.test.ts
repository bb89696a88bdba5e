import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aMember, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const flood = 400

/** How many of the flood are answered before somebody else is, who asks after all of them. */
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
  // Of who waits too long for a turn some may be refused.
  expect((await Promise.all(all)).filter((status) => ![200, 503].includes(status))).toEqual([])
  return before
}

test('whoever asks for hundreds of things at once keeps no other client waiting for them', async () => {
  const started = await startApi()
  const busy = await aMember(started)
  const other = await aSignedInMember(started)
  const xsrf = { 'x-xsrf-token': busy.cookies['XSRF-TOKEN']! }
  const refresh = () =>
    started.call(api.restoreSession, { body: null }, { cookies: busy.cookies, headers: xsrf, ip: busy.ip })
  const look = (ip: string) => () => started.call(api.listSessions, {}, { token: other.token, ip })
  // Refreshes of one session wait for each other, each with a connection.
  expect(await answeredBefore(refresh, look('203.0.113.7'))).toBeLessThan(flood / 4)
  expect(await answeredBefore(look(busy.ip), look('203.0.113.7'))).toBeLessThan(flood / 4)
})
