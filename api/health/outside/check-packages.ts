import type { HealthCheck } from '#contract/console-health.ts'
import { checked } from '../check.ts'
import type { Outside } from './outside.ts'

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
