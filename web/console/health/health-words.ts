import type {
  HealthCheckName,
  HealthFactName,
  HealthProblem,
  HealthSetting,
  HealthState,
} from '#contract/console-health.ts'
import type { PlainKey } from '../../i18n/message-key.ts'

export const checkWords: Readonly<Record<HealthCheckName, PlainKey>> = {
  database: 'health.check.database',
  mail: 'health.check.mail',
  storage: 'health.check.storage',
  queues: 'health.check.queues',
  jobs: 'health.check.jobs',
  record: 'health.check.record',
  keys: 'health.check.keys',
  versions: 'health.check.versions',
  settings: 'health.check.settings',
}

export const stateWords: Readonly<Record<HealthState, PlainKey>> = {
  good: 'health.state.good',
  attention: 'health.state.attention',
  down: 'health.state.down',
}

export const factWords: Readonly<Record<HealthFactName, PlainKey>> = {
  version: 'health.fact.version',
  size: 'health.fact.size',
  answerTime: 'health.fact.answerTime',
  connections: 'health.fact.connections',
  standbys: 'health.fact.standbys',
  delivery: 'health.fact.delivery',
  waiting: 'health.fact.waiting',
  oldest: 'health.fact.oldest',
  failed: 'health.fact.failed',
  lastError: 'health.fact.lastError',
  place: 'health.fact.place',
  free: 'health.fact.free',
  capacity: 'health.fact.capacity',
  postsDue: 'health.fact.postsDue',
  ordersDue: 'health.fact.ordersDue',
  casesWaiting: 'health.fact.casesWaiting',
  unsigned: 'health.fact.unsigned',
  pendingFiles: 'health.fact.pendingFiles',
  lastClean: 'health.fact.lastClean',
  verifiedAt: 'health.fact.verifiedAt',
  entries: 'health.fact.entries',
  masterKey: 'health.fact.masterKey',
  masterKeySince: 'health.fact.masterKeySince',
  signingKey: 'health.fact.signingKey',
  signingKeySince: 'health.fact.signingKeySince',
  program: 'health.fact.program',
  node: 'health.fact.node',
  postgres: 'health.fact.postgres',
  migrations: 'health.fact.migrations',
  lastMigration: 'health.fact.lastMigration',
  runningSince: 'health.fact.runningSince',
  instances: 'health.fact.instances',
  administrators: 'health.fact.administrators',
  logLevel: 'health.fact.logLevel',
}

export const settingWords: Readonly<Record<HealthSetting, PlainKey>> = {
  smtp: 'health.setting.smtp',
  inbox: 'health.setting.inbox',
  disk: 'health.setting.disk',
  bucket: 'health.setting.bucket',
  environment: 'health.setting.environment',
  file: 'health.setting.file',
}

/** What is wrong, and what to do about it. */
export const problemWords: Readonly<Record<HealthProblem, { what: PlainKey; advice: PlainKey }>> = {
  unanswered: { what: 'health.problem.unanswered', advice: 'health.advice.unanswered' },
  database_connections: {
    what: 'health.problem.database_connections',
    advice: 'health.advice.database_connections',
  },
  mail_unset: { what: 'health.problem.mail_unset', advice: 'health.advice.mail_unset' },
  mail_waiting: { what: 'health.problem.mail_waiting', advice: 'health.advice.mail_waiting' },
  mail_failed: { what: 'health.problem.mail_failed', advice: 'health.advice.mail_failed' },
  storage_low: { what: 'health.problem.storage_low', advice: 'health.advice.storage_low' },
  storage_full: { what: 'health.problem.storage_full', advice: 'health.advice.storage_full' },
  storage_unreachable: {
    what: 'health.problem.storage_unreachable',
    advice: 'health.advice.storage_unreachable',
  },
  posts_overdue: { what: 'health.problem.posts_overdue', advice: 'health.advice.posts_overdue' },
  orders_overdue: { what: 'health.problem.orders_overdue', advice: 'health.advice.orders_overdue' },
  posts_unsigned: { what: 'health.problem.posts_unsigned', advice: 'health.advice.posts_unsigned' },
  jobs_failed: { what: 'health.problem.jobs_failed', advice: 'health.advice.jobs_failed' },
  jobs_late: { what: 'health.problem.jobs_late', advice: 'health.advice.jobs_late' },
  record_never: { what: 'health.problem.record_never', advice: 'health.advice.record_never' },
  record_old: { what: 'health.problem.record_old', advice: 'health.advice.record_old' },
  record_broken: { what: 'health.problem.record_broken', advice: 'health.advice.record_broken' },
  key_rotation: { what: 'health.problem.key_rotation', advice: 'health.advice.key_rotation' },
  key_readable: { what: 'health.problem.key_readable', advice: 'health.advice.key_readable' },
  versions_differ: { what: 'health.problem.versions_differ', advice: 'health.advice.versions_differ' },
  demo_on: { what: 'health.problem.demo_on', advice: 'health.advice.demo_on' },
  http_only: { what: 'health.problem.http_only', advice: 'health.advice.http_only' },
  proxy_unnamed: { what: 'health.problem.proxy_unnamed', advice: 'health.advice.proxy_unnamed' },
  factor_optional: { what: 'health.problem.factor_optional', advice: 'health.advice.factor_optional' },
  one_administrator: { what: 'health.problem.one_administrator', advice: 'health.advice.one_administrator' },
  four_eyes_off: { what: 'health.problem.four_eyes_off', advice: 'health.advice.four_eyes_off' },
  no_screening_list: { what: 'health.problem.no_screening_list', advice: 'health.advice.no_screening_list' },
  screening_list_unreadable: {
    what: 'health.problem.screening_list_unreadable',
    advice: 'health.advice.screening_list_unreadable',
  },
  log_silent: { what: 'health.problem.log_silent', advice: 'health.advice.log_silent' },
}
