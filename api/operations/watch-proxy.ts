import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'

/**
 * Says in the log that a proxy is in front which TRUST_PROXY does not name: every visitor then counts as one client, and
 * the failures of one use up the limits of all. Said at the start where https shows it, and once when such a request comes;
 * the operators' health page says it from then on.
 */
export function watchProxy(
  app: FastifyInstance,
  config: Pick<Config, 'publicUrl' | 'trustProxy'>,
  lifecycle: Services['lifecycle'],
): void {
  if (config.publicUrl.protocol === 'https:' && config.trustProxy === false)
    app.log.warn(
      'PUBLIC_URL uses https, so requests come through a proxy, but TRUST_PROXY is not set: all visitors count as one client',
    )
  app.addHook('onRequest', async (request) => {
    if (lifecycle.hasSeenUnnamedProxy || request.headers['x-forwarded-for'] === undefined) return
    // The address of the connection comes first; those that a trusted sender forwards follow.
    if ((request.ips?.length ?? 1) > 1) return
    lifecycle.hasSeenUnnamedProxy = true
    request.log.warn(
      'X-Forwarded-For came from an address that is not in TRUST_PROXY: visitors behind that proxy count as one client',
    )
  })
}

/** Whether this may be the first request through a proxy while none is named. */
export const isToBeWatched = (
  headers: IncomingHttpHeaders,
  { trustProxy }: Pick<Config, 'trustProxy'>,
  { hasSeenUnnamedProxy }: Services['lifecycle'],
): boolean => headers['x-forwarded-for'] !== undefined && trustProxy === false && !hasSeenUnnamedProxy
