import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { eventStreamType } from '#contract/platform/event-stream.ts'
import { poolUseOf, type Database } from '../../platform/db/database.ts'
import { hasBearer } from '../../platform/http/request-facts.ts'
import { instance } from '../../platform/jobs/instance.ts'
import { jobRuns } from '../../platform/jobs/record-run.ts'
import { workOutcomes } from '../../platform/proof-of-work/require-work.ts'
import type { Services } from '../../platform/services.ts'
import { deliveryOutcomes } from '../../integrations/webhooks/sending/webhook-worker.ts'
import { readMeasures, type Measures } from './read-measures.ts'
import { makeStoreReader, type StoreMeasures } from './read-store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Adds a metric of this process that only its starter knows. */
    measure?: (name: string, help: string, read: () => number) => void
  }
}

/** An answer that bypassed the hooks. */
type Observed = { method: string; route: string; status: number; seconds: number }

/** Histogram buckets in seconds. Quantiles are exact only at these values; one is the threshold of an alert. */
const second = [0.005, 0.02, 0.1, 0.5, 1, 2, 5]
/** Totals from a library under names of counters. */
const misnamed = ['handles', 'requests', 'resources'].map((each) => `nodejs_active_${each}_total`)

/**
 * Prometheus metrics, protected by the token. Labels are routes, codes, and names from our own lists, so that
 * clients can't add any. Database metrics are the same on every instance. Prometheus reserves the labels `job`
 * and `instance`.
 */
export function mountMetrics(
  app: FastifyInstance,
  services: Pick<Services, 'db' | 'replica' | 'config' | 'files' | 'log' | 'maintenance'>,
  token: string,
  { signIns }: { signIns: ReadonlySet<string> },
): void {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge<Label>({ name, help, labelNames, registers })

  countRequests(app, registers, signIns)
  const ends = countWork(services.db, registers)
  app.addHook('onClose', async () => ends.forEach((end) => end()))
  gauge('program_info', 'Release and Node.js version of this instance', ['version', 'node']).set(
    { version: instance.version, node: instance.node },
    1,
  )
  const maintenance: Gauge = new Gauge({
    name: 'maintenance_on',
    help: 'Whether maintenance is on, as this instance knows (1 or 0)',
    registers,
    collect: () => maintenance.set(services.maintenance.current() ? 1 : 0),
  })
  if (services.replica.state()) measureReplica(services.replica, registers)
  const setPool = gaugesOfPool(gauge)
  const setMeasures = gaugesOfMeasures(gauge)
  const setStore = gaugesOfStore(gauge)
  const readStore = makeStoreReader(services)
  app.decorate('measure', (name: string, help: string, read: () => number) => {
    const figure: Gauge = new Gauge({ name, help, registers, collect: () => figure.set(read()) })
  })
  app.get('/metrics', async (request, reply) => {
    if (!hasBearer(request.headers.authorization, token)) return reply.code(401).send()
    setPool(poolUseOf(services.db))
    const [measures, store] = await Promise.all([readMeasures(services), readStore()])
    setMeasures(measures)
    setStore(store)
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

function countRequests(app: FastifyInstance, registers: Registry[], signIns: ReadonlySet<string>): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: second,
    registers,
  })
  const refusals = new Counter({
    name: 'refusals_total',
    help: 'Rejected requests by error code',
    labelNames: ['code'],
    registers,
  })
  const signInFailures = new Counter({
    name: 'sign_in_failures_total',
    help: 'Failed sign-ins by error code',
    labelNames: ['code'],
    registers,
  })
  const keptAnswers = new Counter({
    name: 'kept_answers_sent_total',
    help: 'Responses served from memory without reaching the framework',
    registers,
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    // How long an event stream stays open depends on its client and says nothing about the server.
    if (!String(reply.getHeader('content-type')).startsWith(eventStreamType))
      durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (!reply.refusal) return
    refusals.inc({ code: reply.refusal })
    if (signIns.has(route)) signInFailures.inc({ code: reply.refusal })
  })
  app.decorate('observeResponse', ({ seconds, ...labels }: Observed) => {
    durations.observe(labels, seconds)
    keptAnswers.inc()
  })
}

/** Counts proofs of work, job runs, and webhook attempts of this instance. Returns what stops each of these. */
function countWork(of: Database, registers: Registry[]): (() => void)[] {
  const proofsOfWork = new Counter({
    name: 'proofs_of_work_total',
    help: 'Proofs of work by endpoint and outcome: asked, solved, refused',
    labelNames: ['call', 'outcome'],
    registers,
  })
  const jobDurations = new Histogram({
    name: 'job_duration_seconds',
    help: 'Duration of job runs on this instance by outcome',
    labelNames: ['job_name', 'outcome'],
    buckets: [0.01, 0.1, 1, 10, 60],
    registers,
  })
  const webhookAttempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Webhook delivery attempts by this instance, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  return [
    jobRuns.subscribe(({ db, job, ms, failure }) => {
      if (db === of)
        jobDurations.observe({ job_name: job, outcome: failure === null ? 'done' : 'failed' }, ms / 1000)
    }),
    workOutcomes.subscribe(({ db, call, outcome }) => {
      if (db === of) proofsOfWork.inc({ call, outcome })
    }),
    deliveryOutcomes.subscribe(({ db, outcome }) => {
      if (db === of) webhookAttempts.inc({ outcome })
    }),
  ]
}

type MakeGauge = <Label extends string = never>(name: string, help: string, labels?: Label[]) => Gauge<Label>

/** The file store as seen by this instance. */
function gaugesOfStore(gauge: MakeGauge): (store: StoreMeasures | undefined) => void {
  const up = gauge(
    'file_store_up',
    'Whether a test file could be written to and read from the file storage (1 or 0)',
  )
  const free = gauge('data_disk_free_bytes', 'Free space on the disk of the data directory')
  const size = gauge('data_disk_size_bytes', 'Size of the disk of the data directory')
  return (store) => {
    // A gauge without a value would be 0 and raise an alert, so unknown values are removed.
    for (const each of [up, free, size]) each.remove()
    if (!store) return
    up.set(store.isUp ? 1 : 0)
    if (!store.disk) return
    free.set(store.disk.free)
    size.set(store.disk.size)
  }
}

function measureReplica(replica: Services['replica'], registers: Registry[]): void {
  const servers: Gauge<'server'> = new Gauge({
    name: 'database_reads',
    help: 'Reads of this instance that a replica may serve, by the server that served them',
    labelNames: ['server'],
    registers,
    collect: () => {
      const { replica: fromReplica = 0, primary = 0 } = replica.state() ?? {}
      servers.set({ server: 'replica' }, fromReplica)
      servers.set({ server: 'primary' }, primary)
    },
  })
  const leftOut: Gauge = new Gauge({
    name: 'database_replica_left_out',
    help: 'Whether the replica is left out, because it is behind or can’t be reached (1 or 0)',
    registers,
    collect: () => leftOut.set(replica.state()?.isLeftOut ? 1 : 0),
  })
}

function gaugesOfPool(gauge: MakeGauge): (use: ReturnType<typeof poolUseOf>) => void {
  const pool = gauge('database_pool_connections', 'Database connections of this instance', ['state'])
  const max = gauge(
    'database_pool_connections_max',
    'Maximum number of database connections of this instance',
  )
  const waiting = gauge(
    'database_pool_waiting',
    'Requests of this instance waiting for a database connection',
  )
  return (use) => {
    if (!use) return
    pool.set({ state: 'idle' }, use.idle)
    pool.set({ state: 'busy' }, use.open - use.idle)
    max.set(use.max)
    waiting.set(use.waiting)
  }
}

/** Database metrics; while it does not answer, only that. */
function gaugesOfMeasures(gauge: MakeGauge): (measures: Measures | undefined) => void {
  const up = gauge('database_up', 'Whether the database responded to this scrape (1 or 0)')
  const fromDatabase: Gauge[] = []
  const make: MakeGauge = (...about) => {
    const made = gauge(...about)
    fromDatabase.push(made)
    return made
  }
  const setters = [
    gaugesOfServer(make),
    gaugesOfOutboxes(make),
    gaugesOfJobs(make),
    gaugesOfInstallation(make),
    gaugesOfChains(make),
  ]
  return (measures) => {
    // Outdated values must not stay.
    for (const each of fromDatabase) each.reset()
    up.set(measures ? 1 : 0)
    if (measures) for (const set of setters) set(measures)
  }
}

type SetGauges = (measures: Measures) => void

function gaugesOfServer(gauge: MakeGauge): SetGauges {
  const connections = gauge('database_connections', 'Connections to the database server from all programs')
  const connectionsMax = gauge(
    'database_connections_max',
    'Maximum number of connections to the database server',
  )
  const size = gauge('database_size_bytes', 'Size of the database')
  const standbys = gauge('database_standbys', 'Connected standby servers')
  const lag = gauge('database_standby_lag_seconds', 'Lag of the slowest standby server')
  return ({ server }) => {
    connections.set(server.used)
    connectionsMax.set(server.max)
    size.set(Number(server.bytes))
    standbys.set(server.standbys)
    lag.set(server.lagSeconds ?? 0)
  }
}

function gaugesOfOutboxes(gauge: MakeGauge): SetGauges {
  const mails = gauge('mails', 'Emails queued, or failed within a week', ['state'])
  const oldestMail = gauge('mail_oldest_waiting_seconds', 'Age of the oldest queued email')
  const paused = gauge('mail_paused', 'Whether the delivery of emails is paused (1 or 0)')
  const events = gauge('webhooks', 'Webhook events queued, or failed within a week', ['state'])
  const endpoints = gauge('webhook_endpoints', 'Webhook endpoints by status', ['state'])
  return ({ outbox, webhooks, isMailPaused }) => {
    paused.set(isMailPaused ? 1 : 0)
    mails.set({ state: 'waiting' }, outbox.waiting)
    mails.set({ state: 'failed' }, outbox.failed)
    oldestMail.set(outbox.oldest ? (Date.now() - outbox.oldest.getTime()) / 1000 : 0)
    events.set({ state: 'waiting' }, webhooks.waiting)
    events.set({ state: 'failed' }, webhooks.failed)
    endpoints.set({ state: 'disabled' }, webhooks.disabled)
    endpoints.set({ state: 'failing' }, webhooks.failing)
  }
}

function gaugesOfJobs(gauge: MakeGauge): SetGauges {
  const queue = gauge('queue_items', 'Items waiting to be processed, by queue', ['queue'])
  const success = gauge(
    'job_last_success_timestamp_seconds',
    'Time of the last successful run of a job on any instance',
    ['job_name'],
  )
  const last = gauge('job_last_duration_seconds', 'Duration of the last run of a job on any instance', [
    'job_name',
  ])
  const failed = gauge('job_failed', 'Whether the last run of a job on any instance failed (1 or 0)', [
    'job_name',
  ])
  return ({ queues, jobs }) => {
    for (const [name, count] of Object.entries(queues)) queue.set({ queue: snakeCase(name) }, count)
    for (const { name, ms, doneAt, state } of jobs) {
      if (doneAt) success.set({ job_name: name }, Date.parse(doneAt) / 1000)
      last.set({ job_name: name }, ms / 1000)
      failed.set({ job_name: name }, state === 'failed' ? 1 : 0)
    }
  }
}

function gaugesOfInstallation(gauge: MakeGauge): SetGauges {
  const instances = gauge('program_instances', 'Running instances that share the database')
  const backup = gauge('backup_last_timestamp_seconds', 'Time of the last backup')
  const missing = gauge('backup_missing', 'Whether no backup succeeded for longer than expected (1 or 0)')
  return (measures) => {
    instances.set(measures.instances)
    if (measures.lastBackup) backup.set(measures.lastBackup.getTime() / 1000)
    missing.set(measures.isBackupMissing ? 1 : 0)
  }
}

function gaugesOfChains(gauge: MakeGauge): SetGauges {
  const up = gauge('chain_reached', 'Whether the last scan of a chain succeeded (1 or 0)', ['coin'])
  const lastLook = gauge('chain_last_look_timestamp_seconds', 'Time of the last scan of a chain', ['coin'])
  const lagging = gauge('chain_lag_blocks', 'Blocks of a node that haven’t been scanned yet', ['coin'])
  return ({ chains }) => {
    for (const { coin, reached, lastLookedAt, lag } of chains) {
      up.set({ coin }, reached ? 1 : 0)
      if (lastLookedAt) lastLook.set({ coin }, Date.parse(lastLookedAt) / 1000)
      if (lag !== null) lagging.set({ coin }, lag)
    }
  }
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
