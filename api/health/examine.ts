import { healthChecks, type HealthCheck } from '#contract/console-health.ts'
import type { Examined } from './check.ts'
import { look } from './look.ts'
import { checkAddress } from './outside/check-address.ts'
import { checkMailDomain, checkMailServer } from './outside/check-mail.ts'
import { checkPackages } from './outside/check-packages.ts'
import { checkTls } from './outside/check-tls.ts'
import type { Outside } from './outside/outside.ts'

/** Everything that can be looked at, from outside first: what the program sees of a request shows only there. */
export async function examine(examined: Examined, outside: Outside): Promise<HealthCheck[]> {
  const [[address, proxy], tls, mailDomain, mailServer, packages] = await Promise.all([
    checkAddress(examined, outside),
    checkTls(examined, outside),
    checkMailDomain(examined, outside),
    checkMailServer(examined, outside),
    checkPackages(outside),
  ])
  const inside = await Promise.all(healthChecks.map((name) => look(name, examined)))
  return [address!, tls, proxy!, mailDomain, mailServer, packages, ...inside]
}
