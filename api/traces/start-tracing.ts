import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MINUTE } from '#contract/durations.ts'
import type { Config } from '../config.ts'
import { statementRuns } from '../db/database.ts'
import { trusting } from '../http/trusted-networks.ts'
import { jobRuns } from '../jobs/record-run.ts'
import type { Tracing } from '../read-tracing.ts'
import { exportSpans } from './export-spans.ts'
import { newSpanId, newTraceId, readTraceParent, withoutValues, type Trace } from './span.ts'

const now = () => performance.timeOrigin + performance.now()

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

type Exporter = ReturnType<typeof exportSpans>

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
