import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { time } from '../platform/fields.ts'
import { maintenanceState } from './maintenance.ts'

/** Checks that the application runs itself, in display order. */
export const healthChecks = [
  'database',
  'mail',
  'storage',
  'queues',
  'chains',
  'webhooks',
  'jobs',
  'record',
  'keys',
  'backup',
  'clock',
  'staff',
  'versions',
  'settings',
  'content',
] as const
/** Checks that only work from outside. `npm run doctor` runs them and shows them first. */
const outsideChecks = [
  'address',
  'site',
  'tls',
  'proxy',
  'time',
  'mailDomain',
  'mailServer',
  'mailEvents',
  'packages',
] as const

const allChecks = [...outsideChecks, ...healthChecks] as const
export type InsideCheckName = (typeof healthChecks)[number]
type OutsideCheckName = (typeof outsideChecks)[number]
export type HealthCheckName = InsideCheckName | OutsideCheckName

/** `unchecked`: the check could not run, which is not a fault in itself. */
const healthStates = ['good', 'attention', 'down', 'unchecked'] as const
export type HealthState = (typeof healthStates)[number]

/** Each problem has a sentence and advice on how to fix it. */
export const healthProblems = [
  'unanswered',
  'check_failed',
  'address_unreachable',
  'address_elsewhere',
  'address_redirects',
  'address_clock',
  'site_unreachable',
  'site_redirects',
  'site_files_missing',
  'site_uncompressed',
  'site_headers',
  'site_no_ranges',
  'tls_untrusted',
  'tls_name',
  'tls_expired',
  'tls_expires',
  'tls_old',
  'proxy_no_address',
  'proxy_no_scheme',
  'proxy_spoofed',
  'proxy_headers',
  'proxy_body_limit',
  'proxy_caches',
  'proxy_rewrites',
  'proxy_methods',
  'proxy_timeout',
  'time_wrong',
  'mail_domain_unknown',
  'spf_missing',
  'spf_several',
  'spf_open',
  'dkim_missing',
  'dmarc_missing',
  'mail_server_unreachable',
  'mail_refused',
  'mail_events_unreachable',
  'packages_vulnerable',
  'database_embedded',
  'database_old',
  'database_read_only',
  'database_fsync_off',
  'database_pages_off',
  'database_commits_early',
  'database_superuser',
  'database_rights',
  'database_pool',
  'database_lag',
  'database_connections',
  'mail_unset',
  'mail_paused',
  'mail_waiting',
  'mail_failed',
  'data_dir_missing',
  'storage_low',
  'storage_full',
  'storage_unreachable',
  'storage_unwritable',
  'storage_not_shared',
  'posts_overdue',
  'orders_overdue',
  'posts_unsigned',
  'chain_unreachable',
  'chain_network',
  'chain_behind',
  'chain_test_network',
  'webhooks_disabled',
  'webhooks_failing',
  'webhooks_waiting',
  'webhooks_paused',
  'jobs_failed',
  'jobs_late',
  'maintenance_on',
  'record_never',
  'record_old',
  'record_broken',
  'key_mismatch',
  'key_rotation',
  'key_readable',
  'backup_never',
  'backup_old',
  'backup_failed',
  'clock_apart',
  'clock_behind',
  'staff_without_factor',
  'versions_differ',
  'settings_differ',
  'content_left_out',
  'content_sample',
  'postal_address_missing',
  'demo_on',
  'http_only',
  'proxy_unnamed',
  'proxy_too_wide',
  'factor_optional',
  'one_administrator',
  'proof_of_work_off',
  'four_eyes_off',
  'four_eyes_alone',
  'four_eyes_alone_orders',
  'four_eyes_alone_sale',
  'four_eyes_alone_content',
  'four_eyes_off_orders',
  'four_eyes_off_sale',
  'four_eyes_off_content',
  'no_screening_list',
  'screening_list_unreadable',
  'log_silent',
] as const
export type HealthProblem = (typeof healthProblems)[number]

/** Details found by a check, each with its label. The kind determines how the text is formatted. */
export const healthFacts = {
  version: 'text',
  size: 'bytes',
  answerTime: 'ms',
  connections: 'text',
  standbys: 'count',
  lag: 'ms',
  pools: 'text',
  delivery: 'setting',
  waiting: 'count',
  oldest: 'time',
  failed: 'count',
  deliveryPausedAt: 'time',
  lastError: 'text',
  mailEvents: 'text',
  place: 'setting',
  free: 'bytes',
  capacity: 'bytes',
  postsDue: 'count',
  ordersDue: 'count',
  casesWaiting: 'count',
  endpoints: 'count',
  unsigned: 'count',
  chains: 'text',
  pendingFiles: 'count',
  lastClean: 'time',
  verifiedAt: 'time',
  entries: 'count',
  masterKey: 'setting',
  masterKeySince: 'time',
  signingKey: 'text',
  signingKeySince: 'time',
  lastBackup: 'time',
  backupSize: 'bytes',
  nextBackup: 'time',
  clockApart: 'ms',
  staff: 'count',
  staffWithoutFactor: 'count',
  program: 'text',
  node: 'text',
  postgres: 'text',
  migrations: 'count',
  lastMigration: 'text',
  runningSince: 'time',
  instances: 'count',
  contentLeftOut: 'count',
  sampleCount: 'count',
  samplePlaces: 'text',
  settingsDiffering: 'text',
  administrators: 'count',
  logLevel: 'text',
  protocol: 'text',
  issuer: 'text',
  expires: 'time',
  daysLeft: 'count',
  forwarded: 'text',
  missing: 'text',
  senderDomain: 'text',
  spf: 'text',
  dkim: 'text',
  dmarc: 'text',
  vulnerable: 'text',
  why: 'text',
} as const satisfies Record<string, 'text' | 'count' | 'bytes' | 'ms' | 'time' | 'setting'>
export type HealthFactName = keyof typeof healthFacts

/** Values of details of kind `setting`. */
export const healthSettings = ['smtp', 'inbox', 'disk', 'bucket', 'environment', 'file'] as const
export type HealthSetting = (typeof healthSettings)[number]

const factNames = Object.keys(healthFacts) as [HealthFactName, ...HealthFactName[]]

const healthCheck = z.object({
  name: z.enum(allChecks),
  state: z.enum(healthStates),
  problems: z.array(z.enum(healthProblems)),
  facts: z.array(z.object({ name: z.enum(factNames), value: z.string() })),
})
export type HealthCheck = z.infer<typeof healthCheck>

const job = z.object({
  /** One of `jobNames` in `job-names.ts`, or a job from another release. */
  name: z.string(),
  state: z.enum(['good', 'failed', 'late']),
  /** The last run on any instance. */
  beganAt: time,
  ms: z.number(),
  /** Name or code of the error, or null if the run succeeded. */
  failure: z.nullable(z.string()),
  /** When it last succeeded. */
  doneAt: z.nullable(time),
  /** The first digits of the instance ID. */
  instance: z.string(),
})
export type HealthJob = z.infer<typeof job>

const instance = z.object({
  id: z.string(),
  host: z.string(),
  version: z.string(),
  node: z.string(),
  startedAt: time,
  seenAt: time,
  /** Whether this instance handled the request. */
  isThis: z.boolean(),
})

export const readHealth = endpoint('GET', 'admin/health', {
  about:
    'Get the health of the application and its dependencies: statuses, problems, the latest job runs, and running instances. The response contains no names or secrets.',
  access: staff('admin'),
  output: z.object({
    at: time,
    checks: z.array(healthCheck),
    jobs: z.array(job),
    instances: z.array(instance),
    maintenance: z.nullable(maintenanceState),
  }),
})
