import { isIP } from 'node:net'
import { SECOND } from '#contract/durations.ts'
import type { HealthCheck } from '#contract/console-health.ts'
import { clientOf } from '../../http/request-facts.ts'
import { trusting } from '../../http/trusted-networks.ts'
import { checked, type Examined } from '../check.ts'
import { blindClient } from '../probe.ts'
import { askProbe, type Probed } from './ask-probe.ts'
import type { Outside } from './outside.ts'

const clockPatience = 30 * SECOND
/** Nobody has this address (RFC 5737). */
const strangers = '203.0.113.77'

/** Whether PUBLIC_URL leads here, and what of a visitor arrives through the proxy. */
export async function checkAddress(examined: Examined, { now }: Outside): Promise<HealthCheck[]> {
  const asked = now().getTime()
  const probed = await askProbe(examined).catch((error: { code?: string }) => error.code ?? 'unknown')
  if (typeof probed === 'string')
    return [
      checked('address', { facts: { why: probed }, problems: { address_unreachable: true } }),
      checked('proxy', { facts: {}, isUnchecked: true }),
    ]
  const { answer, date } = probed
  // Its clock tells whole seconds, and was read somewhere between.
  const apart = date ? Math.max(asked - SECOND - date.getTime(), date.getTime() - now().getTime(), 0) : 0
  return [
    checked('address', {
      facts: { clockApart: apart },
      problems: { address_elsewhere: !answer, address_clock: apart > clockPatience },
    }),
    answer ? await checkProxy(examined, probed) : checked('proxy', { facts: {}, isUnchecked: true }),
  ]
}

async function checkProxy(examined: Examined, { answer, localAddress = '' }: Probed): Promise<HealthCheck> {
  const { config, keys, lifecycle } = examined
  const { isForwarded, isPeerTrusted, protocol } = answer!
  const isHttps = config.publicUrl.protocol === 'https:'
  // The check of the settings says it.
  if (isForwarded && !isPeerTrusted) lifecycle.hasSeenUnnamedProxy = true
  const seen = isForwarded ? (isPeerTrusted ? 'visitor' : 'proxy') : 'peer'
  const again = await askProbe(examined, { 'x-forwarded-for': strangers }).catch(() => undefined)
  const isBelieved = again?.answer?.client === blindClient(keys, clientOf(strangers))
  // Who is trusted as a proxy may say so: that this command may, shows nothing.
  const isOwnTrusted = isIP(localAddress) !== 0 && trusting(config.trustProxy)(localAddress)
  return checked('proxy', {
    facts: { forwarded: `${seen}, ${protocol}` },
    problems: {
      // The program speaks no TLS, so there is a proxy where the address is https.
      proxy_no_address: isHttps && !isForwarded,
      proxy_no_scheme: isHttps && isPeerTrusted && protocol !== 'https',
      proxy_spoofed: isBelieved && !isOwnTrusted,
    },
  })
}
