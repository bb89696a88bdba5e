import type { IncomingHttpHeaders } from 'node:http'
import { DAY } from '#contract/platform/durations.ts'
import { isRecord } from '../../platform/is-record.ts'
import { enhancedStatusIn, readReportedFailure } from '../../platform/mail/bounces/reported-failure.ts'
import type { MailFailure } from '../../platform/mail/mail-failure.ts'

/** What a provider reports about one email, which the token identifies. */
export type MailEvent =
  | { token: string; kind: 'permanent' | 'temporary'; failure: MailFailure }
  | { token: string; kind: 'complaint' }

export type Posted = { headers: IncomingHttpHeaders; body: Buffer }

export type EventProvider = {
  /** Whether the provider sent the request. `proof` is the provider's setting. */
  verify(posted: Posted, proof: string): boolean | Promise<boolean>
  /** The bounces and complaints in a verified body. Everything else is left out. */
  parse(body: unknown): MailEvent[]
  /** Agrees to receive events, if a verified body asks for it. */
  confirm?(body: unknown): Promise<void>
}

/**
 * An email that wasn't delivered. A provider that calls the mailbox nonexistent means 5.1.1 (RFC 3463), unless the
 * mail server gave a code.
 */
export function bounceEvent(
  token: string,
  { isPermanent, status = '', answer = '' }: { isPermanent: boolean; status?: string; answer?: string },
): MailEvent {
  const failure = readReportedFailure(enhancedStatusIn(status), answer, isPermanent)
  const isUnspecific = failure.enhanced === undefined || failure.enhanced === '5.0.0'
  return {
    token,
    kind: isPermanent ? 'permanent' : 'temporary',
    failure: isPermanent && isUnspecific ? { ...failure, enhanced: '5.1.1' } : failure,
  }
}

/**
 * Providers repeat a request for up to a day. Older ones are refused. Within this day, a repeated request changes
 * nothing, because an email is returned and reported as spam only once.
 */
export const isRecent = (time: number): boolean => Math.abs(Date.now() - time) <= DAY

/** The value at a path in JSON, whatever its shape. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let inner = value
  for (const step of path)
    inner = Array.isArray(inner)
      ? (inner as unknown[])[Number(step)]
      : isRecord(inner) && Object.hasOwn(inner, step)
        ? inner[step]
        : undefined
  return inner
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

export const listAt = (value: unknown, ...path: readonly (string | number)[]): unknown[] => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Undefined for text that isn't JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
