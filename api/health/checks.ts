import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { HealthCheck, HealthCheckName } from '#contract/console-health.ts'
import { DAY, MINUTE } from '#contract/durations.ts'
import { MIB } from '#contract/fields.ts'
import { countLeftOut } from '../content/editing/piece.queries.ts'
import { readListHash } from '../kyc/screening/screen.ts'
import { instance } from '../jobs/instance.ts'
import { countAdmins } from '../members/is-last-admin.ts'
import { listAlive } from '../jobs/job.queries.ts'
import { findLastCheck } from '../record/verification.queries.ts'
import type { Services } from '../services.ts'
import { checked } from './check.ts'
import { findKeyInUse, readOutbox, readQueues, readServer } from './health.queries.ts'
import { readJobs } from './read-jobs.ts'

/** How late something may be before it is said. */
const patience = 10 * MINUTE
const recordAge = 30 * DAY

type Check = (services: Services) => Promise<HealthCheck>

const database: Check = async ({ db }) => {
  const begun = performance.now()
  const { version, bytes, used, max, standbys } = await readServer(db)
  return checked('database', {
    facts: {
      version,
      size: bytes,
      answerTime: Math.round(performance.now() - begun),
      connections: `${used} / ${max}`,
      standbys,
    },
    problems: { database_connections: used > 0.8 * max },
  })
}

const mail: Check = async ({ db, config }) => {
  const { waiting, oldest, failed, lastError } = await readOutbox(db)
  const isSent = config.smtpUrl !== undefined
  return checked('mail', {
    facts: { delivery: isSent ? 'smtp' : 'inbox', waiting, oldest, failed, lastError },
    problems: {
      mail_unset: !isSent && config.isProduction,
      mail_waiting: isSent && oldest !== null && Date.now() - oldest.getTime() > patience,
      mail_failed: failed > 0,
    },
  })
}

const storage: Check = async ({ files, config }) => {
  const disk = await statfs(config.dataDir)
  const [free, capacity] = [disk.bavail * disk.bsize, disk.blocks * disk.bsize]
  const isFull = free < 200 * MIB
  // Nothing has this name: a store that answers says so.
  const isReachable = await files.get(`health/${randomUUID()}`).then(
    () => true,
    () => false,
  )
  return checked('storage', {
    facts: { place: config.storageUrl ? 'bucket' : 'disk', free, capacity },
    problems: {
      storage_unreachable: !isReachable,
      storage_full: isFull,
      storage_low: !isFull && (free < 2048 * MIB || free < 0.05 * capacity),
    },
  })
}

const queues: Check = async ({ db }) => {
  const found = await readQueues(db, patience)
  return checked('queues', {
    facts: found,
    problems: {
      posts_overdue: found.postsDue > 0,
      orders_overdue: found.ordersDue > 0,
      posts_unsigned: found.unsigned > 0,
    },
  })
}

const jobs: Check = async ({ db }) => {
  const all = await readJobs(db)
  const cleaned = all.map(({ doneAt }) => doneAt).filter((at) => at !== null)
  return checked('jobs', {
    facts: {
      lastClean: cleaned.toSorted().at(-1) ?? null,
      failed: all.filter(({ state }) => state === 'failed').length,
    },
    problems: {
      jobs_failed: all.some(({ state }) => state === 'failed'),
      jobs_late: all.some(({ state }) => state === 'late'),
    },
  })
}

const record: Check = async ({ db }) => {
  const last = await findLastCheck(db)
  const isBroken = last?.broken_seq != null
  const isOld = last !== undefined && Date.now() - last.started_at.getTime() > recordAge
  return checked('record', {
    facts: { verifiedAt: last?.finished_at, entries: last && Number(last.checked) },
    problems: { record_never: !last, record_broken: isBroken, record_old: !isBroken && isOld },
  })
}

const keys: Check = async ({ db, config }) => {
  const signing = await findKeyInUse(db)
  const file = config.encryptionKey
    ? undefined
    : statSync(join(config.dataDir, 'keys', 'master.key'), { throwIfNoEntry: false })
  return checked('keys', {
    facts: {
      masterKey: config.encryptionKey ? 'environment' : 'file',
      masterKeySince: file?.mtime,
      signingKey: signing?.id,
      signingKeySince: signing?.created_at,
    },
    problems: {
      key_rotation: config.nextEncryptionKey !== undefined,
      // Others of the machine could read it.
      key_readable: file !== undefined && (file.mode & 0o077) !== 0,
    },
  })
}

const versions: Check = async ({ db }) => {
  const { version, migrations, lastMigration } = await readServer(db)
  const [alive, contentLeftOut] = [await listAlive(db), await countLeftOut(db)]
  return checked('versions', {
    facts: {
      program: instance.version,
      node: instance.node,
      postgres: version,
      migrations,
      lastMigration,
      runningSince: instance.startedAt,
      instances: Math.max(1, alive.length),
      contentLeftOut,
    },
    problems: {
      versions_differ: alive.some((each) => each.version !== instance.version),
      content_left_out: contentLeftOut > 0,
    },
  })
}

/** What is unusual for an installation that people use; a developer's own machine may have it so. */
const settings: Check = async (services) => {
  const { config, db, lifecycle } = services
  const isReal = config.isProduction
  const administrators = await countAdmins(db, config)
  return checked('settings', {
    facts: { administrators, logLevel: config.logLevel },
    problems: {
      demo_on: isReal && config.isDemo,
      http_only: !config.isLocal && config.publicUrl.protocol !== 'https:',
      proxy_unnamed:
        lifecycle.hasSeenUnnamedProxy === true ||
        (config.publicUrl.protocol === 'https:' && config.trustProxy === false),
      factor_optional: isReal && !config.isStaffSecondFactorRequired,
      one_administrator: administrators < 2,
      four_eyes_off: isReal && !config.isFourEyesRequired,
      no_screening_list: isReal && config.screeningList === undefined,
      screening_list_unreadable: (await readListHash(services)) === undefined,
      log_silent: isReal && ['silent', 'fatal'].includes(config.logLevel),
    },
  })
}

export const checks: Readonly<Record<HealthCheckName, Check>> = {
  database,
  mail,
  storage,
  queues,
  jobs,
  record,
  keys,
  versions,
  settings,
}
