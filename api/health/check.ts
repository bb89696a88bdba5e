import type {
  HealthCheck,
  HealthCheckName,
  HealthFactName,
  HealthProblem,
  HealthState,
} from '#contract/console/console-health.ts'
import type { SettingHashes } from './hash-settings.ts'
import type { Services } from '../platform/services.ts'

/** Problems that stop a required service; the others only need attention. */
const stopping: ReadonlySet<HealthProblem> = new Set([
  'unanswered',
  'check_failed',
  'address_unreachable',
  'address_elsewhere',
  'address_redirects',
  'site_unreachable',
  'site_redirects',
  'site_files_missing',
  'tls_untrusted',
  'tls_name',
  'tls_expired',
  'proxy_spoofed',
  'proxy_headers',
  'proxy_body_limit',
  'proxy_caches',
  'proxy_rewrites',
  'proxy_methods',
  'mail_domain_unknown',
  'mail_server_unreachable',
  'mail_refused',
  'database_read_only',
  'database_fsync_off',
  'database_pages_off',
  'data_dir_missing',
  'key_mismatch',
  'storage_unwritable',
  'storage_not_shared',
  'storage_full',
  'storage_unreachable',
  'record_broken',
  'screening_list_unreadable',
] as const)

/** The services that a check uses. The server has all of them; the doctor command opens only these. */
export type Examined = Pick<
  Services,
  'config' | 'content' | 'db' | 'files' | 'keys' | 'lifecycle' | 'log'
> & {
  /** Set by the doctor command, which checks with its own settings. */
  ownSettings?: SettingHashes
}
export type Check = (examined: Examined) => Promise<HealthCheck>

type Fact = string | number | Date | null | undefined

/** A problem is reported if its condition is true; unknown facts are left out. */
type Findings = {
  facts: { readonly [Name in HealthFactName]?: Fact }
  problems?: { readonly [Problem in HealthProblem]?: boolean }
  /** The check could not run. */
  isUnchecked?: boolean
}

/** The result of a check. */
export function checked(name: HealthCheckName, found: Findings): HealthCheck {
  const problems = (Object.entries(found.problems ?? {}) as [HealthProblem, boolean][]).flatMap(
    ([problem, isSo]) => (isSo ? [problem] : []),
  )
  const facts = (Object.entries(found.facts) as [HealthFactName, Fact][]).flatMap(([fact, value]) =>
    value === null || value === undefined ? [] : [{ name: fact, value: textOf(value) }],
  )
  const state = found.isUnchecked && problems.length === 0 ? 'unchecked' : stateOf(problems)
  return { name, state, problems, facts }
}

const textOf = (value: NonNullable<Fact>): string =>
  value instanceof Date ? value.toISOString() : String(value)

const stateOf = (problems: readonly HealthProblem[]): HealthState =>
  problems.length === 0 ? 'good' : problems.some((problem) => stopping.has(problem)) ? 'down' : 'attention'
