import { readFileSync } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { SecureVersion } from 'node:tls'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'

/** For `localhost`, except `other`; all but `self` of the authority `ca`; `expired` in 2021, the others in a hundred years. */
export type Certificate = 'good' | 'other' | 'expired' | 'self'

export const pemOf = (name: Certificate | 'ca' | 'key'): string =>
  readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), 'utf8')

type Asked = { path: string; headers: Record<string, string>; from: string }
type Answered = { status: number; bytes: Buffer }

const asking =
  (app: FastifyInstance) =>
  async ({ path, headers, from }: Asked): Promise<Answered> => {
    const answer = await app.inject({ url: path, headers, remoteAddress: from })
    return { status: answer.statusCode, bytes: answer.rawPayload }
  }

const askingAt =
  (address: string) =>
  ({ path, headers }: Asked): Promise<Answered> =>
    new Promise((resolve, reject) => {
      requestHttp(new URL(path, address), { headers }, (answer) => {
        buffer(answer).then((bytes) => resolve({ status: answer.statusCode!, bytes }), reject)
      })
        .on('error', reject)
        .end()
    })

type Options = {
  certificate?: Certificate
  /** What the proxy tells of the visitor; `sent` is what the visitor sent as X-Forwarded-For. */
  tells?: (sent: string | undefined) => Record<string, string>
  /** The address that the proxy has for the program. */
  from?: string
  minVersion?: SecureVersion
  /** Milliseconds by which its clock is wrong. */
  clockWrongBy?: number
}

const visitor = '198.51.100.7'
const asItShould = () => ({ 'x-forwarded-for': visitor, 'x-forwarded-proto': 'https' })

/** A proxy with TLS on loopback. What stands behind it is said afterwards: its settings name the proxy's address. */
export async function startTlsProxy(options: Options = {}) {
  const {
    certificate = 'good',
    tells = asItShould,
    from = '127.0.0.1',
    minVersion = 'TLSv1.2',
    clockWrongBy = 0,
  } = options
  let ask: ((asked: Asked) => Promise<Answered>) | undefined
  const secure = {
    key: pemOf('key'),
    cert: pemOf(certificate),
    minVersion,
    ...(minVersion < 'TLSv1.2' && { ciphers: 'DEFAULT@SECLEVEL=0' }),
  }
  const server = createServer(secure, (request, response) => {
    void (async () => {
      await buffer(request)
      const { 'x-forwarded-for': sent, connection: _, ...headers } = request.headers
      const { status, bytes } = await ask!({
        path: request.url!,
        headers: { ...(headers as Record<string, string>), ...tells(sent?.toString()) },
        from,
      })
      response.setHeader('date', new Date(Date.now() + clockWrongBy).toUTCString())
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(bytes)
    })().catch(() => response.writeHead(502).end())
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  onTestFinished(() => void server.close())
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    /** A server in this process, or one at an address. */
    to: (program: FastifyInstance | string) =>
      void (ask = typeof program === 'string' ? askingAt(program) : asking(program)),
  }
}
