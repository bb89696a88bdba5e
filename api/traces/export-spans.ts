import { SECOND } from '#contract/durations.ts'
import { instance } from '../jobs/instance.ts'
import type { Span } from './span.ts'

const everyDefault = 5 * SECOND
const patience = 5 * SECOND
const batchMax = 512
/** Spans beyond this number are dropped: traces are samples. */
const waitingMax = 4096

export type Exporter = { add(span: Span): void; close(): Promise<void> }

type Target = { endpoint: string; headers: Readonly<Record<string, string>>; serviceName: string }

/**
 * Sends spans to a collector by OTLP over HTTP, in JSON (opentelemetry.io/docs/specs/otlp). Rejected spans are lost.
 */
export function exportSpans(
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
