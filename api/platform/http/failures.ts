import { logOutage } from '../log-outage.ts'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type english from '#content/messages/en/errors.json'
import { SECOND } from '#contract/platform/durations.ts'
import { type ErrorCode, errorStatuses, type FieldError, type Problem } from '#contract/platform/errors.ts'
import { isOutage, isReadOnly } from '../db/database.ts'
import { StoreFailed } from '../files/store-failed.ts'
import { fill, type Values } from '../text/fill.ts'
import { formatTime } from '../text/format-time.ts'
import { type FieldRefusal, Refused } from '../refused.ts'
import type { SiteContent } from '../site-content/site-content.ts'
import { requestIdHeader } from './request-id.ts'
import { languageOf } from './request-facts.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The refusal code, for the log and the metrics. */
    refusal?: ErrorCode
  }
  interface FastifyInstance {
    /** The texts of refusals. */
    content: Pick<SiteContent, 'words'>
  }
}

const refusalOfFastify: Record<string, Refused['code']> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_MISSING_CONTENT_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

/** Other refusals by the framework before a call starts. */
const refusalOfStatus: Record<number, Refused['code']> = {
  400: 'malformed_json',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  503: 'unavailable',
}

const frameworkStatusOf = ({ code, statusCode }: FastifyError): number =>
  typeof code === 'string' && code.startsWith('FST_ERR_') ? (statusCode ?? 500) : 500

/**
 * Turns every error into problem details. A bug is logged with its request ID and reveals nothing to the
 * client.
 */
export function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendProblem(request, reply, refusalOf(error, request)),
  )
}

/** For clients with tokens (RFC 6750, section 3); browsers ignore the scheme. */
const challenges: { readonly [Code in ErrorCode]?: string } = {
  unauthenticated: 'Bearer realm="api"',
  token_invalid: 'Bearer realm="api", error="invalid_token"',
  token_misused: 'Bearer realm="api", error="invalid_request"',
  token_read_only: 'Bearer realm="api", error="insufficient_scope"',
}

type Words = Readonly<Record<string, string>>
type ErrorKey = keyof typeof english

const say = (words: Words, key: ErrorKey, values?: Values<string>): string => fill(words[key] ?? key, values)

/** RFC 9457 problem details in the reader's language. Only the code of the cause is sent. */
export function problemOf(refused: Refused, words: Words): Problem {
  const sentence = sentenceOf(refused, words)
  const problem: Problem = {
    type: `urn:problem:${refused.code}`,
    title: titleOf(refused.code),
    status: errorStatuses[refused.code],
    detail: sentence,
    code: refused.code,
    message: sentence,
  }
  if (refused.fields.length > 0) problem.errors = refused.fields.map((field) => fieldErrorOf(field, words))
  if (refused.isClosed) problem.isClosed = true
  if (refused.secondFactor) problem.secondFactor = refused.secondFactor
  if (refused.work) problem.work = refused.work
  if (refused.broken) problem.broken = refused.broken
  if (refused.theirs) problem.theirs = refused.theirs
  if (refused.deliveries) problem.deliveries = refused.deliveries
  return problem
}

function sentenceOf({ code, isClosed, until }: Refused, words: Words): string {
  if (isClosed) return say(words, 'errors.member_closed')
  if (until && until.getTime() > Date.now())
    return say(words, 'errors.maintenance_until', { time: formatTime(until) })
  return say(words, `errors.${code}`)
}

const titleOf = (code: ErrorCode) => code.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())

const fieldErrorOf = (field: FieldRefusal, words: Words): FieldError => ({
  path: field.path,
  code: field.code,
  message: say(words, `field.${field.code}`, field.values),
})

export function sendProblem(request: FastifyRequest, reply: FastifyReply, refused: Refused): FastifyReply {
  const language = languageOf(request.headers['accept-language'])
  const problem = problemOf(refused, request.server.content.words(language, 'errors') ?? {})
  reply.refusal = refused.code
  const wait = waitOf(refused)
  if (wait !== undefined) void reply.header('retry-after', String(wait))
  const challenge = challenges[refused.code]
  if (challenge !== undefined) void reply.header('www-authenticate', challenge)
  return (
    reply
      .code(problem.status)
      .header('cache-control', 'no-store')
      // Hooks do not run for requests that match no route.
      .header(requestIdHeader, request.id)
      .header('x-content-type-options', 'nosniff')
      .type('application/problem+json; charset=utf-8')
      .send(JSON.stringify(problem))
  )
}

/** When to retry, by code, if nothing more precise is known. In seconds. */
const waits: { readonly [Code in ErrorCode]?: number } = { unavailable: 2, maintenance: 60 }

function waitOf({ code, retryAfterSeconds, until }: Refused): number | undefined {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds
  const left = until ? Math.ceil((until.getTime() - Date.now()) / SECOND) : 0
  return left > 0 ? left : waits[code]
}

function refusalOf(error: FastifyError, request: FastifyRequest): Refused {
  if (error instanceof Refused) return error
  const known = refusalOfFastify[error.code] ?? refusalOfStatus[frameworkStatusOf(error)]
  return known ? new Refused(known) : refusedBy(error, request.server.log, request.log)
}

/** When to retry while the database is read-only. In seconds. */
const readOnlyWait = 5

/** Logs an outage or a bug, and returns what its caller is told. */
export function refusedBy(error: unknown, outages: FastifyBaseLogger, bugs: FastifyBaseLogger): Refused {
  if (error instanceof StoreFailed) {
    logOutage(outages, 'files', error)
    return new Refused('unavailable')
  }
  if (isOutage(error)) {
    logOutage(outages, 'database', error as { code?: unknown })
    // Readers can't tell a replica from maintenance, but a failover usually ends sooner.
    return isReadOnly(error)
      ? new Refused('maintenance', { retryAfterSeconds: readOnlyWait })
      : new Refused('unavailable')
  }
  bugs.error({ error }, 'unexpected')
  return new Refused('unexpected')
}
