import { addressOf } from '#contract/platform/address.ts'
import type { CallOf, Endpoint, OutputOf } from '#contract/platform/endpoint.ts'
import {
  errorStatuses,
  type TokenErrorCode,
  type Problem,
  type ErrorCode,
} from '#contract/platform/errors.ts'
import { workHeader } from '#contract/platform/proof-of-work.ts'
import { SECOND } from '#contract/platform/durations.ts'
import { KIB } from '#contract/platform/fields.ts'
import { apiBase, appId } from './app-config.ts'
import { counted } from '../state/awaited.ts'
import { readCookie } from '../state/browser-storage.ts'
import { formatWait } from '../i18n/format-wait.ts'
import { htmlLanguage } from '../i18n/language.ts'
import { say, currentLanguage } from '../i18n/current-language.ts'
import { CallFailed, isSessionRefused } from './call-failed.ts'
import { currentCaller } from './caller.ts'

/** Sends an API request: with `fetch` in the browser, or in process when the server renders a page. */
export type Call = <E extends Endpoint>(endpoint: E, input: CallOf<E>) => Promise<OutputOf<E>>

export { CallFailed, isSessionRefused }

const answerTimeout = 30 * SECOND

/**
 * Sends an API request from the browser. If the access token has expired, it is renewed once and the request is
 * repeated. If the session has expired too, the member is asked to sign in again first, and the caller just waits
 * longer.
 */
export const call: Call = async (endpoint, input) => {
  const response = await answerOf(endpoint, input)
  return await read(endpoint, response)
}

/** Like `call`, but reports upload progress from 0 to 1. */
export async function callWithProgress<E extends Endpoint>(
  endpoint: E,
  input: CallOf<E>,
  onProgress: (sent: number) => void,
): Promise<OutputOf<E>> {
  const { sendWithProgress } = await import('./send-with-progress.ts')
  const response = await answerOf(endpoint, input, (url, init) => sendWithProgress(url, init, onProgress))
  return await read(endpoint, response)
}

/**
 * The limit that browsers set for requests of a closing page (Fetch keepalive: 64 KiB in total), minus some room for
 * headers.
 */
const lastBytesMax = 60 * KIB

/**
 * Like `call`, but for background work: if the session has ended, it fails instead of prompting for a sign-in. The last
 * request of a closing page completes after the page has closed if its body is small enough.
 */
export async function callUnseen<E extends Endpoint>(
  endpoint: E,
  input: CallOf<E>,
  options: { isLast?: boolean } = {},
): Promise<OutputOf<E>> {
  const transport: Transport = (url, init) => {
    const isSmall =
      typeof init.body !== 'string' || new TextEncoder().encode(init.body).length <= lastBytesMax
    const keepalive = options.isLast === true && isSmall
    return fetch(url, { ...init, keepalive, signal: AbortSignal.timeout(2 * answerTimeout) })
  }
  return await read(endpoint, await answerWithToken(endpoint, input, transport, true))
}

/** One page of a list, and the `after` cursor of the next page, if there is one. */
export async function callPage<E extends Endpoint>(
  endpoint: E,
  input: CallOf<E>,
): Promise<{ rows: OutputOf<E>; next: string | undefined }> {
  const response = await answerOf(endpoint, input)
  return { rows: await read(endpoint, response), next: nextOf(response) }
}

/** A file that the API streams, and its name. */
export async function callFile<E extends Endpoint>(
  endpoint: E,
  input: CallOf<E>,
): Promise<{ file: Blob; name: string | undefined }> {
  const response = await answerOf(endpoint, input)
  const file = await response.blob().catch(() => Promise.reject(offline()))
  // RFC 6266 with RFC 8187: filename*=UTF-8''…
  const name = /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { file, name: name && decodeURIComponent(name) }
}

/** RFC 8288: `</v2/members/?limit=20&after=…>; rel="next"`. */
function nextOf(response: Response): string | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(response.headers.get('link') ?? '')?.[1]
  return target ? (new URL(target, location.href).searchParams.get('after') ?? undefined) : undefined
}

type Transport = (url: string, init: RequestInit) => Promise<Response>

/** If the API requires step-up authentication, the member completes it and the request is repeated. Input is kept. */
async function answerOf<E extends Endpoint>(
  endpoint: E,
  input: CallOf<E>,
  transport: Transport = (url, init) => fetch(url, init),
): Promise<Response> {
  try {
    return await counted(answerWithToken(endpoint, input, transport))
  } catch (failure) {
    const isStepUpRequired = failure instanceof CallFailed && failure.code === 'step_up_required'
    const outcome = isStepUpRequired && (await currentCaller().requestStepUp())
    // A cancellation is not an error, so there is nothing to show.
    if (outcome === 'canceled') throw new CallFailed('step_up_required', '')
    if (!outcome) throw failure
    return await answerWithToken(endpoint, input, transport)
  }
}

/** Returns the response to a request, and renews the access token if it has expired. */
export async function answerWithToken<E extends Endpoint>(
  endpoint: E,
  input: CallOf<E>,
  transport: Transport,
  isUnseen = false,
): Promise<Response> {
  const { token, renewToken } = currentCaller()
  const isPrivate = endpoint.access.who === 'member' || endpoint.access.who === 'staff'
  if (isPrivate && token() === undefined) await renewToken({ isUnseen })
  try {
    return await send(endpoint, input, transport)
  } catch (failure) {
    const hasExpired = failure instanceof CallFailed && failure.code === 'session_expired'
    const isAnothers = endpoint.access.who === 'session' || endpoint.access.who === 'phone'
    if (!hasExpired || isAnothers) throw failure
    if (!(await renewToken({ isUnseen })) && isPrivate) throw failure
    return await send(endpoint, input, transport)
  }
}

/** If the API requires a proof of work, it is computed once and the request is repeated with it. */
async function send<E extends Endpoint>(
  endpoint: E,
  input: CallOf<E>,
  transport: Transport,
  proof?: string,
): Promise<Response> {
  const base = await apiBase().catch(() => Promise.reject(offline()))
  const response = await transport(base + addressOf(endpoint, input), {
    method: endpoint.method,
    headers: { ...headersFor(endpoint, base, input), ...(proof && { [workHeader]: proof }) },
    // Uploads and downloads have no timeout.
    signal: endpoint.bodyBytesMax || endpoint.alternateType ? null : AbortSignal.timeout(answerTimeout),
    ...(endpoint.method === 'POST' && {
      body: JSON.stringify({ ...(input.body as object), appId: appId() }),
    }),
  }).catch(() => Promise.reject(offline()))
  if (response.ok) return response
  const failure = await failureOf(response)
  const { work } = failure
  // If no proof is found, or the request was aborted, the error remains.
  const found =
    work &&
    !proof &&
    (await import('../work/prove-work.tsx').then(({ proveWork }) => proveWork(work)).catch(() => ''))
  if (!found) throw failure
  return send(endpoint, input, transport, found)
}

/** The connection can also break while the body is read. */
async function read<E extends Endpoint>(endpoint: E, response: Response): Promise<OutputOf<E>> {
  try {
    return (endpoint.returnsBytes ? await response.blob() : await response.json()) as OutputOf<E>
  } catch {
    throw offline()
  }
}

function headersFor(
  endpoint: Endpoint,
  base: string,
  { idempotencyKey, phoneSecret }: Pick<CallOf<Endpoint>, 'idempotencyKey' | 'phoneSecret'>,
): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'accept-language': htmlLanguage[currentLanguage()],
    'x-app-id': appId(),
  }
  const token = currentCaller().token()
  if (token) headers['x-access-token'] = token
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  if (phoneSecret) headers['x-phone-secret'] = phoneSecret
  const xsrfToken = readCookie('XSRF-TOKEN')
  const isRelative = !/^([a-z]+:)?\/\//i.test(base)
  if (xsrfToken && endpoint.method !== 'GET' && isRelative) headers['x-xsrf-token'] = xsrfToken
  return headers
}

const offline = () => new CallFailed('offline', say('errors.offline'))

async function failureOf(response: Response): Promise<CallFailed> {
  const problem = (await response.json().catch(() => null)) as Partial<Problem> | null
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined
  if (problem?.code && problem.code in errorStatuses)
    return new CallFailed(problem.code, withWait(problem.code, problem.message, retryAfterSeconds), {
      errors: problem.errors,
      retryAfterSeconds,
      secondFactor: problem.secondFactor,
      work: problem.work,
      isClosed: problem.isClosed,
      broken: problem.broken,
      theirs: problem.theirs,
      deliveries: problem.deliveries,
    })
  // The response is not from the API: it comes from a proxy, or it is an HTML page.
  const code =
    response.status === 429 ? 'rate_limited' : response.status >= 502 ? 'unavailable' : 'unexpected'
  return new CallFailed(code, withWait(code, undefined, retryAfterSeconds), { retryAfterSeconds })
}

/** For temporary errors, the message says how long they last. Errors for API clients have their own message. */
function withWait(
  code: ErrorCode,
  message = say(`errors.${code as Exclude<ErrorCode, TokenErrorCode>}`),
  seconds = 0,
): string {
  if (errorStatuses[code] !== 429 || seconds === 0) return message
  const when = code === 'rate_limited' ? 'errors.retryAfter' : 'errors.work_failed'
  return `${message} ${say(when, { time: formatWait(seconds, currentLanguage()) })}`
}
