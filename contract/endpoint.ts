import type { ZodMiniType, output as Parsed, input as Given } from 'zod/mini'
import type { RefusalCode } from './errors.ts'

/** The four management levels, each 0 none, 1 read, 2 write. */
export const levels = ['news', 'employee', 'finance', 'coins'] as const
export type Level = (typeof levels)[number]

/** What a call asks of the staff: one of the levels, `any` of their rights, or to be an administrator. */
export type StaffRight = Level | 'any' | 'admin'

/**
 * Who may call. `session` is the refresh cookie with X-XSRF-TOKEN; `phone` is the header X-Phone-Secret of a phone that
 * opened a member's hand-off; `member` acts on their own records;
 * `staff` needs the level, and with `orSelf` a member without it may act on their own records.
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
type Staff = { who: 'staff'; level: StaffRight; atLeast: 1 | 2; orSelf: boolean }
export const staff = (level: StaffRight, atLeast: 1 | 2 = 1): Staff => ({
  who: 'staff',
  level,
  atLeast,
  orSelf: false,
})
export const selfOrStaff = (level: Level, atLeast: 1 | 2): Staff => ({
  who: 'staff',
  level,
  atLeast,
  orSelf: true,
})

type Method = 'GET' | 'POST' | 'DELETE'

/**
 * One call of the API. `path` is relative to the versioned base, with `:name` for each member of `params`.
 * `errors` are the refusals beyond those that follow from access, body and limits. `output` strips what it
 * does not name, so a new column cannot leak.
 */
export type Endpoint<
  P extends ZodMiniType | undefined = ZodMiniType | undefined,
  Q extends ZodMiniType | undefined = ZodMiniType | undefined,
  B extends ZodMiniType | undefined = ZodMiniType | undefined,
  O extends ZodMiniType = ZodMiniType,
  A extends Access = Access,
  E extends RefusalCode = RefusalCode,
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
  /** The maximum size of the body in bytes; 256 KiB by default. */
  bodyBytesMax?: number
  /** Strings of the body that are data URLs in base64 are files: how many are looked at, and how large each may be. */
  takesFiles?: { countMax: number; bytesMax: number }
  /** Calls that answer without the application id: a check of life, the API document, the look-up of the app itself. */
  withoutAppId?: true
  /** Answers bytes instead of JSON; `output` then describes nothing that is parsed. */
  answersBytes?: true
  /** So many calls a client makes in a quarter of an hour before each further one takes a proof of work (`proof-of-work.ts`). */
  asksWorkAfter?: number
  /** A call named by the header `Idempotency-Key` is done once, however often it is sent within 24 hours. */
  takesIdempotencyKey?: true
  /** What staff read of others with this call; each reading is written to the audit log. */
  recordsReading?: ReadSubject
  /** The same, where the handler writes what was found, with what only it knows. */
  recordsItself?: 'kyc'
  /** Also answers with a file of this type if the client asks for it; with `answersBytes`, with nothing else. */
  answersAlso?: string
  /** The same for everybody until one of these changes: kept by the program, and whoever has it asks by its ETag whether it still holds. */
  changesWith?: readonly PublicTopic[]
  /** Of these, what browsers may keep to ask so. */
  isRevalidated?: true
}

/** What public answers depend on. */
export type PublicTopic = 'announcements' | 'content'

export type ReadSubject =
  | 'member'
  | 'kyc'
  | 'order'
  | 'record'
  | 'mail'
  | 'ambassador'
  | 'ambassador-application'
  | 'subscriber'
  | 'webhook'

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
  takesFiles?: { countMax: number; bytesMax: number }
  withoutAppId?: true
  answersBytes?: true
  asksWorkAfter?: number
  takesIdempotencyKey?: true
  recordsReading?: ReadSubject
  recordsItself?: 'kyc'
  answersAlso?: string
  changesWith?: readonly PublicTopic[]
  isRevalidated?: true
}

/** Declares an endpoint; the types of its handler and of its client call are derived from it. */
export function endpoint<
  O extends ZodMiniType,
  A extends Access,
  P extends ZodMiniType | undefined = undefined,
  Q extends ZodMiniType | undefined = undefined,
  B extends ZodMiniType | undefined = undefined,
  E extends RefusalCode = never,
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

/** What a handler gets, after parsing. */
export type InputOf<T extends Endpoint> = {
  params: ParsedOrNothing<T['params']>
  query: ParsedOrNothing<T['query']>
  body: ParsedOrNothing<T['body']>
}

/** What a caller gives, before parsing. */
export type CallOf<T extends Endpoint> = Part<'params', T['params']> &
  (T['query'] extends ZodMiniType ? { query?: Given<T['query']> } : { query?: undefined }) &
  Part<'body', T['body']> & { idempotencyKey?: string; phoneSecret?: string }

/** What a handler returns and a caller receives. */
export type OutputOf<T extends Endpoint> = Parsed<T['output']>
