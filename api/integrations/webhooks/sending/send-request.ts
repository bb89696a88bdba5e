import { once } from 'node:events'
import { lookup, Resolver } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { responseExcerptMax, type DeliveryFailureReason } from '#contract/integrations/webhooks.ts'
import { SECOND } from '#contract/platform/durations.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Outcome } from '../../../platform/outbox/delivery.queries.ts'
import { hostOf, isNamed, isThisMachine, validateUrl, canConnect } from './validate-url.ts'

/** Time limits in milliseconds: until the response starts, and for reading the rest of it. */
const usualLimits = { answer: 15 * SECOND, rest: 2 * SECOND }

type Settings = Pick<Config, 'isProduction' | 'publicUrl' | 'port' | 'webhookPrivateHosts'>

type Message = { headers: Record<string, string>; body: string }

export type Reach = {
  settings: Settings
  limits?: typeof usualLimits
  /** Returns all addresses of a name. */
  resolve?: (host: string, settings: Settings) => Promise<string[]>
  /** Trusted CA certificates in addition to the system's. */
  ca?: string
  signal?: AbortSignal
}

/**
 * Sends one request. It resolves the name, checks the addresses, and connects only to these, so that DNS rebinding has
 * no effect. It follows no redirects, ignores the proxy settings of the environment, and reads no more of the response
 * than is stored.
 */
export async function sendRequest(address: string, message: Message, reach: Reach): Promise<Outcome> {
  const begun = performance.now()
  const outcome = await exchange(new URL(address), message, reach)
  return { status: null, excerpt: '', ...outcome, ms: Math.round(performance.now() - begun) }
}

type Exchange = Pick<Outcome, 'trouble'> & Partial<Outcome>

async function exchange(url: URL, message: Message, reach: Reach): Promise<Exchange> {
  const host = hostOf(url)
  const isRefused = isIP(host) > 0 && !canConnect(reach.settings, host, host)
  if (isRefused || validateUrl(reach.settings, url)) return { trouble: 'address_refused' }
  const { limits = usualLimits, signal: stopping } = reach
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), limits.answer)
  const signal = AbortSignal.any([late.signal, ...(stopping ? [stopping] : [])])
  const request = open(url, message, reach, signal)
  // Connection errors after the response don't change the result.
  request.on('error', () => {})
  try {
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    clearTimeout(timer)
    const status = response.statusCode ?? 0
    const excerpt = await readBeginning(response, limits.rest)
    return { trouble: failureReasonOfStatus(status), status, excerpt }
  } catch (error) {
    if (stopping?.aborted) return { trouble: 'interrupted' }
    return { trouble: late.signal.aborted ? 'timed_out' : failureReasonOf(error as Error) }
  } finally {
    clearTimeout(timer)
    request.destroy()
  }
}

function open(url: URL, { headers, body }: Message, reach: Reach, signal: AbortSignal): http.ClientRequest {
  const host = hostOf(url)
  const isSecure = url.protocol === 'https:'
  const request = (isSecure ? https : http).request({
    method: 'POST',
    // The certificate, Host, and SNI use the name; `lookup` decides the destination.
    host,
    ...(isSecure && !isIP(host) && { servername: host }),
    port: url.port || (isSecure ? 443 : 80),
    path: url.pathname + url.search,
    headers: {
      ...headers,
      host: url.host,
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    },
    agent: false,
    lookup: lookupChecked(reach),
    maxHeaderSize: 16_384,
    signal,
    ...(reach.ca && { ca: reach.ca }),
  })
  request.on('socket', (socket) => {
    // Checks the connected address again, because a literal address is never resolved.
    socket.on('connect', () => {
      if (!socket.remoteAddress || !canConnect(reach.settings, host, socket.remoteAddress))
        socket.destroy(failure('address_refused'))
    })
  })
  request.end(body)
  return request
}

const failure = (code: string) => Object.assign(new Error('an address that is not called'), { code })

/** Makes the connection use the addresses that were checked, without resolving the name again. */
const lookupChecked =
  ({ settings, resolve = resolveName }: Reach): LookupFunction =>
  (host, options, callback) => {
    const take = (found: readonly string[]) => {
      const allowed = found.filter((address) => canConnect(settings, host, address))
      const all = allowed.map((address) => ({ address, family: isIP(address) }))
      if (all.length === 0) callback(failure(found.length > 0 ? 'address_refused' : 'ENOTFOUND'), [])
      else if (options.all) callback(null, all)
      else callback(null, all[0]!.address, all[0]!.family)
    }
    void resolve(host, settings).then(take, () => take([]))
  }

/**
 * Resolves a name without the shared thread pool, which a slow name server could block. Hosts named by the operator and
 * this machine are the exception, because they may be in the hosts file.
 */
async function resolveName(host: string, settings: Settings): Promise<string[]> {
  if (isNamed(settings, host) || isThisMachine(host))
    return (await lookup(host, { all: true })).map(({ address }) => address)
  const resolver = new Resolver({ timeout: 3 * SECOND, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** Reads the beginning of the response as text, without control characters. */
async function readBeginning(response: http.IncomingMessage, timeMax: number): Promise<string> {
  const timer = setTimeout(() => response.destroy(), timeMax)
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.length
      if (size >= responseExcerptMax) break
    }
  } catch {
    // Keeps what has arrived.
  }
  clearTimeout(timer)
  const text = Buffer.concat(parts).subarray(0, responseExcerptMax).toString('utf8')
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '').slice(0, responseExcerptMax)
}

function failureReasonOfStatus(status: number): DeliveryFailureReason | null {
  if (status >= 200 && status < 300) return null
  if (status === 410) return 'gone'
  return status >= 300 && status < 400 ? 'redirected' : 'status'
}

const byCode: Readonly<Record<string, DeliveryFailureReason>> = {
  address_refused: 'address_refused',
  ENOTFOUND: 'host_unknown',
  EAI_AGAIN: 'host_unknown',
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_refused',
  ENETUNREACH: 'connection_refused',
  ECONNRESET: 'connection_lost',
  EPIPE: 'connection_lost',
  ETIMEDOUT: 'timed_out',
}

function failureReasonOf(error: Error): DeliveryFailureReason {
  // If a name has several addresses, the error of the first one counts.
  const { code = '' } = (error instanceof AggregateError ? (error.errors[0] ?? error) : error) as {
    code?: string
  }
  if (byCode[code]) return byCode[code]
  if (/^(ERR_TLS|ERR_SSL|CERT|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO|HOSTNAME)/.test(code)) return 'tls'
  return code.startsWith('HPE_') ? 'connection_lost' : 'unknown'
}
