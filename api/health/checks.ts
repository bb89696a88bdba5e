import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { HealthProblem, InsideCheckName } from '#contract/console/console-health.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import type { FourEyesArea, FourEyesState } from '#contract/people/four-eyes.ts'
import type { Config } from '../platform/config/config.ts'
import type { Tx } from '../platform/db/database.ts'
import { readFourEyes } from '../people/four-eyes/record-changes.ts'
import { findLastBackup, listBackupRuns } from '../platform/backup/backup-run.queries.ts'
import { isBackupMissing, nextBackupAt } from '../platform/backup/backup-schedule.ts'
import { readMonitors } from '../money/chain-payments/list-watchers.ts'
import { countLeftOut } from '../publishing/content/editing/content-item.queries.ts'
import { findSample } from '../publishing/content/sample/find-sample.ts'
import { readListHash } from '../people/kyc/screening/screen.ts'
import { mailProviders } from '../platform/config/read-mail-events.ts'
import { instance } from '../platform/jobs/instance.ts'
import { countAdmins } from '../people/members/is-last-admin.ts'
import { listAlive } from '../platform/jobs/job.queries.ts'
import { findLastCheck } from '../console/record/verification.queries.ts'
import { countStaff } from '../people/members/member.queries.ts'
import { listSources } from '../integrations/mail-events/mail-event.queries.ts'
import { deliveryPatience, readWebhookStanding } from '../integrations/webhooks/webhook.queries.ts'
import { findMaintenance } from '../platform/maintenance/maintenance.queries.ts'
import { isTooWide } from '../platform/http/trusted-networks.ts'
import { findMailPause } from '../platform/mail/pause/mail-pause.queries.ts'
import { canOpen } from '../platform/master-key/re-encrypt.ts'
import { countSubscribers } from '../publishing/newsletter/subscriber.queries.ts'
import { checked, type Check } from './check.ts'
import { checkStorage } from './check-storage.ts'
import { findDifferences, type SettingHashes } from './hash-settings.ts'
import {
  findKeyInUse,
  hasFutureRecords,
  readClock,
  readOutbox,
  readQueues,
  readServer,
  readStanding,
} from './health.queries.ts'
import { readJobs } from './read-jobs.ts'

/** Tolerated delay in milliseconds. */
const patience = 10 * MINUTE
const recordAge = 30 * DAY
/** Blocks that may arrive between two polls. */
const lagMax = 20

const pauseMax = HOUR

const mail: Check = async ({ db, config }) => {
  const { waiting, oldest, failed, lastError } = await readOutbox(db)
  const pausedAt = await findMailPause(db)
  const isSent = config.smtpUrl !== undefined
  const mailEvents = await readLastEvents(db, config)
  const isPast = (since: Date, age: number) => Date.now() - since.getTime() > age
  return checked('mail', {
    facts: {
      delivery: isSent ? 'smtp' : 'inbox',
      deliveryPausedAt: pausedAt,
      waiting,
      oldest,
      failed,
      lastError,
      mailEvents,
    },
    problems: {
      mail_unset: !isSent && config.isProduction,
      mail_paused: pausedAt !== undefined && isPast(pausedAt, pauseMax),
      mail_waiting: isSent && !pausedAt && oldest !== null && isPast(oldest, patience),
      mail_failed: failed > 0,
    },
  })
}

/** When each configured email provider last reported something. */
async function readLastEvents(db: Tx, { mailEvents }: Config): Promise<string | undefined> {
  const used = mailProviders.filter((provider) => mailEvents[provider] !== undefined)
  if (used.length === 0) return undefined
  const sources = new Map((await listSources(db)).map((source) => [source.provider, source.received_at]))
  const minuteOf = (time: Date | undefined) => (time ? `${time.toISOString().slice(0, 16)}Z` : '–')
  return used.map((provider) => `${provider} ${minuteOf(sources.get(provider))}`).join(', ')
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

const chains: Check = async ({ db, config }) => {
  const watchers = await readMonitors(db, config)
  const told = watchers.map(({ coin, height, lag }) => `${coin} ${height ?? '–'} (${lag ?? '–'})`)
  const isTest = ({ kind, network }: (typeof watchers)[number]) =>
    network !== (kind === 'bitcoin' ? 'main' : '1')
  const isBehind = ({ lag, error }: (typeof watchers)[number]) =>
    (lag ?? 0) > lagMax || error === 'not_synced' || error === 'behind' || error === 'stalled'
  return checked('chains', {
    facts: { chains: told.join(', ') || undefined },
    problems: {
      chain_network: watchers.some(({ error }) => error === 'wrong_network'),
      chain_unreachable: watchers.some(
        ({ error, isStale }) =>
          isStale && error !== 'wrong_network' && error !== 'not_synced' && error !== 'stalled',
      ),
      chain_behind: watchers.some(isBehind),
      chain_test_network: config.isProduction && watchers.some(isTest),
    },
  })
}

const webhooks: Check = async ({ db }) => {
  const { endpoints, disabled, failing, paused, waiting, oldest, failed } = await readWebhookStanding(db)
  const isLate = oldest !== null && Date.now() - oldest.getTime() > deliveryPatience
  return checked('webhooks', {
    facts: { endpoints, waiting, oldest, failed },
    problems: {
      webhooks_disabled: disabled > 0,
      webhooks_failing: failing > 0,
      webhooks_waiting: failing === 0 && isLate,
      webhooks_paused: paused > 0,
    },
  })
}

const jobs: Check = async ({ db }) => {
  const [all, maintenance] = [await readJobs(db), await findMaintenance(db)]
  const cleaned = all.map(({ doneAt }) => doneAt).filter((at) => at !== null)
  return checked('jobs', {
    facts: {
      lastClean: cleaned.toSorted().at(-1) ?? null,
      failed: all.filter(({ state }) => state === 'failed').length,
    },
    problems: {
      jobs_failed: all.some(({ state }) => state === 'failed'),
      // They pause on purpose.
      jobs_late: !maintenance && all.some(({ state }) => state === 'late'),
      maintenance_on: maintenance !== undefined,
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

/** For a production installation or one with a schedule; a developer's machine has nothing to lose. */
const backup: Check = async ({ db, config }) => {
  const { backupSchedule: schedule, isProduction } = config
  const last = await findLastBackup(db)
  const { doneAt, bytes, hasFailedSince } = last
  const { runs, now } = await listBackupRuns(db)
  const isExpected = isProduction || schedule !== undefined
  return checked('backup', {
    facts: {
      lastBackup: doneAt,
      backupSize: bytes,
      nextBackup: schedule && nextBackupAt(runs, now, schedule),
    },
    problems: {
      // Scheduled attempts that failed are a problem of their own.
      backup_never: isExpected && !doneAt && !(schedule && hasFailedSince),
      backup_old: isExpected && doneAt !== undefined && isBackupMissing(last, now, schedule),
      backup_failed: hasFailedSince,
    },
    isUnchecked: !doneAt,
  })
}

const clockPatience = 5 * SECOND
/** In milliseconds. The clocks of several machines may differ by less. */
const clockBehind = 5 * MINUTE

/** Sessions, codes, and deadlines use both clocks. */
const clock: Check = async ({ db }) => {
  const asked = Date.now()
  const theirs = (await readClock(db)).getTime()
  // The answer was given at some time in between, so the transfer time is not a difference.
  const apart = Math.max(asked - theirs, theirs - Date.now(), 0)
  return checked('clock', {
    facts: { clockApart: apart },
    problems: { clock_apart: apart > clockPatience, clock_behind: await hasFutureRecords(db, clockBehind) },
  })
}

const staff: Check = async ({ db, config }) => {
  const { all, withoutFactor } = await countStaff(db)
  return checked('staff', {
    facts: { staff: all, staffWithoutFactor: withoutFactor },
    problems: { staff_without_factor: config.isProduction && withoutFactor > 0 },
  })
}

const versions: Check = async ({ db, ownSettings }) => {
  const { version, migrations, lastMigration } = await readServer(db)
  const [alive, contentLeftOut] = [await listAlive(db), await countLeftOut(db)]
  const differing = findDifferences([
    ...alive.map(({ settings }) => settings as SettingHashes),
    ...(ownSettings ? [ownSettings] : []),
  ])
  return checked('versions', {
    facts: {
      settingsDiffering: differing.join(', ') || undefined,
      program: instance.version,
      node: instance.node,
      postgres: version,
      migrations,
      lastMigration,
      runningSince:
        (alive.find(({ id }) => id === instance.id) ?? alive[0])?.started_at ?? instance.startedAt,
      instances: Math.max(1, alive.length),
      contentLeftOut,
    },
    problems: {
      settings_differ: differing.length > 0,
      versions_differ: alive.some((each) => each.version !== instance.version),
      content_left_out: contentLeftOut > 0,
    },
  })
}

/** Settings that are unusual in production; a developer's machine may have them. */
const settings: Check = async (services) => {
  const { config, db, lifecycle } = services
  const isReal = config.isProduction
  const administrators = await countAdmins(db, config)
  return checked('settings', {
    facts: { administrators, logLevel: config.logLevel },
    problems: {
      demo_on: isReal && config.isDemo,
      http_only: (isReal || !config.isLocal) && config.publicUrl.protocol !== 'https:',
      proxy_unnamed:
        lifecycle.hasSeenUnnamedProxy === true ||
        (config.publicUrl.protocol === 'https:' && config.trustProxy === false),
      proxy_too_wide: isTooWide(config.trustProxy),
      factor_optional: isReal && !config.isStaffSecondFactorRequired,
      one_administrator: administrators < 2,
      proof_of_work_off: isReal && !config.asksProofOfWork,
      ...(isReal && (await findFourEyesProblems(db, config))),
      no_screening_list: isReal && config.screeningList === undefined,
      screening_list_unreadable: (await readListHash(services)) === undefined,
      log_silent: isReal && ['silent', 'fatal'].includes(config.logLevel),
    },
  })
}

/** Decisions that one person can make alone, because of a setting or because nobody else can approve. */
async function findFourEyesProblems(db: Tx, config: Config) {
  const off = (await readFourEyes(db, config)).filter(({ isOn }) => !isOn)
  return Object.fromEntries(off.map(({ area, cause }) => [problemOf(area, cause), true]))
}

function problemOf(area: FourEyesArea, cause: FourEyesState['cause']): HealthProblem {
  const problem = cause === 'setting' ? 'four_eyes_off' : 'four_eyes_alone'
  // The identity check has older names.
  return area === 'identity' ? problem : `${problem}_${area}`
}

const placesMax = 5

/** Checks the content of a production installation; a demo may show the sample. */
const checkContent: Check = async ({ config, content, db }) => {
  const places = findSample({
    ...content,
    brand: content.brand(),
    media: content.documents().map(({ file, sha256 }) => ({ place: `media/pdfs/${file}`, sha256 })),
  })
  const isReal = config.isProduction && !config.isDemo
  const { address } = content.brand()
  const isMailed = config.smtpUrl !== undefined && (await countSubscribers(db)).length > 0
  return checked('content', {
    facts: {
      sampleCount: places.length,
      samplePlaces: places.slice(0, placesMax).join(', ') || undefined,
    },
    problems: {
      content_sample: isReal && places.length > 0,
      postal_address_missing:
        isReal && isMailed && Object.values(address).some((lines) => lines.length === 0),
    },
  })
}

const checkKeys: Check = async ({ db, keys, config }) => {
  const signing = await findKeyInUse(db)
  const folder = join(config.dataDir, 'keys')
  const [file, around] = config.encryptionKey
    ? []
    : [join(folder, 'master.key'), folder].map((path) => statSync(path, { throwIfNoEntry: false }))
  return checked('keys', {
    facts: {
      masterKey: config.encryptionKey ? 'environment' : 'file',
      masterKeySince: file?.mtime,
      signingKey: signing?.id,
      signingKeySince: signing?.created_at,
    },
    problems: {
      key_mismatch: !(await canOpen(db, keys)),
      key_rotation: config.nextEncryptionKey !== undefined,
      // Other accounts of the machine could read it.
      key_readable: file !== undefined && around !== undefined && (file.mode & 0o077) !== 0,
    },
  })
}

/** End of support of each PostgreSQL release (https://www.postgresql.org/support/versioning/). */
const mendedUntil: Readonly<Record<number, string>> = {
  13: '2025-11-13',
  14: '2026-11-12',
  15: '2027-11-11',
  16: '2028-11-09',
  17: '2029-11-08',
  18: '2030-11-14',
}

/** In addition to its pool, an instance uses a connection for notifications, and one for locks of jobs. */
const besides = 2
const replicaLagMax = 60

/** A pooler shares few connections among many, so the sum is meaningless. */
const isPooled = ({ databaseUrl, databaseDirectUrl, preparesStatements }: Config): boolean =>
  !preparesStatements || (databaseDirectUrl !== undefined && databaseDirectUrl !== databaseUrl)

const checkDatabase: Check = async ({ db, config }) => {
  const begun = performance.now()
  const { version, bytes, used, max, standbys, lagSeconds } = await readServer(db)
  const answerTime = Math.round(performance.now() - begun)
  const standing = await readStanding(db)
  const instances = Math.max(1, (await listAlive(db)).length)
  const pool = config.poolLimits.connections
  const isGiven = config.databaseUrl !== undefined
  const isReal = config.isProduction
  const end = mendedUntil[standing.major]
  return checked('database', {
    facts: {
      version,
      size: bytes,
      answerTime,
      connections: `${used} / ${max}`,
      pools: `${instances} × ${pool}`,
      standbys,
      lag: lagSeconds === null ? undefined : Math.round(lagSeconds * 1000),
    },
    problems: {
      database_connections: used > 0.8 * max,
      database_embedded: isReal && !isGiven,
      database_old: end === undefined ? standing.major < 13 : Date.parse(end) < Date.now(),
      database_read_only: standing.isReadOnly,
      // On a developer's machine, data lost in a power failure doesn't matter.
      database_fsync_off: isReal && standing.fsync === 'off',
      database_pages_off: isReal && standing.fullPageWrites === 'off',
      database_commits_early: isReal && standing.synchronousCommit === 'off',
      database_superuser: isReal && isGiven && standing.isSuperuser,
      database_rights: !standing.mayCreate || !standing.ownsTables,
      database_pool: !isPooled(config) && instances * (pool + besides) > max - standing.reserved,
      database_lag: lagSeconds !== null && lagSeconds > replicaLagMax,
    },
  })
}

export const checks: Readonly<Record<InsideCheckName, Check>> = {
  database: checkDatabase,
  mail,
  storage: checkStorage,
  queues,
  chains,
  webhooks,
  jobs,
  record,
  keys: checkKeys,
  backup,
  clock,
  staff,
  versions,
  settings,
  content: checkContent,
}
