import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { defaultAppId } from '#contract/people/apps.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
await started.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = started.app.server.address() as AddressInfo

/** The response status to a request with these header lines. */
const statusOf = (...lines: string[]): Promise<number> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(['GET /v2/health HTTP/1.1', 'connection: close', ...lines, '', ''].join('\r\n')),
    )
    socket.once('data', (bytes: Buffer) => {
      resolve(Number(bytes.toString().split(' ')[1]))
      socket.destroy()
    })
  })

const host = 'host: localhost'
const app = `x-app-id: ${defaultAppId}`

test('accepts a request with one of each', async () => {
  expect(
    await statusOf(
      host,
      app,
      'origin: http://localhost',
      'x-forwarded-for: 192.0.2.1',
      'x-forwarded-for: 192.0.2.2',
    ),
  ).toBe(200)
})

test.each([
  ['host', [host, 'Host: evil.example']],
  ['the same host twice', [host, host]],
  ['Origin', [host, 'origin: http://localhost', 'origin: https://evil.example']],
  ['x-app-id', [host, app, app]],
  ['x-access-token', [host, 'x-access-token: a', 'X-Access-Token: b']],
  ['Authorization', [host, 'authorization: Bearer a', 'authorization: Bearer b']],
  ['Content-Length', [host, 'content-length: 0', 'content-length: 0']],
  ['Content-Length and Transfer-Encoding', [host, 'content-length: 5', 'transfer-encoding: chunked']],
])('refuses two %s', async (_, lines) => {
  expect(await statusOf(...lines)).toBe(400)
})
