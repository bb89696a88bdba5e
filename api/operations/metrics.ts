import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { poolUseOf } from '../db/database.ts'
import { hasBearer } from '../http/bearer.ts'
import { instance } from '../jobs/instance.ts'
import { jobRuns } from '../jobs/note-run.ts'
import { workOutcomes } from '../proof-of-work/work-outcomes.ts'
import type { Services } from '../services.ts'
import { deliveryOutcomes } from '../webhooks/sending/delivery-outcomes.ts'
import { readMeasures, type Measures } from './read-measures.ts'
import { makeStoreReader, type StoreMeasures } from './read-store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Adds a figure of this process that only who started it knows. */
    measure?: (name: string, help: string, read: () => number) => void
  }
}

/** An answer that no hook saw. */
type Observed = { method: string; route: string; status: number; seconds: number }

/** A quantile is exact at these only: one is that of which an alert is made. */
const second = [0.005, 0.02, 0.1, 0.5, 1, 2, 5]
/** Sums of others, whose names are those of counters. */
const misnamed = ['handles', 'requests', 'resources'].map((each) => `nodejs_active_${each}_total`)

/**
 * Prometheus metrics, protected by the token. Labels are routes, codes and names from lists of ours, so that nobody makes them grow.
 * What the database knows is the same whichever instance is asked. Prometheus keeps the labels `job` and `instance` for itself.
 */
export function mountMetrics(
  app: FastifyInstance,
  services: Pick<Services, 'db' | 'config' | 'files' | 'log'>,
  token: string,
  { signIns }: { signIns: ReadonlySet<string> },
): void {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge<Label>({ name, help, labelNames, registers })

  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: second,
    registers,
  })
  const refusals = new Counter({
    name: 'refusals_total',
    help: 'Calls that were refused, by the code of the refusal',
    labelNames: ['code'],
    registers,
  })
  const signInFailures = new Counter({
    name: 'sign_in_failures_total',
    help: 'Sign-ins that were refused, by the code of the refusal',
    labelNames: ['code'],
    registers,
  })
  const proofsOfWork = new Counter({
    name: 'proofs_of_work_total',
    help: 'Proofs of work by call and outcome: asked, solved, refused',
    labelNames: ['call', 'outcome'],
    registers,
  })
  const jobDurations = new Histogram({
    name: 'job_duration_seconds',
    help: 'Time that a run of a job of this instance took, by its outcome',
    labelNames: ['job_name', 'outcome'],
    buckets: [0.01, 0.1, 1, 10, 60],
    registers,
  })
  const webhookAttempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts of this instance to deliver a webhook, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  const keptAnswers = new Counter({
    name: 'kept_answers_sent_total',
    help: 'Answers that were sent from memory before the framework saw the request',
    registers,
  })
  gauge('program_info', 'The release and the Node.js of this instance', ['version', 'node']).set(
    { version: instance.version, node: instance.node },
    1,
  )
  const pool = gauge('database_pool_connections', 'Connections of this instance', ['state'])
  const poolMax = gauge('database_pool_connections_max', 'How many connections this instance may open')
  const waiting = gauge('database_pool_waiting', 'Requests of this instance that wait for a connection')
  const set = gaugesOfMeasures(gauge)
  const setStore = gaugesOfStore(gauge)
  const readStore = makeStoreReader(services)

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (!reply.refusal) return
    refusals.inc({ code: reply.refusal })
    if (signIns.has(route)) signInFailures.inc({ code: reply.refusal })
  })
  const end = jobRuns.subscribe(({ db, job, ms, failure }) => {
    if (db === services.db)
      jobDurations.observe({ job_name: job, outcome: failure === null ? 'done' : 'failed' }, ms / 1000)
  })
  const endWork = workOutcomes.subscribe(({ db, call, outcome }) => {
    if (db === services.db) proofsOfWork.inc({ call, outcome })
  })
  const endWebhooks = deliveryOutcomes.subscribe(({ db, outcome }) => {
    if (db === services.db) webhookAttempts.inc({ outcome })
  })
  app.addHook('onClose', async () => {
    end()
    endWork()
    endWebhooks()
  })
  app.decorate('observeAnswer', ({ seconds, ...labels }: Observed) => {
    durations.observe(labels, seconds)
    keptAnswers.inc()
  })
  app.decorate('measure', (name: string, help: string, read: () => number) => {
    const figure: Gauge = new Gauge({ name, help, registers, collect: () => figure.set(read()) })
  })
  app.get('/metrics', async (request, reply) => {
    if (!hasBearer(request.headers.authorization, token)) return reply.code(401).send()
    const use = poolUseOf(services.db)
    if (use) {
      pool.set({ state: 'idle' }, use.idle)
      pool.set({ state: 'busy' }, use.open - use.idle)
      poolMax.set(use.max)
      waiting.set(use.waiting)
    }
    const [measures, store] = await Promise.all([readMeasures(services), readStore()])
    set(measures)
    setStore(store)
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

type MakeGauge = <Label extends string = never>(name: string, help: string, labels?: Label[]) => Gauge<Label>

/** The file store, as this instance sees it. */
function gaugesOfStore(gauge: MakeGauge): (store: StoreMeasures | undefined) => void {
  const up = gauge('file_store_up', 'Whether the file store took and gave back a probe file: 1, or 0')
  const free = gauge('data_disk_free_bytes', 'Free space on the disk of the data directory')
  const size = gauge('data_disk_size_bytes', 'Size of the disk of the data directory')
  return (store) => {
    // A gauge without a value is 0, which would be an alert: what is not known is not there.
    for (const each of [up, free, size]) each.remove()
    if (!store) return
    up.set(store.isUp ? 1 : 0)
    if (!store.disk) return
    free.set(store.disk.free)
    size.set(store.disk.size)
  }
}

/** What the database tells; while it does not, only that. */
function gaugesOfMeasures(gauge: MakeGauge): (measures: Measures | undefined) => void {
  const up = gauge('database_up', 'Whether the database answered for these figures: 1, or 0')
  const connections = gauge('database_connections', 'Connections of all programs at the database server')
  const connectionsMax = gauge('database_connections_max', 'How many connections the database server takes')
  const size = gauge('database_size_bytes', 'Size of the database')
  const standbys = gauge('database_standbys', 'Standby servers that are connected')
  const lag = gauge('database_standby_lag_seconds', 'How far the slowest standby server is behind')
  const mails = gauge('mails', 'Mails in the outbox that wait, or failed within a week', ['state'])
  const oldestMail = gauge('mail_oldest_waiting_seconds', 'Since when the oldest mail waits')
  const webhooks = gauge('webhooks', 'Webhooks that wait, or failed within a week', ['state'])
  const webhookEndpoints = gauge('webhook_endpoints', 'Endpoints of webhooks, by state', ['state'])
  const queue = gauge('queue_items', 'What waits to be done, by the program or by people', ['queue'])
  const jobSuccess = gauge(
    'job_last_success_timestamp_seconds',
    'When a job last went well in any instance',
    ['job_name'],
  )
  const jobLast = gauge('job_last_duration_seconds', 'Time that the last run in any instance took', [
    'job_name',
  ])
  const jobFailed = gauge('job_failed', 'Whether the last run in any instance failed: 1, or 0', ['job_name'])
  const instances = gauge('program_instances', 'Instances that share the database and live')
  const backup = gauge('backup_last_timestamp_seconds', 'When the last backup was done')
  const chainUp = gauge('chain_reached', 'Whether the last look at a chain succeeded: 1, or 0', ['coin'])
  const chainLook = gauge('chain_last_look_timestamp_seconds', 'When a chain was last looked at', ['coin'])
  const chainLag = gauge('chain_lag_blocks', 'Blocks that a node has and that were not looked at', ['coin'])
  const fromDatabase = [
    chainUp,
    chainLook,
    chainLag,
    connections,
    connectionsMax,
    size,
    standbys,
    lag,
    mails,
    oldestMail,
    webhooks,
    webhookEndpoints,
    queue,
    jobSuccess,
    jobLast,
    jobFailed,
    instances,
    backup,
  ]

  return (measures) => {
    // What is no longer known must not stand as if it were.
    for (const each of fromDatabase) each.reset()
    up.set(measures ? 1 : 0)
    if (!measures) return
    const { server, outbox, queues, jobs } = measures
    connections.set(server.used)
    connectionsMax.set(server.max)
    size.set(Number(server.bytes))
    standbys.set(server.standbys)
    lag.set(server.lagSeconds ?? 0)
    mails.set({ state: 'waiting' }, outbox.waiting)
    mails.set({ state: 'failed' }, outbox.failed)
    oldestMail.set(outbox.oldest ? (Date.now() - outbox.oldest.getTime()) / 1000 : 0)
    webhooks.set({ state: 'waiting' }, measures.webhooks.waiting)
    webhooks.set({ state: 'failed' }, measures.webhooks.failed)
    webhookEndpoints.set({ state: 'disabled' }, measures.webhooks.disabled)
    webhookEndpoints.set({ state: 'failing' }, measures.webhooks.failing)
    for (const [name, count] of Object.entries(queues)) queue.set({ queue: snakeCase(name) }, count)
    for (const { name, ms, doneAt, state } of jobs) {
      if (doneAt) jobSuccess.set({ job_name: name }, Date.parse(doneAt) / 1000)
      jobLast.set({ job_name: name }, ms / 1000)
      jobFailed.set({ job_name: name }, state === 'failed' ? 1 : 0)
    }
    instances.set(measures.instances)
    for (const { coin, reached, lastLookedAt, lag } of measures.chains) {
      chainUp.set({ coin }, reached ? 1 : 0)
      if (lastLookedAt) chainLook.set({ coin }, Date.parse(lastLookedAt) / 1000)
      if (lag !== null) chainLag.set({ coin }, lag)
    }
    if (measures.lastBackup) backup.set(measures.lastBackup.getTime() / 1000)
  }
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
