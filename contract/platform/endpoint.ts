import type { ZodMiniType, output as Parsed, input as Given } from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/** The four staff levels, each 0 (none), 1 (read), or 2 (write). */
export const levels = ['news', 'employee', 'finance', 'coins'] as const
export type Level = (typeof levels)[number]

/**
 * The staff right that an endpoint requires: one of the levels, `any` staff right, administrator, or `support`: the level
 * for members (`employee`) or the one for orders and identity cases (`finance`).
 */
export type StaffRight = Level | 'any' | 'support' | 'admin'

/**
 * Who can call an endpoint. `session` requires the refresh cookie and X-XSRF-TOKEN; `phone` requires the header
 * X-Phone-Secret of a phone that opened a member's link; `member` can act on their own records; `staff` requires the
 * level, and with `orSelf` a member without it can act on their own records.
 */
export type Access =
  | { who: 'anyone' }
  | { who: 'session' }
  | { who: 'phone' }
  | { who: 'member' }
  | { who: 'staff'; level: StaffRight; atLeast: 1 | 2; orSelf: boolean }

export const anyone: { who: 'anyone' } = { who: 'anyone' }
export const session: { who: 'session' } = { who: 'session' }
export const phone: { who: 'phone' } = { who: 'phone' }
export const member: { who: 'member' } = { who: 'member' }
type Staff<Right extends StaffRight = StaffRight, Least extends 1 | 2 = 1 | 2> = {
  who: 'staff'
  level: Right
  atLeast: Least
  orSelf: boolean
}
/** Its type names the right, so that a console page that requires another one does not compile. */
export const staff = <Right extends StaffRight, Least extends 1 | 2 = 1>(
  level: Right,
  atLeast: Least = 1 as Least,
): Staff<Right, Least> => ({ who: 'staff', level, atLeast, orSelf: false })
export const selfOrStaff = (level: Level, atLeast: 1 | 2): Staff => ({
  who: 'staff',
  level,
  atLeast,
  orSelf: true,
})

type Method = 'GET' | 'POST' | 'DELETE'

/**
 * One endpoint of the API. `path` is relative to the versioned base, with `:name` for each member of `params`. `errors`
 * lists the errors in addition to those that follow from access, body, and limits. `output` strips fields that it does
 * not name, so a new column cannot leak.
 */
export type Endpoint<
  P extends ZodMiniType | undefined = ZodMiniType | undefined,
  Q extends ZodMiniType | undefined = ZodMiniType | undefined,
  B extends ZodMiniType | undefined = ZodMiniType | undefined,
  O extends ZodMiniType = ZodMiniType,
  A extends Access = Access,
  E extends ErrorCode = ErrorCode,
> = {
  method: Method
  path: string
  about: string
  access: A
  params: P
  query: Q
  body: B
  output: O
  status: 200 | 201 | 202
  errors: readonly E[]
  /** The maximum size of the request body in bytes; 256 KiB by default. */
  bodyBytesMax?: number
  /**
   * Strings in the body that are base64 data URLs are treated as files: the maximum number that is checked, and
   * the maximum size of each in bytes.
   */
  acceptsFiles?: { countMax: number; bytesMax: number }
  /**
   * Set for endpoints that need no application ID: health checks, the API document, and the lookup of the app itself.
   */
  withoutAppId?: true
  /** The response is bytes instead of JSON; `output` is not used for parsing. */
  returnsBytes?: true
  /**
   * The number of requests per client within 15 minutes before each further one requires a proof of work
   * (`proof-of-work.ts`).
   */
  proofOfWorkAfter?: number
  /** A request with the header `Idempotency-Key` is executed once, no matter how often it is sent within 24 hours. */
  acceptsIdempotencyKey?: true
  /** The kind of other people's records that staff read with this endpoint. Each access is written to the audit log. */
  auditsAccess?: ReadSubject
  /** The same, but the handler writes the audit log entry, because only it knows the details. */
  auditsItself?: 'kyc' | 'conversation'
  /**
   * The response can also be a file of this type if the client requests it. With `returnsBytes`, it is always this
   * type.
   */
  alternateType?: string
  /**
   * The response is the same for everyone until one of these topics changes. The server caches it, and clients
   * revalidate it by its ETag.
   */
  changesWith?: readonly PublicTopic[]
  /** Browsers may store the response and revalidate it. */
  isRevalidated?: true
  /**
   * What happens during maintenance, if it isn't the default: GET is answered, and every other call is refused. Calls are
   * answered if they change nothing (`reads`), only the caller's session (`session`), or maintenance itself (`switch`).
   */
  inMaintenance?: InMaintenance
}

export type InMaintenance = 'reads' | 'session' | 'switch' | 'refused'

/** Topics that public responses depend on. */
type PublicTopic = 'announcements' | 'content' | 'sale'

export type ReadSubject =
  | 'member'
  | 'kyc'
  | 'order'
  | 'payout'
  | 'record'
  | 'mail'
  | 'ambassador'
  | 'ambassador-application'
  | 'subscriber'
  | 'webhook'
  | 'conversation'

type Options<P, Q, B, O, A, E> = {
  about: string
  access: A
  params?: P
  query?: Q
  body?: B
  output: O
  status?: 200 | 201 | 202
  errors?: readonly E[]
  bodyBytesMax?: number
  acceptsFiles?: { countMax: number; bytesMax: number }
  withoutAppId?: true
  returnsBytes?: true
  proofOfWorkAfter?: number
  acceptsIdempotencyKey?: true
  auditsAccess?: ReadSubject
  auditsItself?: 'kyc' | 'conversation'
  alternateType?: string
  changesWith?: readonly PublicTopic[]
  isRevalidated?: true
  inMaintenance?: InMaintenance
}

/** Declares an endpoint. The types of its handler and of its client function are derived from it. */
export function endpoint<
  O extends ZodMiniType,
  A extends Access,
  P extends ZodMiniType | undefined = undefined,
  Q extends ZodMiniType | undefined = undefined,
  B extends ZodMiniType | undefined = undefined,
  E extends ErrorCode = never,
>(method: Method, path: string, options: Options<P, Q, B, O, A, E>): Endpoint<P, Q, B, O, A, E> {
  return {
    params: undefined,
    query: undefined,
    body: undefined,
    status: 200,
    errors: [],
    ...options,
    method,
    path,
  } as Endpoint<P, Q, B, O, A, E>
}

type ParsedOrNothing<T> = T extends ZodMiniType ? Parsed<T> : undefined
type Part<Name extends string, T> = T extends ZodMiniType
  ? { [N in Name]: Given<T> }
  : { [N in Name]?: undefined }

/** What a handler receives, after parsing. */
export type InputOf<T extends Endpoint> = {
  params: ParsedOrNothing<T['params']>
  query: ParsedOrNothing<T['query']>
  body: ParsedOrNothing<T['body']>
}

/** What a caller passes, before parsing. */
export type CallOf<T extends Endpoint> = Part<'params', T['params']> &
  (T['query'] extends ZodMiniType ? { query?: Given<T['query']> } : { query?: undefined }) &
  Part<'body', T['body']> & { idempotencyKey?: string; phoneSecret?: string }

/** What a handler returns and a caller receives. */
export type OutputOf<T extends Endpoint> = Parsed<T['output']>
