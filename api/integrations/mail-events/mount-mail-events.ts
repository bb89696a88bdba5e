import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MINUTE } from '#contract/platform/durations.ts'
import { KIB } from '#contract/platform/fields.ts'
import { mailProviders, type MailProvider } from '../../platform/config/read-mail-events.ts'
import { clientOf } from '../../platform/http/request-facts.ts'
import { requireNoMaintenance } from '../../platform/maintenance/known-maintenance.ts'
import { refund, requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import type { Services } from '../../platform/services.ts'
import { makeEventProviders, type EventProviders } from './event-providers.ts'
import { readJson } from './mail-event.ts'
import { recordSource } from './mail-event.queries.ts'
import { recordMailEvent } from './record-mail-event.ts'

/** SendGrid sends up to 768 KB, the others less. */
const bodyBytesMax = 1024 * KIB
const refusedMax = 100

/**
 * Email providers report bounces and complaints. They send neither an application ID nor a session, so these are not
 * calls of the contract: a signature or a password admits a request. Nothing of it is logged.
 */
export async function mountMailEvents(
  app: FastifyInstance,
  services: Pick<Services, 'db' | 'keys' | 'config' | 'maintenance'>,
  headers: Readonly<Record<string, string>>,
  providers: EventProviders = makeEventProviders(),
): Promise<void> {
  const { db, keys, config, maintenance } = services
  const proofOf = (request: FastifyRequest): { name: MailProvider; proof: string } => {
    const { provider } = request.params as { provider: string }
    const name = mailProviders.find((each) => each === provider)
    const proof = name && config.mailEvents[name]
    if (name === undefined || proof === undefined) throw new Refused('not_found')
    return { name, proof }
  }
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    )
    scope.addHook('onRequest', async (request, reply) => {
      void reply.headers({ ...headers, 'cache-control': 'no-store' })
      proofOf(request)
    })
    scope.post('/email-events/:provider', { bodyLimit: bodyBytesMax }, async (request, reply) => {
      const { name, proof } = proofOf(request)
      // Providers repeat what was refused this way.
      await requireNoMaintenance(maintenance)
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      // Only refused requests count, but they are counted first, because SES requires a request to another host.
      const limits = [{ key: `mail-events ${clientOf(request.ip)}`, max: refusedMax, window: 15 * MINUTE }]
      await requireWithinLimits(db, keys, limits)
      if (!(await providers[name].verify({ headers: request.headers, body }, proof)))
        throw new Refused('unauthenticated')
      await refund(db, keys, limits)
      const read = readJson(body.toString('utf8'))
      if (read === undefined) throw new Refused('malformed_json')
      await providers[name].confirm?.(read)
      for (const event of providers[name].parse(read)) await recordMailEvent(services, event)
      await recordSource(db, name)
      return reply.code(200).type('text/plain; charset=utf-8').send('')
    })
  })
}
