import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import Fastify, { LogController, type FastifyInstance } from 'fastify'
import { version } from '#contract/api.ts'
import { SECOND } from '#contract/durations.ts'
import type { Config } from './config.ts'
import { handlers } from './handlers.ts'
import { readJsonBodies } from './http/body.ts'
import { mountDocs } from './http/docs.ts'
import { answerFailures, sendProblem } from './http/failures.ts'
import { mountApi } from './http/mount.ts'
import { mountDevelopmentInbox } from './mail/development-inbox.ts'
import { logRequests, mountMetrics } from './operations/observe.ts'
import { Refused } from './refused.ts'
import type { Services } from './services.ts'

export const apiBase = `/${version}/`

/** The HTTP server without routes: its log knows routes and codes, never addresses, bodies or people. */
export function makeHttpServer(config: Pick<Config, 'trustProxy' | 'logLevel'>): FastifyInstance {
  return Fastify({
    // Fastify's own limits of time are off by default, and Node looks after them every 30 seconds only.
    requestTimeout: 30 * SECOND,
    keepAliveTimeout: 20 * SECOND,
    http: { headersTimeout: 10 * SECOND, connectionsCheckingInterval: 2 * SECOND },
    logger: { level: config.logLevel, base: null, serializers: { req: () => ({}), res: () => ({}) } },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy,
    genReqId: () => randomUUID(),
    // Long addresses travel in the path of members/activation/{email}/{code}.
    routerOptions: { maxParamLength: 400, ignoreTrailingSlash: true },
    // A path that does not decode reaches no route, and Fastify's own answer would say what runs here.
    frameworkErrors: (_error, request, reply) => void sendProblem(request, reply, new Refused('not_found')),
    exposeHeadRoutes: false,
  })
}

/** An answer of the API is data: no browser may run, frame or guess it. */
const apiHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Mounts the API on the server. Listens to nothing, reads no environment. */
export async function mountWholeApi(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(cookie)
  logRequests(app)
  await app.register(async (api) => {
    api.addHook('onRequest', async (_request, reply) => void reply.headers(apiHeaders))
    readJsonBodies(api)
    answerFailures(api)
    mountApi(api, apiBase, handlers, services)
    mountDocs(api, apiBase, services.config)
    for (const unknown of [apiBase, `${apiBase}*`])
      api.all(unknown, { exposeHeadRoute: false }, (request, reply) =>
        sendProblem(request, reply, new Refused('not_found')),
      )
  })
  if (services.config.metricsToken) mountMetrics(app, services.config.metricsToken)
  if (!services.config.isProduction && !services.config.smtpUrl)
    mountDevelopmentInbox(app, services, apiHeaders)
}
