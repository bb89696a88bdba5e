import { readFileSync } from 'node:fs'
import {
  request as requestHttp,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
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

type Forwarded = { path: string; headers: Record<string, string>; from: string | undefined }
type Passed = { request: IncomingMessage; response: ServerResponse; forwarded: Forwarded; changed: Changed }
type Changed = (answer: IncomingMessage) => OutgoingHttpHeaders

const passingTo =
  (address: string) =>
  ({ request, response, forwarded, changed }: Passed): void => {
    const { path, headers } = forwarded
    const passed = requestHttp(
      new URL(path, address),
      { method: request.method!, headers, path },
      (answer) => {
        response.writeHead(answer.statusCode!, changed(answer))
        answer.pipe(response)
      },
    )
    passed.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    request.pipe(passed)
  }

/** In the process, so that the proxy may have any address. */
async function inject(app: FastifyInstance, { request, response, forwarded }: Passed): Promise<void> {
  const { path, headers, from } = forwarded
  const payload = await buffer(request)
  const answer = await app.inject({
    method: request.method as 'GET',
    url: path,
    headers,
    remoteAddress: from!,
    ...(payload.length > 0 && { payload }),
  })
  response.writeHead(answer.statusCode, answer.headers).end(answer.rawPayload)
}

/** A mistake in the settings of a proxy. `pass` does what the proxy should have done, with these changes. */
export type ProxyFault = (
  request: IncomingMessage,
  response: ServerResponse,
  pass: (change?: { path?: string; headers?: IncomingHttpHeaders; changed?: Changed }) => void,
) => void

type Options = {
  certificate?: Certificate
  /** What the proxy tells of the visitor; `sent` is what the visitor sent as X-Forwarded-For. */
  tells?: (sent: string | undefined) => Record<string, string>
  /** The address that the proxy has for the program, where it is not one of loopback. */
  from?: string
  minVersion?: SecureVersion
  /** Milliseconds by which its clock is wrong. */
  clockWrongBy?: number
}

const visitor = '198.51.100.7'
const asItShould = () => ({ 'x-forwarded-for': visitor, 'x-forwarded-proto': 'https' })

/** A proxy with TLS on loopback. What stands behind it is said afterwards: its settings name the proxy's address. */
export async function startTlsProxy(options: Options = {}) {
  const { certificate = 'good', tells = asItShould, from, minVersion = 'TLSv1.2', clockWrongBy = 0 } = options
  let behind: ((passed: Passed) => unknown) | undefined
  let fault: ProxyFault | undefined
  const secure = {
    key: pemOf('key'),
    cert: pemOf(certificate),
    minVersion,
    ...(minVersion < 'TLSv1.2' && { ciphers: 'DEFAULT@SECLEVEL=0' }),
  }
  const server = createServer(secure, (request, response) => {
    const pass: Parameters<ProxyFault>[2] = ({
      path = request.url!,
      headers: sent = request.headers,
      changed = (answer: IncomingMessage) => answer.headers,
    } = {}) => {
      const { 'x-forwarded-for': claimed, connection: _, ...headers } = sent
      const named = { ...(headers as Record<string, string>), ...tells(claimed?.toString()) }
      const date = new Date(Date.now() + clockWrongBy).toUTCString()
      behind!({
        request,
        response,
        forwarded: { path, headers: named, from },
        changed: (answer) => ({ ...changed(answer), ...(clockWrongBy !== 0 && { date }) }),
      })
    }
    if (fault) fault(request, response, pass)
    else pass()
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  onTestFinished(() => void server.close())
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    /** A server at an address, or one in this process where the proxy has an address of its own. */
    to: (address: string) => void (behind = passingTo(address)),
    toApp: (app: FastifyInstance) => void (behind = (passed) => void inject(app, passed)),
    /** Until it is called without a fault. */
    breakBy: (next?: ProxyFault) => void (fault = next),
  }
}
