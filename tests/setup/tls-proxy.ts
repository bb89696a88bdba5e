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

/**
 * `good` is valid for `localhost`, `other` for another host. All except `self` are signed by the authority `ca`.
 * `expired` ended in 2021, the others are valid for a hundred years.
 */
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

/** Handled in this process, so that the proxy can have any IP address. */
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
  /** The headers with which the proxy describes the visitor. `sent` is the visitor's X-Forwarded-For header. */
  tells?: (sent: string | undefined) => Record<string, string>
  /** The proxy's IP address as the program sees it, if it is not a loopback address. */
  from?: string
  minVersion?: SecureVersion
  /** Milliseconds by which its clock is off. */
  clockWrongBy?: number
}

const visitor = '198.51.100.7'
const asItShould = () => ({ 'x-forwarded-for': visitor, 'x-forwarded-proto': 'https' })

/** A TLS proxy on loopback. Its target is set afterwards, because the target's settings contain the proxy's URL. */
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
    /** Forwards to a server at a URL, or to one in this process if the proxy has an IP address of its own. */
    to: (address: string) => void (behind = passingTo(address)),
    toApp: (app: FastifyInstance) => void (behind = (passed) => void inject(app, passed)),
    /** Breaks until it is called without a fault. */
    breakBy: (next?: ProxyFault) => void (fault = next),
  }
}
