import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Services } from '../services.ts'

/**
 * Logs that there is a proxy in front which TRUST_PROXY does not name: all visitors then count as one client,
 * and the failures of one use up the limits of all. Logged at startup if https reveals it, and once when such a
 * request arrives; from then on the operators' health page shows it.
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
    // The address of the connection comes first, followed by those that a trusted sender forwards.
    if ((request.ips?.length ?? 1) > 1) return
    lifecycle.hasSeenUnnamedProxy = true
    request.log.warn(
      'X-Forwarded-For came from an address that is not in TRUST_PROXY: visitors behind that proxy count as one client',
    )
  })
}

/** Whether this may be the first request through a proxy while none is configured. */
export const isToBeWatched = (
  headers: IncomingHttpHeaders,
  { trustProxy }: Pick<Config, 'trustProxy'>,
  { hasSeenUnnamedProxy }: Services['lifecycle'],
): boolean => headers['x-forwarded-for'] !== undefined && trustProxy === false && !hasSeenUnnamedProxy
