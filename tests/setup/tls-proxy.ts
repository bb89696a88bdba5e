import { readFileSync } from 'node:fs'
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
  let behind: FastifyInstance | undefined
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
      const answer = await behind!.inject({
        url: request.url!,
        headers: { ...(headers as Record<string, string>), ...tells(sent?.toString()) },
        remoteAddress: from,
      })
      response.setHeader('date', new Date(Date.now() + clockWrongBy).toUTCString())
      response.writeHead(answer.statusCode, { 'content-type': 'application/json' })
      response.end(answer.rawPayload)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  onTestFinished(() => void server.close())
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    to: (app: FastifyInstance) => void (behind = app),
  }
}
