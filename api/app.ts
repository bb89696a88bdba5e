import cookie from '@fastify/cookie'
import Fastify, { LogController, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { api, version } from '#contract/api.ts'
import { MINUTE, SECOND } from '#contract/platform/durations.ts'
import type { Config } from './platform/config/config.ts'
import { readJsonBodies } from './platform/http/body.ts'
import { mountDocs } from './platform/http/docs.ts'
import { answerFailures, sendProblem } from './platform/http/failures.ts'
import { mountApi } from './platform/http/mount.ts'
import { requestIdHeader, requestIdsFor } from './platform/http/request-id.ts'
import { collectMethods, refuseUnknownMethods } from './platform/http/other-methods.ts'
import { refuseDoubledHeaders } from './platform/http/doubled-headers.ts'
import { rememberPeers } from './platform/http/remember-peers.ts'
import { endSlowBodies } from './platform/http/slow-bodies.ts'
import { answerUnreadable } from './platform/http/unreadable-requests.ts'
import { mountDevelopmentInbox } from './platform/mail/development-inbox.ts'
import { accounts } from './people/accounts/accounts.ts'
import { ambassadors } from './people/ambassadors/ambassadors.ts'
import { announcements } from './publishing/announcements/announcements.ts'
import { admitToken } from './people/api-tokens/admit-token.ts'
import { apiTokens } from './people/api-tokens/api-tokens.ts'
import { apps } from './people/apps/apps.ts'
import { backups } from './platform/backup/backup.ts'
import { builtFiles } from './platform/built-files/built-files.ts'
import { audit } from './platform/audit/audit.ts'
import { recordReading } from './platform/audit/record-reading.ts'
import { conversations } from './people/conversations/conversations.ts'
import { consents } from './people/consents/consents.ts'
import { content } from './publishing/content/content.ts'
import { staffConsole } from './console/staff-console.ts'
import { pendingFiles } from './platform/pending-files/pending-files.ts'
import type { Authenticators } from './platform/http/admit.ts'
import { erasureNotes } from './platform/erasure-notes/erasure-notes.ts'
import { fourEyes } from './people/four-eyes/four-eyes.ts'
import { health } from './health/health.ts'
import { mountProbe } from './health/probe.ts'
import { idempotency } from './platform/idempotency/idempotency.ts'
import { findPhone } from './people/kyc/handoff/handoff.queries.ts'
import { kyc } from './people/kyc/kyc.ts'
import { mail } from './platform/mail/mail.ts'
import { members } from './people/members/members.ts'
import { notes } from './people/notes/notes.ts'
import { callsOf, type Module } from './platform/module.ts'
import { official } from './publishing/official/official.ts'
import { newsletter } from './publishing/newsletter/newsletter.ts'
import { mountOneClick } from './publishing/newsletter/one-click.ts'
import { search } from './publishing/search/search.ts'
import { operations } from './platform/operations/operations.ts'
import { reads } from './publishing/reads/reads.ts'
import { chainPayments } from './money/chain-payments/chain-payments.ts'
import { deliveries } from './money/deliveries/deliveries.ts'
import { chains } from './money/chains/chains.ts'
import { memberHome } from './money/member-home/member-home.ts'
import { orderChanges } from './money/order-changes/order-changes.ts'
import { orders } from './money/orders/orders.ts'
import { payouts } from './money/payouts/payouts.ts'
import { privacy } from './people/privacy/privacy.ts'
import { proofOfWork } from './platform/proof-of-work/proof-of-work.ts'
import { requireWork } from './platform/proof-of-work/require-work.ts'
import { rateLimits } from './platform/rate-limits/rate-limits.ts'
import { record } from './console/record/record.ts'
import { sale } from './money/sale/sale.ts'
import { findCookieSession } from './people/sessions/refresh/refresh-token.queries.ts'
import { findSessionByToken } from './people/sessions/session.queries.ts'
import { sessions } from './people/sessions/sessions.ts'
import { settings } from './people/settings/settings.ts'
import { loggerOptions } from './platform/operations/logger.ts'
import { mountMetrics } from './health/measures/metrics.ts'
import { logJobs, logRequests } from './platform/operations/observe.ts'
import { watchProxy } from './platform/operations/watch-proxy.ts'
import { Refused } from './platform/refused.ts'
import { maintenance } from './maintenance/maintenance.ts'
import { setup } from './setup/setup.ts'
import { mountMailEvents } from './integrations/mail-events/mount-mail-events.ts'
import { webhooks } from './integrations/webhooks/webhooks.ts'
import type { Services } from './platform/services.ts'

/** All parts of the API except privacy, which iterates over them. Each imports only parts listed before it. */
const featureModules = [
  operations,
  rateLimits,
  proofOfWork,
  idempotency,
  pendingFiles,
  erasureNotes,
  builtFiles,
  audit,
  backups,
  mail,
  members,
  notes,
  fourEyes,
  webhooks,
  settings,
  apps,
  consents,
  sale,
  ambassadors,
  kyc,
  conversations,
  chains,
  deliveries,
  orders,
  payouts,
  chainPayments,
  sessions,
  memberHome,
  orderChanges,
  accounts,
  reads,
  announcements,
  newsletter,
  official,
  content,
  search,
  staffConsole,
  record,
  health,
  maintenance,
  setup,
  apiTokens,
] as const satisfies readonly Module[]
export const modules = [...featureModules, privacy(featureModules)] as const

const authenticators: Authenticators = {
  session: findSessionByToken,
  cookieSession: findCookieSession,
  phone: findPhone,
  machine: admitToken,
}

export const apiBase = `/${version}/`
const signIns = [api.signIn, api.finishPasskeySignIn].map(({ path }) => apiBase + path)

/**
 * Creates the HTTP server without routes. It logs route patterns and status codes, never URLs, bodies, or personal
 * data.
 */
export function makeHttpServer(
  config: Pick<Config, 'trustProxy' | 'logLevel'>,
  options: Pick<FastifyServerOptions, 'serverFactory'> = {},
): FastifyInstance {
  const app = Fastify({
    ...options,
    // The default of ten seconds is too short: on a slow or busy machine, reading all pages takes longer.
    pluginTimeout: MINUTE,
    // Fastify has no request timeouts by default, and Node enforces its own only every 30 seconds. Node has one timeout
    // for all bodies, which must allow uploads over a bad connection; `endSlowBodies` enforces shorter ones for other
    // requests.
    requestTimeout: 15 * MINUTE,
    keepAliveTimeout: 20 * SECOND,
    http: { headersTimeout: 10 * SECOND, connectionsCheckingInterval: 2 * SECOND },
    logger: loggerOptions(config),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy,
    genReqId: requestIdsFor(config),
    // The path members/activation/{email}/{code} may contain a long email address.
    routerOptions: { maxParamLength: 400, ignoreTrailingSlash: true },
    rewriteUrl: ({ url }) => pathOfTarget(url ?? '/'),
    // A path that can't be decoded matches no route, and Fastify's default response would reveal the software.
    frameworkErrors: (_error, request, reply) => void sendProblem(request, reply, new Refused('not_found')),
    clientErrorHandler: answerUnreadable,
    exposeHeadRoutes: false,
    // A request that arrives during shutdown, while open connections are finished, gets a normal response.
    return503OnClosing: false,
  })
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header(requestIdHeader, request.id)
    done()
  })
  rememberPeers(app.server)
  refuseDoubledHeaders(app)
  endSlowBodies(app)
  return app
}

/**
 * Returns the path of a request target in absolute form (RFC 9112, 3.2.2): only PUBLIC_URL determines the site's
 * address.
 */
function pathOfTarget(target: string): string {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  return path === target || path.startsWith('/') ? path : `/${path}`
}

/** API responses are data: browsers must not execute, frame, or sniff them. */
const apiHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Mounts the API on the server, without listening and without reading environment variables. */
export async function mountWholeApi(app: FastifyInstance, services: Services): Promise<void> {
  app.decorate('content', services.content)
  await app.register(cookie)
  logRequests(app)
  logJobs(app, services.db)
  mountProbe(app, services)
  watchProxy(app, services.config, services.lifecycle)
  answerFailures(app)
  refuseUnknownMethods(app, (request, reply) => sendProblem(request, reply, new Refused('not_implemented')))
  await app.register(async (api) => {
    api.addHook('onRequest', async (_request, reply) => void reply.headers(apiHeaders))
    const answerOthers = collectMethods(api)
    readJsonBodies(api)
    mountApi(api, apiBase, services, {
      handlers: callsOf(modules),
      authenticators,
      recordReading,
      requireWork,
    })
    mountDocs(api, apiBase, services.config)
    answerOthers(
      apiBase,
      (request, reply) => sendProblem(request, reply, new Refused('method_not_allowed')),
      (request, reply) => sendProblem(request, reply, new Refused('not_found')),
    )
  })
  if (services.config.metricsToken)
    mountMetrics(app, services, services.config.metricsToken, { signIns: new Set(signIns) })
  await mountOneClick(app, services, apiHeaders)
  await mountMailEvents(app, services, apiHeaders)
  mountDevelopmentInbox(app, services, apiHeaders)
}
