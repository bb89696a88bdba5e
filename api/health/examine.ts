import { healthChecks, type HealthCheck } from '#contract/console-health.ts'
import type { Examined } from './check.ts'
import { canOpen } from '../master-key/re-encrypt.ts'
import { checked } from './check.ts'
import { look } from './look.ts'
import { checkAddress } from './outside/check-address.ts'
import { checkSite } from './outside/check-site.ts'
import { checkTime } from './outside/check-time.ts'
import { checkMailDomain, checkMailServer } from './outside/check-mail.ts'
import { checkPackages } from './outside/check-packages.ts'
import { checkTls } from './outside/check-tls.ts'
import type { Outside } from './outside/outside.ts'

/** Runs all checks, outside ones first, because they show how the server sees a request. */
export async function examine(examined: Examined, outside: Outside): Promise<HealthCheck[]> {
  // With another key, the server can't be queried and no setting compared; the key check says why.
  const isRightKey = await canOpen(examined.db, examined.keys).catch(() => true)
  const reach = isRightKey ? checkAddress(examined, outside) : unreached
  const [[address, proxy], site, tls, time, mailDomain, mailServer, packages] = await Promise.all([
    reach,
    checkSite(examined),
    checkTls(examined, outside),
    checkTime(outside),
    checkMailDomain(examined, outside),
    checkMailServer(examined, outside),
    checkPackages(outside),
  ])
  const { ownSettings, ...others } = examined
  const seen = isRightKey && ownSettings ? { ...others, ownSettings } : others
  const inside = await Promise.all(healthChecks.map((name) => look(name, seen)))
  return [address!, site, tls, proxy!, time, mailDomain, mailServer, packages, ...inside]
}

const unreached = (['address', 'proxy'] as const).map((name) =>
  checked(name, { facts: {}, isUnchecked: true }),
)
