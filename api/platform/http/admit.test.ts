import { expect, test } from 'vitest'
import { defaultAppId } from '#contract/people/apps.ts'
import { startApi } from '#tests/setup/start-api.ts'

/** The headers that a browser sends when a page of `origin` posts to `host`. */
async function statusOf(settings: Record<string, string>, host: string, origin: string): Promise<number> {
  const started = await startApi(settings)
  const answer = await started.send({
    method: 'POST',
    url: '/v2/members/resendactivation',
    headers: { 'x-app-id': defaultAppId, 'content-type': 'application/json', host, origin },
    payload: { email: 'a@example.org' },
  })
  return answer.statusCode
}

test.each([
  ['coin.example', 'https://coin.example', 202],
  ['127.0.0.1:3000', 'https://coin.example', 202],
  ['evil.example', 'https://evil.example', 403],
  ['evil.example', 'http://evil.example', 403],
  ['coin.example', 'http://coin.example', 403],
  ['coin.example', 'https://coin.example:444', 403],
  ['localhost', 'http://localhost', 403],
])('under a public address only its own pages can post: to %s from %s', async (host, origin, status) => {
  expect(await statusOf({ PUBLIC_URL: 'https://coin.example' }, host, origin)).toBe(status)
})

test('on a developer’s machine, pages under any of its names can post', async () => {
  expect(await statusOf({}, '127.0.0.1:3000', 'http://127.0.0.1:3000')).toBe(202)
  expect(await statusOf({}, '127.0.0.1:3000', 'http://evil.example')).toBe(403)
})
