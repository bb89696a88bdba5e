import { Readable } from 'node:stream'
import type { Api, EndpointName } from '#contract/api.ts'
import type { Access, Endpoint, InputOf, OutputOf, StaffRight } from '#contract/endpoint.ts'
import type { Language } from '#contract/fields.ts'
import { isRecord } from '../is-record.ts'
import type { Caller } from './caller.ts'
import type { Services } from '../services.ts'
import type { Uploads } from '../uploads/receive-uploads.ts'

/** The facts of a request apart from its input. */
export type RequestFacts = {
  id: string
  language: Language
  /** The client's address; of an IPv6 address its /64, because one subscriber can use all addresses in it. */
  client: string
  userAgent: string
  /** The kinds of answer that the client takes. */
  accept?: string | undefined
  isSecure: boolean
  refreshToken: string | undefined
  /** By which a browser that signed in before is known. */
  deviceToken?: string | undefined
  xsrfToken: string | undefined
  /** What the activation gave to this browser. */
  activationProof?: string | undefined
  /** Whether it brings the token of those who watch the program (METRICS_TOKEN). */
  isWatcher?: boolean
  /** What came as the solution of a challenge. */
  proofOfWork?: string | undefined
  /** The idempotency key of the call. */
  idempotencyKey?: string | undefined
}

/** What a handler may set beside its output. */
export type Answer = {
  /** Signs the browser in: refresh cookie and XSRF-TOKEN. */
  setSessionCookies(refreshToken: string, xsrfToken: string, maxAge: number): void
  /** Replaces the refresh token; the XSRF token stays that of the session. */
  setRefreshCookie(refreshToken: string, maxAge: number): void
  /** Outlives the session: the browser stays known. */
  setDeviceCookie(deviceToken: string, maxAge: number): void
  clearSessionCookies(): void
  /** Marks the browser that opened the activation mail, for the sign-in that follows. */
  setActivationCookie(proof: string): void
  /** Where the next page of a list begins, for the Link header. */
  setNext(cursor: string | undefined): void
}

/** The session of the refresh cookie, which may have been replaced meanwhile; its XSRF token is already checked. */
export type CookieSession = { sessionId: string; memberId: string; refreshHash: string }

/** A phone that scanned a member's hand-off link: it may upload photos for them. */
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
  /** Of calls that take files: those of this request. */
  uploads?: Uploads | undefined
} & CallerOf<A>

/** The context of calls that a signed-in member makes. */
export type MemberContext = Context<
  { who: 'member' } | { who: 'staff'; level: StaffRight; atLeast: 1 | 2; orSelf: boolean }
>

/** Streamed while it is generated; with a name, a file instead of JSON, if the client asked for it. */
export type Download = { contentType: string; fileName?: string; stream: Readable }

export const isDownload = (output: unknown): output is Download =>
  isRecord(output) && output['stream'] instanceof Readable

export type Bytes = { contentType: string; bytes: Buffer }

export type Handler<E extends Endpoint> = (
  input: InputOf<E>,
  context: Context<E['access']>,
) => Promise<E extends { answersBytes: true } ? Bytes | Download : OutputOf<E>>

/** One for each endpoint of the contract. */
export type Handlers = { readonly [Name in EndpointName]: Handler<Api[Name]> }
