import { SECOND } from '#contract/platform/durations.ts'
import type { HealthCheck } from '#contract/console/console-health.ts'
import { checked, type Examined } from '../check.ts'
import { askProbe, type Probed } from './ask-probe.ts'
import { codeOf } from './ask.ts'
import { checkProxy } from './check-proxy.ts'
import type { Outside } from './outside.ts'

const clockPatience = 30 * SECOND

/** Whether PUBLIC_URL leads here, and which parts of a request pass through the proxy. */
export async function checkAddress(examined: Examined, outside: Outside): Promise<HealthCheck[]> {
  const asked = outside.now().getTime()
  const probed = await findInstallation(examined).catch(codeOf)
  if (typeof probed === 'string')
    return [
      checked('address', { facts: { why: probed }, problems: { address_unreachable: true } }),
      checked('proxy', { facts: {}, isUnchecked: true }),
    ]
  const { answer, date, status } = probed
  const answered = outside.now().getTime()
  /** A header has whole seconds, and each clock was read at some time in between. */
  const apartFrom = (time: number | undefined) =>
    time === undefined ? 0 : Math.max(asked - SECOND - time, time - answered, 0)
  const apart = Math.max(apartFrom(date?.getTime()), apartFrom(answer?.now))
  const isRedirected = !answer && status >= 300 && status < 400
  return [
    checked('address', {
      facts: { clockApart: apart, why: answer ? undefined : `HTTP_${status}` },
      problems: {
        address_redirects: isRedirected,
        address_elsewhere: !answer && !isRedirected,
        address_clock: apart > clockPatience,
      },
    }),
    answer ? await checkProxy(examined, probed, outside) : checked('proxy', { facts: {}, isUnchecked: true }),
  ]
}

/** A proxy that only forwards known headers removes the one that identifies our request. */
async function findInstallation(examined: Examined): Promise<Probed> {
  const first = await askProbe(examined)
  if (first.answer || first.status !== 404) return first
  const again = await askProbe(examined, { isInQuery: true })
  return again.answer ? again : first
}
