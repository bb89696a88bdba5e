import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { encodingFor, isKnownTo, noteSent, type CachedBody } from './cached-body.ts'
import type { Encoding } from './compress.ts'
import { languageInCookies } from './language-choice.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Notes how an answer from memory was sent, for those who ask for the same. */
    rememberAnswer?: (request: FastifyRequest, reply: FastifyReply, body: CachedBody) => void
    /** Counts an answer that no hook of the framework saw. */
    observeAnswer?: (answer: { method: string; route: string; status: number; seconds: number }) => void
  }
}

export type FastOptions = {
  /** Where the API is mounted: its calls name the application and take no notice of cookies. */
  apiBase: string
  appId: string
  /** Each answer has an id of its own. */
  requestIdOf: (request: IncomingMessage) => string
  /** Whether the request, or every request now, is to be seen by all hooks. */
  isOrdinary: (request: IncomingMessage) => boolean
}

/** As it was sent the ordinary way, ready to be sent again. */
type Ready = {
  route: string
  /** The footer of every page shows the year. */
  year: number
  body: CachedBody
  /** Names and values in turns, without those of the form. */
  headers: readonly string[]
  /** By what clients accept. */
  forms: Map<string, { encoding: Encoding | undefined; bytes: Buffer; headers: string[] }>
}

/** Addresses, spelled in whatever way, that lead to answers in memory. */
const readyMax = 5000
const addressLengthMax = 500
/** Browsers say in few ways, and in few words, what they accept. */
const waysMax = 8
const acceptedLengthMax = 100
const idHeader = 'x-request-id'
/** Whoever sends one of these is answered the ordinary way. */
const credentials = ['x-access-token', 'x-phone-secret', 'authorization'] as const

/**
 * Answers requests from memory before the framework sees them: what was sent once the ordinary way, with the headers it had,
 * is sent again to whoever asks for the same, as long as it is kept. Everything else goes the ordinary way.
 */
export function answerFast(app: FastifyInstance, options: FastOptions): void {
  const { apiBase, appId, requestIdOf, isOrdinary } = options
  const known = new Map<string, Ready>()
  /** Under which keys a body is known, so that nothing holds it once it is dropped. */
  const keysOf = new WeakMap<CachedBody, Set<string>>()

  function keyOf({ method, url = '', headers }: IncomingMessage): string | undefined {
    if (url.length > addressLengthMax) return undefined
    if (!url.startsWith(apiBase))
      return method === 'GET' || method === 'HEAD'
        ? `${languageInCookies(headers.cookie) ?? ''} ${url}`
        : undefined
    const isOfApp = method === 'GET' && headers['x-app-id'] === appId
    return isOfApp && credentials.every((name) => headers[name] === undefined) ? url : undefined
  }

  function forget(key: string): void {
    const ready = known.get(key)
    if (!ready) return
    known.delete(key)
    keysOf.get(ready.body)?.delete(key)
  }

  function remember(request: FastifyRequest, reply: FastifyReply, body: CachedBody): void {
    const key = body.holder && reply.statusCode === 200 ? keyOf(request.raw) : undefined
    if (key === undefined) return
    const route = request.routeOptions.url ?? 'unknown'
    // A call by an address that does not look like one, as with `%76` for `v`, would be answered without its checks.
    if (route.startsWith(apiBase) !== request.raw.url!.startsWith(apiBase)) return
    forget(key)
    const year = new Date().getUTCFullYear()
    known.set(key, { route, year, body, headers: pairsOf(reply), forms: new Map() })
    const keys = keysOf.get(body) ?? new Set()
    keysOf.set(body, keys.add(key))
    body.onDropped = () => keys.forEach((each) => known.delete(each))
    if (known.size > readyMax) forget(known.keys().next().value!)
  }

  /** Whether it was answered. */
  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method = '', headers } = request
    const key = keyOf(request)
    const ready = key === undefined ? undefined : known.get(key)
    if (!ready || hasBody(request) || isOrdinary(request)) return false
    if (ready.year !== new Date().getUTCFullYear()) return false
    const { body } = ready
    if (body.holder?.isStale()) return false
    const begun = app.observeAnswer ? performance.now() : 0
    const id = [idHeader, requestIdOf(request)]
    const isKnown = isKnownTo(headers['if-none-match'], 200, body)
    if (isKnown) {
      response.writeHead(304, [...ready.headers, ...id])
      response.end()
    } else {
      const form = formFor(ready, headers['accept-encoding']?.toString())
      if (!form) return false
      noteSent(body)
      response.writeHead(200, [...form.headers, ...id])
      response.end(method === 'HEAD' ? undefined : form.bytes)
    }
    app.observeAnswer?.({
      method,
      route: ready.route,
      status: isKnown ? 304 : 200,
      seconds: (performance.now() - begun) / 1000,
    })
    return true
  }

  app.rememberAnswer = remember
  const [ordinary] = app.server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[]
  app.server.removeAllListeners('request')
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!answer(request, response)) ordinary!(request, response)
  })
}

/** What is sent has its pace watched the ordinary way. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

function pairsOf(reply: FastifyReply): string[] {
  return Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    name === idHeader ? [] : [value].flat().flatMap((each) => [name, String(each)]),
  )
}

/** `undefined` where it is not compressed in that way yet, or where somebody else's words would have to be kept. */
function formFor({ body, forms, headers }: Ready, accepted = '') {
  if (accepted.length > acceptedLengthMax) return undefined
  const known = forms.get(accepted)
  const encoding = known ? known.encoding : encodingFor(body, accepted)
  const bytes = encoding ? body.forms[encoding] : body.identity
  // The quick form is replaced by the smallest.
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
  if (forms.size >= waysMax) forms.clear()
  forms.set(accepted, form)
  return form
}
