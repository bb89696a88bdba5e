import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerFactory } from 'fastify'
import type { Readable } from '#contract/publishing/reads.ts'
import { encodingFor, isUnchangedFor, recordResponse, type CachedBody } from './cached-body.ts'
import type { Encoding } from './compress.ts'
import { languageInCookies } from '../language-choice.ts'
import { currentDay } from './response-cache.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Remembers how a cached response was sent, for equal requests. */
    rememberResponse?: (request: FastifyRequest, reply: FastifyReply, body: CachedBody) => void
    /** Records a response that bypassed the framework's hooks. */
    observeResponse?: (answer: { method: string; route: string; status: number; seconds: number }) => void
    /** Counts a page or document as read. Called for each one that is sent or still current. */
    countRead?: (request: IncomingMessage, shown: Readable) => void
  }
}

type AnswerOptions = {
  /** Where the API is mounted. API requests carry the application ID and ignore cookies. */
  apiBase: string
  appId: string
  /** Creates a request ID for each response. */
  requestIdOf: (request: IncomingMessage) => string
  /** Whether this request, or currently every request, must pass through all hooks. */
  isOrdinary: (request: IncomingMessage) => boolean
}

/** A response as the framework sent it, ready to be repeated. */
type Ready = {
  route: string
  /** The day on which the page was rendered. */
  day: number
  body: CachedBody
  /** Alternating names and values, without the headers of the encoding. */
  headers: readonly string[]
  /** Prepared responses by Accept-Encoding header. */
  forms: Map<string, { encoding: Encoding | undefined; bytes: Buffer; headers: string[] }>
}

/** The maximum number of URLs, in any spelling, with responses in memory. */
const readyMax = 5000
const addressLengthMax = 500
/** Clients use few variants of Accept-Encoding, and all are short. */
const encodingsMax = 8
const acceptedLengthMax = 100
const idHeader = 'x-request-id'
/** Requests with one of these headers go through the framework. */
const credentials = ['x-access-token', 'x-phone-secret', 'authorization'] as const

/** Returns whether it handled the request. */
type Answer = (request: IncomingMessage, response: ServerResponse) => boolean
const servers = new WeakMap<Server, { answer: Answer }>()

/** For Fastify's option of the same name: a server on which `answerFromCache` can respond before the framework does. */
export const serverFactory: FastifyServerFactory = (handle, options) => {
  const early: { answer: Answer } = { answer: () => false }
  const server = createServer(options['http'] ?? {}, (request, response) => {
    if (!early.answer(request, response)) handle(request, response)
  })
  // Fastify does not set these options on a custom server.
  server.keepAliveTimeout = options['keepAliveTimeout'] as number
  server.requestTimeout = options['requestTimeout'] as number
  servers.set(server, early)
  return server
}

/**
 * Responds from memory before a request reaches the framework. A response that the framework sent is repeated with its
 * headers for equal requests while its body is cached. All other requests go through the framework.
 */
export function answerFromCache(app: FastifyInstance, options: AnswerOptions): void {
  const { apiBase, requestIdOf, isOrdinary } = options
  const known = new Map<string, Ready>()
  /** Weak keys, so that nothing keeps a body in memory after it is evicted. */
  const keysOf = new WeakMap<CachedBody, Set<string>>()

  function forget(key: string): void {
    const ready = known.get(key)
    if (!ready) return
    known.delete(key)
    keysOf.get(ready.body)?.delete(key)
  }

  function remember(request: FastifyRequest, reply: FastifyReply, body: CachedBody): void {
    const key = body.holder && reply.statusCode === 200 ? keyOf(request.raw, options) : undefined
    if (key === undefined) return
    const route = request.routeOptions.url ?? 'unknown'
    // An API request whose URL does not look like one, such as `%76` for `v`, would be answered without its checks.
    if (route.startsWith(apiBase) !== request.raw.url!.startsWith(apiBase)) return
    forget(key)
    known.set(key, { route, day: currentDay(), body, headers: pairsOf(reply), forms: new Map() })
    const keys = keysOf.get(body) ?? new Set()
    keysOf.set(body, keys.add(key))
    body.onEvicted = () => keys.forEach((each) => known.delete(each))
    if (known.size > readyMax) forget(known.keys().next().value!)
  }

  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    const key = keyOf(request, options)
    const ready = key === undefined ? undefined : known.get(key)
    if (!ready || hasBody(request) || isOrdinary(request)) return false
    if (ready.day !== currentDay() || ready.body.holder?.isStale()) return false
    const startedAt = app.observeResponse ? performance.now() : 0
    const status = send(ready, request, response, requestIdOf)
    if (status === undefined) return false
    if (ready.body.shows) app.countRead?.(request, ready.body.shows)
    app.observeResponse?.({
      method: request.method ?? '',
      route: ready.route,
      status,
      seconds: (performance.now() - startedAt) / 1000,
    })
    return true
  }

  app.rememberResponse = remember
  const server = servers.get(app.server)
  if (!server) throw new Error('answerFromCache needs a server made by serverFactory')
  server.answer = answer
}

/** Requests with the same key get the same response. Undefined if the framework must respond. */
function keyOf(
  { method, url = '', headers }: IncomingMessage,
  { apiBase, appId }: AnswerOptions,
): string | undefined {
  if (url.length > addressLengthMax) return undefined
  if (!url.startsWith(apiBase))
    return method === 'GET' || method === 'HEAD'
      ? `${languageInCookies(headers.cookie) ?? ''} ${url}`
      : undefined
  const isOfApp = method === 'GET' && headers['x-app-id'] === appId
  return isOfApp && credentials.every((name) => headers[name] === undefined) ? url : undefined
}

/** Returns the status that was sent; undefined if the response does not exist in a form that the client accepts. */
function send(
  ready: Ready,
  request: IncomingMessage,
  response: ServerResponse,
  requestIdOf: AnswerOptions['requestIdOf'],
): 200 | 304 | undefined {
  const { method, headers } = request
  const id = [idHeader, requestIdOf(request)]
  if (isUnchangedFor(headers['if-none-match'], 200, ready.body)) {
    response.writeHead(304, [...ready.headers, ...id])
    response.end()
    return 304
  }
  const form = formFor(ready, headers['accept-encoding']?.toString())
  if (!form) return undefined
  recordResponse(ready.body)
  response.writeHead(200, [...form.headers, ...id])
  response.end(method === 'HEAD' ? undefined : form.bytes)
  return 200
}

/** The framework limits how slowly a request body may arrive. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

function pairsOf(reply: FastifyReply): string[] {
  return Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    name === idHeader ? [] : [value].flat().flatMap((each) => [name, String(each)]),
  )
}

/** Undefined if this encoding does not exist yet, or if the cache would have to store a header chosen by the client. */
function formFor({ body, forms, headers }: Ready, accepted = '') {
  if (accepted.length > acceptedLengthMax) return undefined
  const known = forms.get(accepted)
  const encoding = known ? known.encoding : encodingFor(body, accepted)
  const bytes = encoding ? body.forms[encoding] : body.identity
  // The best compressed form replaces the quick one.
  if (!bytes || known?.bytes === bytes) return known
  const form = {
    encoding,
    bytes,
    headers: [
      ...headers,
      ...(encoding ? ['content-encoding', encoding] : []),
      'content-type',
      body.type,
      'content-length',
      String(bytes.length),
    ],
  }
  if (forms.size >= encodingsMax) forms.clear()
  forms.set(accepted, form)
  return form
}
