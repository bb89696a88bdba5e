import { randomBytes } from 'node:crypto'

/** One piece of work, as OpenTelemetry has it. Times are milliseconds since 1970. */
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

/** What the work belongs to. */
export type Trace = Pick<Span, 'traceId' | 'spanId' | 'parentSpanId'>

export const newTraceId = (): string => randomBytes(16).toString('hex')
export const newSpanId = (): string => randomBytes(8).toString('hex')

/** The header of W3C Trace Context. `undefined` where it is malformed, or all zeros. */
export function readTraceParent(
  header: unknown,
): { traceId: string; spanId: string; isSampled: boolean } | undefined {
  const [, traceId, spanId, flags] =
    /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/.exec(String(header)) ?? []
  return traceId && spanId && flags
    ? { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
    : undefined
}

/** A statement without what stands in quotes and without numbers: values are parameters, but nobody has to rely on it. */
export const withoutValues = (text: string): string =>
  text
    .replaceAll(/'(?:[^']|'')*'/g, '?')
    .replaceAll(/(?<![\w$"])\d+(?:\.\d+)?\b/g, '?')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 2000)
