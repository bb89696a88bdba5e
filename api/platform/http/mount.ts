import { Socket } from 'node:net'
import { extname } from 'node:path'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { api, type EndpointName } from '#contract/api.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { SECOND } from '#contract/platform/durations.ts'
import { eventStreamType } from '#contract/platform/event-stream.ts'
import { KIB } from '#contract/platform/fields.ts'
import { forClient } from '../db/fair-connections.ts'
import { isRecord } from '../is-record.ts'
import { isRefusedInMaintenance, requireNoMaintenance } from '../maintenance/known-maintenance.ts'
import { Refused } from '../refused.ts'
import type { Services } from '../services.ts'
import { receiveUploads, type Uploads } from '../uploads/receive-uploads.ts'
import { makeUploadSlots } from '../uploads/upload-slots.ts'
import type { Caller } from './caller.ts'
import { actingBy } from './acting-token.ts'
import { admit, type Authenticators } from './admit.ts'
import { isStranger } from '../shared-response.ts'
import { cookiesOf } from './cookies.ts'
import {
  isDownload,
  type Answer,
  type Bytes,
  type Context,
  type CookieSession,
  type Download,
  type Handler,
  type Handlers,
  type Phone,
  type RequestFacts,
} from './handler.ts'
import { readInput } from './read.ts'
import { clientOf, factsOf, isSecureRequest } from './request-facts.ts'
import { makeSerializer, type Serializer } from './serializer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    admitted: Caller | CookieSession | Phone | undefined
    uploads: Uploads | undefined
    admittedAt: number
  }
}

/** Logs what staff read about others. */
type RecordReading = (
  services: Services,
  endpoint: Endpoint,
  caller: Caller,
  read: { input: { params: unknown; query: unknown; body: unknown }; output: unknown },
) => Promise<void>

/** Refuses calls of clients that exceed the limit without a proof of work. */
type RequireWork = (
  services: Services,
  asked: { call: EndpointName; after: number },
  request: RequestFacts,
) => Promise<void>

const bodyBytesDefault = 256 * KIB
/** How long the caller's rights, as checked before the body arrived, may be relied on, in milliseconds. */
const admissionLife = SECOND

/** What the domain modules provide. Passed in, because `http` must not import them. */
type Domain = {
  handlers: Handlers
  authenticators: Authenticators
  recordReading: RecordReading
  requireWork: RequireWork
}
type Mount = Domain & { base: string; services: Services }
type Route = { name: EndpointName; endpoint: Endpoint; handle: Handler<Endpoint>; serialise: Serializer }

/** Mounts one route per endpoint of the contract: admit, read, handle, answer. */
export function mountApi(app: FastifyInstance, base: string, services: Services, domain: Domain): void {
  app.decorateRequest('admitted')
  app.decorateRequest('uploads')
  app.decorateRequest('admittedAt', 0)
  // Restored after the body, whose bytes arrive as events of the connection.
  const asClient = (request: FastifyRequest, _reply: FastifyReply, done: () => void) =>
    forClient(clientOf(request.ip), done)
  app.addHook('onRequest', asClient)
  app.addHook('preHandler', asClient)
  const mount = { base, services, ...domain }
  const slots = makeUploadSlots()
  for (const name of Object.keys(api) as EndpointName[]) {
    const endpoint: Endpoint = api[name]
    const handle = domain.handlers[name] as Handler<Endpoint>
    const route = { name, endpoint, handle, serialise: makeSerializer(endpoint.output) }
    app.route({
      method: endpoint.method,
      url: base + endpoint.path,
      bodyLimit: endpoint.bodyBytesMax ?? bodyBytesDefault,
      exposeHeadRoute: false,
      config: { hasOwnPace: endpoint.acceptsFiles !== undefined },
      onRequest: async (request) => {
        if (isRefusedInMaintenance(endpoint)) await requireNoMaintenance(services.maintenance)
        request.admitted = await admit(endpoint, request, services, domain.authenticators)
        request.admittedAt = performance.now()
      },
      ...(endpoint.acceptsFiles && {
        preParsing: async (request, reply, payload) => {
          const who = { memberId: request.admitted!.memberId, client: clientOf(request.ip) }
          const around = { slots, who, dataDir: services.config.dataDir }
          const received = await receiveUploads(endpoint, { request, reply, payload }, around)
          request.uploads = received.uploads
          return received.payload
        },
      }),
      handler: (request, reply) =>
        endpoint.changesWith
          ? answerEverybody(services, route, request, reply)
          : answerCaller(mount, route, request, reply),
    })
  }
}

async function answerCaller(
  mount: Mount,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { services } = mount
  const { name, endpoint, serialise } = route
  // It may have begun while the body arrived.
  if (isRefusedInMaintenance(endpoint)) await requireNoMaintenance(services.maintenance)
  // Rights may have ended while the body arrived.
  const isLate = performance.now() - request.admittedAt > admissionLife
  if (isLate && isHeldByCaller(endpoint))
    request.admitted = await admit(endpoint, request, services, mount.authenticators)
  const body = extractAppId(request.body, services.config.appId)
  const input = readInput(endpoint, { params: request.params, query: request.query, body })
  const context = {
    ...services,
    request: factsOf(request, services.config),
    answer: answerOf(request, reply, mount.base, services),
    caller: request.admitted,
    uploads: request.uploads,
  }
  // Before anything expensive, such as password hashes and emails.
  if (endpoint.proofOfWorkAfter !== undefined)
    await mount.requireWork(services, { call: name, after: endpoint.proofOfWorkAfter }, context.request)
  const output = await handleAndRecord(mount, route, input, context)
  void reply.code(endpoint.status).header('cache-control', 'no-store')
  if (isDownload(output)) return sendDownload(reply, output)
  if (endpoint.returnsBytes) return sendBytes(reply, output as Bytes)
  return reply.type('application/json; charset=utf-8').send(serialise(output))
}

/** Handles a call, and logs what it shows about others. */
async function handleAndRecord(
  { services, recordReading }: Mount,
  { endpoint, handle }: Route,
  input: Parameters<Handler<Endpoint>>[0],
  context: Parameters<Handler<Endpoint>>[1],
): Promise<unknown> {
  const caller = context.caller as Caller
  const token = (context.caller as Caller | undefined)?.token
  const work = () => actingBy(token, () => handle(input, context))
  const record = (output: unknown) =>
    actingBy(token, () => recordReading(services, endpoint, caller, { input, output }))
  const { uploads } = context
  const output = await (uploads ? uploads.whileInUse(work) : work()).catch(async (error: unknown) => {
    // Searches without results are logged too, because the query itself may contain personal data.
    if (error instanceof Refused && error.code === 'not_found') await record([])
    throw error
  })
  if (!endpoint.auditsItself) await record(output)
  return output
}

function answerEverybody(
  services: Services,
  { endpoint, handle, serialise }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { changesWith: topics = [], isRevalidated = false } = endpoint
  void reply.code(endpoint.status).header('cache-control', isRevalidated ? 'no-cache' : 'no-store')
  const how = { topics, client: clientOf(request.ip), isShared: isStranger(request) }
  return services.answerForEverybody(request, reply, how, async () => {
    const { params, query } = request
    const headers: Record<string, string> = {}
    const setNext: Answer['setNext'] = (cursor) =>
      void (cursor && (headers['link'] = linkToNext(request, services, cursor)))
    // Receives nothing about the caller, because others get the same answer.
    const input = readInput(endpoint, { params, query, body: undefined })
    const output = await services.replica.read((db) =>
      handle(input, { ...services, db, answer: { setNext } } as unknown as Context),
    )
    return { json: serialise(output), headers }
  })
}

/** A refresh cookie may have been replaced in the meantime; its calls check the session themselves. */
const isHeldByCaller = ({ method, access }: Endpoint): boolean =>
  method !== 'GET' && access.who !== 'anyone' && access.who !== 'session'

/** POST bodies may contain the application ID in addition to the header. */
function extractAppId(body: unknown, appId: string): unknown {
  if (!isRecord(body) || !Object.hasOwn(body, 'appId')) return body
  const { appId: given, ...rest } = body
  if (given !== appId) throw new Refused('app_mismatch')
  return rest
}

const answerOf = (
  request: FastifyRequest,
  reply: FastifyReply,
  base: string,
  services: Services,
): Answer => ({
  ...cookiesOf(reply, base, isSecureRequest(request, services.config)),
  setNext: (cursor) => void (cursor && reply.header('link', linkToNext(request, services, cursor))),
})

function linkToNext(request: FastifyRequest, { config }: Services, cursor: string): string {
  const url = new URL(request.url, config.publicUrl)
  url.searchParams.set('after', cursor)
  return `<${url.pathname}${url.search}>; rel="next"`
}

const sendBytes = (reply: FastifyReply, { contentType, bytes }: Bytes) =>
  reply.type(contentType).header('content-disposition', 'inline').send(bytes)

/** Tells proxies to pass on each event at once. Ends internal calls, which have no connection that could stay open. */
function prepareEvents(reply: FastifyReply, stream: Readable): void {
  void reply.header('x-accel-buffering', 'no')
  if (!(reply.request.raw.socket instanceof Socket)) stream.push(null)
}

/** The plain file name is for clients without support for RFC 6266, section 4.3. */
function sendDownload(
  reply: FastifyReply,
  { contentType, fileName, headers = {}, stream }: Download,
): FastifyReply {
  if (contentType === eventStreamType) prepareEvents(reply, stream)
  if (fileName !== undefined)
    void reply.header(
      'content-disposition',
      `attachment; filename="data${extname(fileName)}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
    )
  return reply.headers(headers).type(contentType).send(stream)
}
