import { healthChecks, type HealthCheck } from '#contract/console/console-health.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { checked, type Examined } from './check.ts'
import { canOpen } from '../platform/master-key/re-encrypt.ts'
import { look } from './look.ts'
import { checkAddress } from './outside/check-address.ts'
import { checkSite } from './outside/check-site.ts'
import { checkMailDomain, checkMailServer } from './outside/check-mail.ts'
import { checkMailEvents } from './outside/check-mail-events.ts'
import { checkTls } from './outside/check-tls.ts'
import type { Outside } from './outside/outside.ts'

type Audit = { metadata?: { vulnerabilities?: { high?: number; critical?: number } } }

/** Known vulnerabilities of the packages. If the registry can't be reached, nothing is reported. */
export async function checkPackages({ audit }: Outside): Promise<HealthCheck> {
  const counts = read(await audit())?.metadata?.vulnerabilities
  if (!counts) return checked('packages', { facts: {}, isUnchecked: true })
  const { high = 0, critical = 0 } = counts
  return checked('packages', {
    facts: { vulnerable: `critical ${critical}, high ${high}` },
    problems: { packages_vulnerable: high + critical > 0 },
  })
}

function read(text: string): Audit | undefined {
  try {
    return JSON.parse(text) as Audit
  } catch {
    return undefined
  }
}

/**
 * About the tolerance of certificates, authenticator codes, and signed requests to buckets. In milliseconds.
 */
const patience = MINUTE

/** Whether the clock of this machine is correct; a proxy and a database on the same machine share it. */
export async function checkTime({ now, time }: Outside): Promise<HealthCheck> {
  const asked = now().getTime()
  const right = await time().catch(() => undefined)
  if (!right || Number.isNaN(right.getTime())) return checked('time', { facts: {}, isUnchecked: true })
  const apart = Math.max(asked - right.getTime(), right.getTime() - now().getTime(), 0)
  return checked('time', { facts: { clockApart: apart }, problems: { time_wrong: apart > patience } })
}

/** Runs all checks, outside ones first, because they show how the server sees a request. */
export async function examine(examined: Examined, outside: Outside): Promise<HealthCheck[]> {
  // With another key, the server can't be queried and no setting compared; the key check says why.
  const isRightKey = await canOpen(examined.db, examined.keys).catch(() => true)
  const reach = isRightKey ? checkAddress(examined, outside) : unreached
  const [[address, proxy], site, tls, time, mailDomain, mailServer, mailEvents, packages] = await Promise.all(
    [
      reach,
      checkSite(examined),
      checkTls(examined, outside),
      checkTime(outside),
      checkMailDomain(examined, outside),
      checkMailServer(examined, outside),
      checkMailEvents(examined),
      checkPackages(outside),
    ],
  )
  const { ownSettings, ...others } = examined
  const seen = isRightKey && ownSettings ? { ...others, ownSettings } : others
  const inside = await Promise.all(healthChecks.map((name) => look(name, seen)))
  return [address!, site, tls, proxy!, time, mailDomain, mailServer, mailEvents, packages, ...inside]
}

const unreached = (['address', 'proxy'] as const).map((name) =>
  checked(name, { facts: {}, isUnchecked: true }),
)
