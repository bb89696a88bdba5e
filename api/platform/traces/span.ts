import { randomBytes } from 'node:crypto'

/** A span as defined by OpenTelemetry. Times are milliseconds since 1970. */
export type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: 'internal' | 'server' | 'client'
  startedAt: number
  endedAt: number
  attributes: Readonly<Record<string, string | number>>
  hasFailed: boolean
}

/** The trace that a span belongs to. */
export type Trace = Pick<Span, 'traceId' | 'spanId' | 'parentSpanId'>

export const newTraceId = (): string => randomBytes(16).toString('hex')
export const newSpanId = (): string => randomBytes(8).toString('hex')

/** Parses the W3C Trace Context header. `undefined` if it is malformed or all zeros. */
export function readTraceParent(
  header: unknown,
): { traceId: string; spanId: string; isSampled: boolean } | undefined {
  const [, traceId, spanId, flags] =
    /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/.exec(String(header)) ?? []
  return traceId && spanId && flags
    ? { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
    : undefined
}

/** Removes quoted text and numbers from a statement: values should be parameters, but this doesn't rely on it. */
export const withoutValues = (text: string): string =>
  text
    .replaceAll(/'(?:[^']|'')*'/g, '?')
    .replaceAll(/(?<![\w$"])\d+(?:\.\d+)?\b/g, '?')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 2000)
