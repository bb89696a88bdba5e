import { lookup, Resolver } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { responseExcerptMax, type DeliveryTrouble } from '#contract/webhooks.ts'
import { SECOND } from '#contract/durations.ts'
import type { Config } from '../../config.ts'
import { hostOf, isNamed, isThisMachine, judgeUrl, mayConnect } from './judge-url.ts'

/** Milliseconds: until the answer begins, and until we stop to read it. */
export type Limits = { answer: number; rest: number }
export const limitsOfSending: Limits = { answer: 15 * SECOND, rest: 2 * SECOND }

export type Outcome = { status: number | null; trouble: DeliveryTrouble | null; excerpt: string; ms: number }
type Settings = Pick<Config, 'isProduction' | 'publicUrl' | 'port' | 'webhookPrivateHosts'>

type Message = { headers: Record<string, string>; body: string }

export type Reach = {
  settings: Settings
  limits?: Limits
  /** All addresses of a name. */
  resolve?: (host: string, settings: Settings) => Promise<string[]>
  /** Trusted besides those of the system. */
  ca?: string
  signal?: AbortSignal
}

/**
 * One request, straight to an address that was judged: the name is resolved here and the connection made to what was judged, so
 * that a name which answers differently the next time gains nothing. No redirect is followed, no proxy of the environment used, and of the
 * answer no more is read than is kept.
 */
export async function sendRequest(address: string, message: Message, reach: Reach): Promise<Outcome> {
  const begun = performance.now()
  const end = (trouble: DeliveryTrouble | null, status: number | null = null, excerpt = ''): Outcome => ({
    status,
    trouble,
    excerpt,
    ms: Math.round(performance.now() - begun),
  })
  const url = new URL(address)
  if (judgeUrl(reach.settings, url)) return end('address_refused')
  const { limits = limitsOfSending } = reach
  const found = await Promise.race([resolveHost(url, reach), pause(limits.answer)])
  if (!found) return end('timed_out')
  const addresses = found.filter((each) => mayConnect(reach.settings, hostOf(url), each))
  if (addresses.length === 0) return end(found.length > 0 ? 'address_refused' : 'host_unknown')
  return new Promise((resolve) => {
    let hasAnswered = false
    const left = limits.answer - (performance.now() - begun)
    const late = setTimeout(() => finish(end('timed_out')), left)
    const finish = (outcome: Outcome) => {
      clearTimeout(late)
      reach.signal?.removeEventListener('abort', stop)
      resolve(outcome)
      request.destroy()
    }
    const stop = () => finish(end('interrupted'))
    const request = open(url, addresses, message, reach)
    // Once it has answered, nothing that happens to the connection changes what it said.
    request.on('error', (error) => hasAnswered || finish(end(troubleOf(error))))
    request.on('close', () => hasAnswered || finish(end('connection_lost')))
    request.on('response', (response) => {
      hasAnswered = true
      clearTimeout(late)
      const status = response.statusCode ?? 0
      void readBeginning(response, limits.rest).then((excerpt) =>
        finish(end(troubleOfStatus(status), status, excerpt)),
      )
    })
    if (reach.signal?.aborted) stop()
    else reach.signal?.addEventListener('abort', stop)
  })
}

const pause = (ms: number) =>
  new Promise<undefined>((resolve) => void setTimeout(resolve, ms, undefined).unref())

function open(
  url: URL,
  addresses: readonly string[],
  { headers, body }: Message,
  reach: Reach,
): http.ClientRequest {
  const host = hostOf(url)
  const isSecure = url.protocol === 'https:'
  const request = (isSecure ? https : http).request({
    method: 'POST',
    // The name stays what the certificate is compared with and what Host and SNI say; `lookup` decides where it leads.
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
    lookup: lookupAmong(addresses),
    maxHeaderSize: 16_384,
    ...(reach.ca && { ca: reach.ca }),
  })
  request.on('socket', (socket) => {
    // Names and literal addresses alike, whatever resolved them.
    socket.on('connect', () => {
      if (!socket.remoteAddress || !mayConnect(reach.settings, host, socket.remoteAddress))
        socket.destroy(refused())
    })
  })
  request.end(body)
  return request
}

const refused = () => Object.assign(new Error('an address that is not called'), { code: 'address_refused' })

/** Nothing is asked for anew: the connection goes to what was judged. */
const lookupAmong =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, options, callback) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }))
    if (options.all) process.nextTick(callback, null, all)
    else process.nextTick(callback, null, all[0]!.address, all[0]!.family)
  }

/** None where nobody knows the name. */
const resolveHost = async (url: URL, { settings, resolve = resolveName }: Reach): Promise<string[]> => {
  const host = hostOf(url)
  return isIP(host) ? [host] : resolve(host, settings).catch(() => [])
}

/**
 * Asked of the name servers without the threads that others of the program need, which a slow one could hold. What the operator named,
 * and this machine, may stand in its file of hosts.
 */
async function resolveName(host: string, settings: Settings): Promise<string[]> {
  if (isNamed(settings, host) || isThisMachine(host))
    return (await lookup(host, { all: true })).map(({ address }) => address)
  const resolver = new Resolver({ timeout: 3 * SECOND, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** As text of so many characters at most; without what terminals or the database take for more than text. */
async function readBeginning(response: http.IncomingMessage, timeMax: number): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, timeMax)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    response.on('data', (part: Buffer) => {
      parts.push(part)
      size += part.length
      if (size >= responseExcerptMax) end()
    })
    response.on('end', end)
    response.on('error', end)
    response.on('close', end)
  })
  const text = Buffer.concat(parts).subarray(0, responseExcerptMax).toString('utf8')
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '').slice(0, responseExcerptMax)
}

function troubleOfStatus(status: number): DeliveryTrouble | null {
  if (status >= 200 && status < 300) return null
  if (status === 410) return 'gone'
  return status >= 300 && status < 400 ? 'redirected' : 'status'
}

const byCode: Readonly<Record<string, DeliveryTrouble>> = {
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

function troubleOf(error: Error): DeliveryTrouble {
  // Of several addresses each has failed.
  const { code = '' } = (error instanceof AggregateError ? (error.errors[0] ?? error) : error) as {
    code?: string
  }
  if (byCode[code]) return byCode[code]
  if (/^(ERR_TLS|ERR_SSL|CERT|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO|HOSTNAME)/.test(code)) return 'tls'
  return code.startsWith('HPE_') ? 'connection_lost' : 'unknown'
}
