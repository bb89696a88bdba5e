import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { defaultAppId } from '#contract/people/apps.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'

const body = JSON.stringify({ email: 'somebody@example.org', password: 'a wrong password' })
const signIn = [
  'POST /v2/members/login HTTP/1.1',
  'host: localhost',
  `x-app-id: ${defaultAppId}`,
  'content-type: application/json',
  `content-length: ${body.length}`,
  '',
  body,
].join('\r\n')

async function listen({ app }: TestApi): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

/** Sends a text, and closes the connection after `after` milliseconds without reading an answer. */
const cut = (port: number, text: string, after: number): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text)
      const reset = () => socket.resetAndDestroy()
      if (after === 0) reset()
      else setTimeout(reset, after)
    })
    socket.on('error', () => {}).on('close', () => resolve())
  })

const exchange = (port: number, text: string): Promise<string> =>
  new Promise((resolve) => {
    let heard = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (bytes: Buffer) => {
      heard += bytes.toString()
      socket.destroy()
    })
    socket.on('error', () => {}).on('close', () => resolve(heard))
  })

test.each([{}, { TRUST_PROXY: '127.0.0.1' }])(
  'connections closed at any point are not unexpected errors, with %j',
  async (settings) => {
    const started = await startApi({ LOG_LEVEL: 'warn', ...settings })
    const lines: string[] = []
    for (const level of ['error', 'warn', 'fatal'] as const)
      vi.spyOn(started.app.log, level).mockImplementation(
        (...said: unknown[]) => void lines.push(JSON.stringify(said)),
      )
    const port = await listen(started)
    const points = Array.from({ length: 12 }, (_, n) => Math.ceil((signIn.length * (n + 1)) / 12))
    for (const after of [0, 1, 3, 10])
      await Promise.all(
        Array.from({ length: 10 }, () =>
          points.map((point) => cut(port, signIn.slice(0, point), after)),
        ).flat(),
      )
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(lines.filter((line) => line.includes('unexpected') || line.includes('TypeError'))).toEqual([])
    expect(await exchange(port, signIn)).toMatch(/^HTTP\/1\.1 4\d\d /)
  },
)
