import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MINUTE, SECOND } from '#contract/platform/durations.ts'
import type { Config } from '../config/config.ts'
import { statementRuns } from '../db/database.ts'
import { trusting } from '../http/trusted-networks.ts'
import { instance } from '../jobs/instance.ts'
import { jobRuns } from '../jobs/record-run.ts'
import type { Tracing } from '../config/read-tracing.ts'
import { newSpanId, newTraceId, readTraceParent, type Span, type Trace, withoutValues } from './span.ts'

const now = () => performance.timeOrigin + performance.now()

const everyDefault = 5 * SECOND
const patience = 5 * SECOND
const batchMax = 512
/** Spans beyond this number are dropped: traces are samples. */
const waitingMax = 4096

type Exporter = { add(span: Span): void; close(): Promise<void> }

type Target = { endpoint: string; headers: Readonly<Record<string, string>>; serviceName: string }

/**
 * Sends spans to a collector by OTLP over HTTP, in JSON (opentelemetry.io/docs/specs/otlp). Rejected spans are lost.
 */
function exportSpans(
  { endpoint, headers, serviceName }: Target,
  onFailure: (code: string) => void,
  every = everyDefault,
): Exporter {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  let waiting: Span[] = []
  let sending: Promise<void> = Promise.resolve()
  const timer = setInterval(() => flush(), every)
  timer.unref()

  const flush = (): void => {
    const batch = waiting.splice(0, batchMax)
    if (batch.length === 0) return
    sending = sending.then(() => send(batch))
  }
  const send = async (batch: readonly Span[]): Promise<void> => {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(messageOf(batch, serviceName)),
        redirect: 'error',
        signal: AbortSignal.timeout(patience),
      })
      await answer.body?.cancel()
      if (!answer.ok) onFailure(`HTTP_${answer.status}`)
    } catch (error) {
      const { cause, name } = error as { cause?: { code?: string }; name?: string }
      onFailure(cause?.code ?? name ?? 'unknown')
    }
  }

  return {
    add(span) {
      if (waiting.length >= waitingMax) return
      waiting.push(span)
      if (waiting.length === batchMax) flush()
    },
    async close() {
      clearInterval(timer)
      flush()
      waiting = []
      await sending
    },
  }
}

const kinds = { internal: 1, server: 2, client: 3 } as const
const failed = { code: 2 }

const messageOf = (spans: readonly Span[], serviceName: string) => ({
  resourceSpans: [
    {
      resource: {
        attributes: attributesOf({
          'service.name': serviceName,
          'service.version': instance.version,
          'service.instance.id': instance.id,
        }),
      },
      scopeSpans: [{ scope: { name: 'coin-site', version: instance.version }, spans: spans.map(spanOf) }],
    },
  ],
})

const spanOf = ({ startedAt, endedAt, kind, attributes, hasFailed, ...span }: Span) => ({
  ...span,
  kind: kinds[kind],
  startTimeUnixNano: nanoseconds(startedAt),
  endTimeUnixNano: nanoseconds(endedAt),
  attributes: attributesOf(attributes),
  ...(hasFailed && { status: failed }),
})

const attributesOf = (attributes: Readonly<Record<string, string | number>>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(Math.round(value)) } : { stringValue: value },
  }))

/** Formatted as digits, because the value exceeds the exact range of a number. */
const nanoseconds = (ms: number): string =>
  `${Math.floor(ms)}${String(Math.floor((ms % 1) * 1e6)).padStart(6, '0')}`

/**
 * Sends the duration of requests, jobs, and statements to a collector. Call this before the database is opened and
 * routes are mounted. Requests are described by pattern, status, and ID; statements by their text without values. A
 * proxy's trace is continued if TRUST_PROXY includes the proxy.
 */
export function startTracing(
  app: FastifyInstance,
  { tracing, trustProxy }: { tracing: Tracing; trustProxy: Config['trustProxy'] },
  every?: number,
): { close(): Promise<void> } {
  let toldAt = -Infinity
  const exporter = exportSpans(
    tracing,
    (code) => {
      if (performance.now() - toldAt < MINUTE) return
      toldAt = performance.now()
      app.log.warn({ reason: code }, 'traces could not be sent')
    },
    every,
  )
  const current = new AsyncLocalStorage<Trace>()
  const isTrusted = trusting(trustProxy)
  const isChosen = () => Math.random() < tracing.share

  function begin({ headers, socket }: FastifyRequest): Trace | undefined {
    const parent = isTrusted(socket.remoteAddress) ? readTraceParent(headers['traceparent']) : undefined
    if (parent ? !parent.isSampled : !isChosen()) return undefined
    return {
      traceId: parent?.traceId ?? newTraceId(),
      spanId: newSpanId(),
      ...(parent && { parentSpanId: parent.spanId }),
    }
  }

  traceRequests(app, exporter, current, begin)
  const ends = [traceStatements(exporter, current), traceJobs(exporter, isChosen)]
  return {
    async close() {
      for (const end of ends) end()
      await exporter.close()
    },
  }
}

function traceRequests(
  app: FastifyInstance,
  exporter: Exporter,
  current: AsyncLocalStorage<Trace>,
  begin: (request: FastifyRequest) => Trace | undefined,
): void {
  const traces = new WeakMap<FastifyRequest, Trace & { startedAt: number }>()
  app.addHook('onRequest', (request, _reply, done) => {
    const trace = begin(request)
    if (!trace) return done()
    traces.set(request, { ...trace, startedAt: now() })
    current.run(trace, done)
  })
  // Repeated after the body, whose bytes arrive as events of the connection.
  app.addHook('preHandler', (request, _reply, done) => {
    const trace = traces.get(request)
    if (trace) current.run(trace, done)
    else done()
  })
  app.addHook('onResponse', async (request: FastifyRequest, reply: FastifyReply) => {
    const trace = traces.get(request)
    if (!trace) return
    const route = request.routeOptions.url ?? 'unknown'
    exporter.add({
      ...trace,
      name: `${request.method} ${route}`,
      kind: 'server',
      endedAt: now(),
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': reply.statusCode,
        'request.id': request.id,
        ...(reply.refusal && { 'error.type': reply.refusal }),
      },
      hasFailed: reply.statusCode >= 500,
    })
  })
}

const traceStatements = (exporter: Exporter, current: AsyncLocalStorage<Trace>) =>
  statementRuns.subscribe(({ text, ms, hasFailed }) => {
    const parent = current.getStore()
    if (!parent) return
    const endedAt = now()
    const query = withoutValues(text)
    exporter.add({
      traceId: parent.traceId,
      spanId: newSpanId(),
      parentSpanId: parent.spanId,
      name: (/^\w+/.exec(query)?.[0] ?? 'statement').toUpperCase(),
      kind: 'client',
      startedAt: endedAt - ms,
      endedAt,
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': query },
      hasFailed,
    })
  })

/** Failed jobs are always traced. */
const traceJobs = (exporter: Exporter, isChosen: () => boolean) =>
  jobRuns.subscribe(({ job, ms, failure }) => {
    if (failure === null && !isChosen()) return
    const endedAt = now()
    exporter.add({
      traceId: newTraceId(),
      spanId: newSpanId(),
      name: `job ${job}`,
      kind: 'internal',
      startedAt: endedAt - ms,
      endedAt,
      attributes: { job, ...(failure !== null && { 'error.type': failure }) },
      hasFailed: failure !== null,
    })
  })
