import { expect, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { inAppHeader } from '#contract/publishing/in-app-header.ts'
import { listOrderColleagues } from '#contract/money/console-orders.ts'
import { listMemberColleagues } from '#contract/people/console-members.ts'
import { getConsoleWithdrawal } from '#contract/money/console-withdrawals.ts'
import { listConsoleConversations } from '#contract/people/console-conversations.ts'
import { followOrders } from '#contract/money/order-changes.ts'
import { readMemberHome, type MemberHome } from '#contract/money/member-home.ts'
import { readPublicSale } from '#contract/money/public-sale.ts'
import { findConversation } from '#contract/people/conversations.ts'
import { readKycRequirements } from '#contract/people/kyc.ts'
import { countUnreadNotifications } from '#contract/platform/notifications.ts'
import { getOrderDeliveries, listOwnDeliveries } from '#contract/money/deliveries.ts'
import { listDeliveries, listDeliveryRounds } from '#contract/money/console-deliveries.ts'
import { getWithdrawalRight, type WithdrawalRight } from '#contract/money/withdrawals.ts'
import { checkStepUp } from '#contract/people/sessions.ts'
import { countConsoleViews, listConsoleViews } from '#contract/console/console-views.ts'
import type { CallOf, Endpoint, OutputOf } from '#contract/platform/endpoint.ts'
import { errorStatuses, type Problem, type ErrorCode } from '#contract/platform/errors.ts'

type Answer = () => Response | Promise<Response>
type Received = { endpoint: Endpoint; input: unknown }

const base = '/v2/'
const json = (body: unknown, status: number, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

let answers = new Map<Endpoint, Answer[]>()
let received: Received[] = []
let unexpected: string[] = []

/** The response of an installation that grants no right of withdrawal. */
export const noWithdrawal: WithdrawalRight = {
  orderId: 'o1',
  memberId: 'm1',
  days: 0,
  timeZone: 'UTC',
  until: null,
  lastDay: null,
  canRequest: false,
  isUnpaid: false,
  refundChain: null,
  withdrawal: null,
}

/** The response for an order that was completed before deliveries were recorded. */
export const noDeliveries: OutputOf<typeof getOrderDeliveries> = {
  orderId: 'o1',
  memberId: 'm1',
  address: '',
  addressUsableFrom: null,
  canChangeAddress: false,
  explorer: null,
  bought: '0',
  delivered: '0',
  dueNext: null,
  locked: '0',
  deliveries: [],
}

/** A member who has completed every step and has nothing in progress. */
export const settledHome: MemberHome = {
  email: 'confirmed',
  hasSecondFactor: true,
  identity: { status: 'approved', applicationId: 'k1', isFinal: false, usualHours: null },
  sale: { isOpen: true, opensAt: null, closesAt: null },
  hasOrder: true,
  orderWithoutAddress: null,
  openOrders: [],
  openWithdrawals: [],
  unread: 0,
  displayRates: [],
}

/**
 * Replaces the network of a component under test at the browser's request functions. Requests and responses have the
 * shape of the contract. An unexpected request fails the test.
 */
export function stubApi(): void {
  // Every console list requests the reader's saved views, and every order page the member's right of withdrawal.
  answers = new Map<Endpoint, Answer[]>([
    // The applicant's form requests the minimum age.
    [readKycRequirements, [() => json({ ageMin: 18 }, 200)]],
    [listConsoleViews, [() => json([], 200)]],
    [countConsoleViews, [() => json([], 200)]],
    // Actions that can be undone check it before the time to undo them.
    [checkStepUp, [() => json({ proved: true }, 200)]],
    [getWithdrawalRight, [() => json(noWithdrawal, 200)]],
    // Pages with completed orders request their deliveries.
    [getOrderDeliveries, [() => json(noDeliveries, 200)]],
    [listOwnDeliveries, [() => json([], 200)]],
    [listDeliveryRounds, [() => json({ rounds: [] }, 200)]],
    [listDeliveries, [() => json([], 200)]],
    // The page of an open order follows its changes, and polls if it can't.
    [followOrders, [() => new Response(null, { status: 503 })]],
    // After sign-in, members arrive at the page with their next step.
    [readMemberHome, [() => json(settledHome, 200)]],
    // The pages of orders, cases, and members request their conversation.
    [findConversation, [() => json({ conversation: null }, 200)]],
    [listConsoleConversations, [() => json([], 200)]],
    // The pages of members and orders request the colleagues that they can be assigned to.
    [listMemberColleagues, [() => json([], 200)]],
    [listOrderColleagues, [() => json([], 200)]],
    // The home page.
    [readPublicSale, [() => json({ sale: null, isOnHome: false }, 200)]],
    // The navigation of member pages.
    [countUnreadNotifications, [() => json({ unread: 0 }, 200)]],
    [getConsoleWithdrawal, [() => json({ orderId: 'o1', memberId: 'm1', withdrawal: null }, 200)]],
  ])
  received = []
  unexpected = []
  sessionStorage.setItem('_ApiUrl', base)
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => respond(url, init))
  vi.stubGlobal('XMLHttpRequest', UploadingRequest)
}

export function expectNoOtherCalls(): void {
  vi.unstubAllGlobals()
  expect(unexpected).toEqual([])
}

/** Every call gets this response. */
export const answering = <E extends Endpoint>(endpoint: E, output: OutputOf<E>): void =>
  void answers.set(endpoint, [() => json(output, endpoint.status)])

/** Every request gets this page of a list. `next` is the cursor of the next page. */
export const answeringPage = <E extends Endpoint>(endpoint: E, output: OutputOf<E>, next?: string): void => {
  const headers = next ? { link: `<${base}${endpoint.path}?after=${next}>; rel="next"` } : undefined
  answers.set(endpoint, [() => json(output, endpoint.status, headers)])
}

/** The requests get these responses in order. The last one repeats. */
export const answeringInTurn = <E extends Endpoint>(endpoint: E, ...outputs: OutputOf<E>[]): void =>
  void answers.set(
    endpoint,
    outputs.map((output) => () => json(output, endpoint.status)),
  )

/** The API rejects the request. */
export function refusing(
  endpoint: Endpoint,
  code: ErrorCode,
  details: Partial<Problem> = {},
  headers: Record<string, string> = {},
): void {
  const status = errorStatuses[code]
  const problem = { type: '', title: code, status, detail: '', code, message: `refused: ${code}`, ...details }
  answers.set(endpoint, [() => json(problem, status, headers)])
}

/** Keeps a response open. Returns a function that sends more text, or ends the response if the text is null. */
export function streaming(endpoint: Endpoint): (text: string | null) => void {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(begun) {
      controller = begun
    },
  })
  answers.set(endpoint, [() => new Response(body, { headers: { 'content-type': 'text/event-stream' } })])
  return (text) => (text === null ? controller?.close() : controller?.enqueue(new TextEncoder().encode(text)))
}

/** No connection: the request never arrives. */
export const unreachable = (endpoint: Endpoint): void =>
  void answers.set(endpoint, [() => Promise.reject(new TypeError('Failed to fetch'))])

/** The API does not respond until the returned function is called. */
export function holding<E extends Endpoint>(endpoint: E, output: OutputOf<E>): () => void {
  const { promise, resolve } = Promise.withResolvers<Response>()
  answers.set(endpoint, [() => promise])
  return () => resolve(json(output, endpoint.status))
}

/** Returns the requests to an endpoint so far, in order. */
export const callsOf = <E extends Endpoint>(endpoint: E): CallOf<E>[] =>
  received.flatMap((call) => (call.endpoint === endpoint ? [call.input as CallOf<E>] : []))

async function respond(url: string, init: RequestInit): Promise<Response> {
  const { pathname, searchParams } = new URL(url, location.href)
  const method = init.method ?? 'GET'
  // Every public page is announced when it is opened.
  if (method === 'HEAD' && new Headers(init.headers).has(inAppHeader)) return new Response()
  const path = pathname.slice(base.length)
  const endpoint = pathname.startsWith(base) ? endpointAt(method, path) : undefined
  const queue = endpoint && answers.get(endpoint)
  if (!endpoint || !queue) {
    unexpected.push(`${method} ${url}`)
    throw new TypeError('Failed to fetch')
  }
  const { appId: _, ...body } = init.body ? (JSON.parse(init.body as string) as Record<string, unknown>) : {}
  if (endpoint.body && !endpoint.body.safeParse(body).success)
    unexpected.push(`${method} ${url} with a body that the contract refuses: ${JSON.stringify(body)}`)
  const query = Object.fromEntries(searchParams)
  const idempotencyKey = new Headers(init.headers).get('idempotency-key')
  const input = { params: paramsOf(endpoint.path, path), query, body }
  received.push({ endpoint, input: idempotencyKey ? { ...input, idempotencyKey } : input })
  const answer = queue.length > 1 ? queue.shift() : queue[0]
  return answer!()
}

/** XMLHttpRequest, for uploads with progress: reports 50%, then completes. */
class UploadingRequest extends EventTarget {
  readonly upload = new EventTarget()
  readonly headers: Record<string, string> = {}
  method = ''
  url = ''
  status = 0
  responseText = ''
  answer: Response | undefined

  open(method: string, url: string): void {
    Object.assign(this, { method, url })
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value
  }
  getResponseHeader(name: string): string | null {
    return this.answer?.headers.get(name) ?? null
  }
  send(body: string): void {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 1, total: 2 }))
    respond(this.url, { method: this.method, headers: this.headers, body }).then(
      async (answer) => {
        const copy = answer.clone()
        Object.assign(this, { answer, status: answer.status, responseText: await copy.text() })
        this.dispatchEvent(new Event('load'))
      },
      () => this.dispatchEvent(new Event('error')),
    )
  }
}

/** If a fixed path and a pattern both match, the fixed one wins, as on the server. */
const endpointAt = (method: string, path: string): Endpoint | undefined =>
  Object.values<Endpoint>(api)
    .filter((endpoint) => endpoint.method === method && paramsOf(endpoint.path, path))
    .sort((a, b) => countParams(a) - countParams(b))[0]

const countParams = ({ path }: Endpoint) => path.split(':').length

function paramsOf(pattern: string, path: string): Record<string, string> | null {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const match = new RegExp(`^${pattern.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(path)
  return match && Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(match[at + 1]!)]))
}
