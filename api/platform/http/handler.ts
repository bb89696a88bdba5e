import { Readable } from 'node:stream'
import type { Api, EndpointName } from '#contract/api.ts'
import type { Access, Endpoint, InputOf, OutputOf, StaffRight } from '#contract/platform/endpoint.ts'
import type { Language } from '#contract/platform/fields.ts'
import { isRecord } from '../is-record.ts'
import type { Caller } from './caller.ts'
import type { Services } from '../services.ts'
import type { Uploads } from '../uploads/receive-uploads.ts'

/** Facts about a request apart from its input. */
export type RequestFacts = {
  id: string
  language: Language
  /** The client's address; for IPv6 its /64, because one subscriber can use all addresses in it. */
  client: string
  userAgent: string
  /** Content types that the client accepts. */
  accept?: string | undefined
  isSecure: boolean
  refreshToken: string | undefined
  /** Identifies a browser that signed in before. */
  deviceToken?: string | undefined
  xsrfToken: string | undefined
  /** Proof that this browser opened the activation link. */
  activationProof?: string | undefined
  /** Whether the request carries the monitoring token (METRICS_TOKEN). */
  isWatcher?: boolean
  /** The submitted solution of a challenge. */
  proofOfWork?: string | undefined
  /** The idempotency key of the call. */
  idempotencyKey?: string | undefined
}

/** What a handler can set in addition to its output. */
export type Answer = {
  /** Signs the browser in: refresh cookie and XSRF-TOKEN. */
  setSessionCookies(refreshToken: string, xsrfToken: string, maxAge: number): void
  /** Replaces the refresh token; the XSRF token stays that of the session. */
  setRefreshCookie(refreshToken: string, maxAge: number): void
  /** Outlives the session, so that the browser stays known. */
  setDeviceCookie(deviceToken: string, maxAge: number): void
  clearSessionCookies(): void
  /** Marks the browser that opened the activation link, for the sign-in that follows. */
  setActivationCookie(proof: string): void
  /** The cursor of the next page of a list, for the Link header. */
  setNext(cursor: string | undefined): void
}

/**
 * The session of the refresh cookie, which may have been replaced in the meantime; its XSRF token is already
 * checked.
 */
export type CookieSession = { sessionId: string; memberId: string; refreshHash: string }

/** A phone that scanned a member's hand-off link and may upload photos for them. */
export type Phone = { handoffId: string; memberId: string }

type CallerOf<A extends Access> = A extends { who: 'anyone' }
  ? { caller?: undefined }
  : A extends { who: 'session' }
    ? { caller: CookieSession }
    : A extends { who: 'phone' }
      ? { caller: Phone }
      : { caller: Caller }

export type Context<A extends Access = Access> = Services & {
  request: RequestFacts
  answer: Answer
  /** The uploads of this request, for calls that accept files. */
  uploads?: Uploads | undefined
} & CallerOf<A>

/** The context of calls by a signed-in member. */
export type MemberContext = Context<
  { who: 'member' } | { who: 'staff'; level: StaffRight; atLeast: 1 | 2; orSelf: boolean }
>

/** Streamed while it is generated. With a name, it is a file instead of JSON, if the client asked for it. */
export type Download = {
  contentType: string
  fileName?: string
  /** Sent in addition to those of every file. */
  headers?: Readonly<Record<string, string>>
  stream: Readable
  /** For a file of rows: `onEnd` is called with the number of rows that were read, even if the client left early. */
  rows?: { onEnd?: (count: number) => Promise<void> }
}

export const isDownload = (output: unknown): output is Download =>
  isRecord(output) && output['stream'] instanceof Readable

export type Bytes = { contentType: string; bytes: Buffer }

export type Handler<E extends Endpoint> = (
  input: InputOf<E>,
  context: Context<E['access']>,
) => Promise<E extends { returnsBytes: true } ? Bytes | Download : OutputOf<E>>

/** One handler per endpoint of the contract. */
export type Handlers = { readonly [Name in EndpointName]: Handler<Api[Name]> }
