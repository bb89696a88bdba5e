import { logOutage } from '#api/platform/log-outage.ts'
import type { FastifyInstance } from 'fastify'
import { SECOND } from '#contract/platform/durations.ts'
import { apiBase, makeHttpServer, mountWholeApi, modules } from '#api/app.ts'
import { readAmbassadorPicture } from '#api/people/ambassadors/profiles/public-handlers.ts'
import { drawText } from '#api/platform/pictures/draw-text.ts'
import { seedOfDrawing } from '#api/publishing/pictures/drawn-picture.ts'
import { readPicture } from '#api/publishing/pictures/store-picture.ts'
import { readConfigAndRemarks, type Config } from '#api/platform/config/config.ts'
import { applyPublished } from '#api/publishing/content/editing/apply-published.ts'
import {
  findPublishedDocument,
  findUploadedPicture,
} from '#api/publishing/content/editing/open-content-file.ts'
import { startCounting } from '#api/publishing/reads/count-reads.ts'
import { previewCall } from '#api/publishing/content/editing/preview.ts'
import { recordFiles } from '#api/publishing/content/editing/record-files.ts'
import { describeError } from '#api/platform/text/describe-error.ts'
import { hasDoubledHeader } from '#api/platform/http/doubled-headers.ts'
import { setSender } from '#api/platform/mail/set-sender.ts'
import { clientOf } from '#api/platform/http/request-facts.ts'
import { storeBuiltFiles, readBuiltFile } from '#api/platform/built-files/built-files.ts'
import { listKeptNames } from '#api/platform/built-files/built-file.queries.ts'
import { requestIdsFor } from '#api/platform/http/request-id.ts'
import { invalidateCache } from '#api/platform/invalidate-cache.ts'
import { listenToChanges, type Changes } from '#api/platform/db/changes.ts'
import { forClient } from '#api/platform/db/fair-connections.ts'
import { onCommitted } from '#api/platform/db/committed-changes.ts'
import { isOutage, openDatabase } from '#api/platform/db/database.ts'
import { makeReplica, withoutReplica } from '#api/platform/db/replica.ts'
import { embeddedInProduction, migrate, openServer } from '#api/platform/db/open-server.ts'
import { workersOf } from '#api/platform/module.ts'
import { pingDatabase } from '#api/health/health.queries.ts'
import { measureInstance } from '#api/platform/operations/measure-instance.ts'
import { say } from '#api/platform/operations/print-message.ts'
import { watchDatabase } from '#api/platform/operations/watch-database.ts'
import { isToBeWatched } from '#api/platform/operations/watch-proxy.ts'
import { openStore } from '#api/platform/files/open-store.ts'
import { requireCommonStore } from '#api/platform/jobs/share-store.ts'
import { housekeeping } from '#api/platform/jobs/housekeeping.ts'
import { makeKeys } from '#api/platform/keys.ts'
import { readOrMakeMasterKey } from '#api/platform/master-key/key-file.ts'
import { withFingerprintKey } from './api/platform/master-key/fingerprint-key.ts'
import { makeKnownMaintenance } from '#api/platform/maintenance/known-maintenance.ts'
import { maintenanceNotice } from '#api/platform/maintenance/maintenance-notice.ts'
import { requireFittingKey } from '#api/platform/master-key/re-encrypt.ts'
import { seedAppRecord } from '#api/seed.ts'
import { seedDemo } from '#demo/seed-demo.ts'
import type { Services } from '#api/platform/services.ts'
import { repeatErasures } from '#api/repeat-erasures.ts'
import { renewTransactionKeys } from '#api/money/orders/renew-transaction-keys.ts'
import { makePasswordHasher } from '#api/platform/password-hasher.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { FilesHang, requireDataDir } from '#api/start-checks/data-dir.ts'
import { checkDependencies } from '#api/start-checks/check-dependencies.ts'
import { makeSiteContent } from '#api/platform/site-content/site-content.ts'
import { watchContent } from '#api/platform/site-content/content-files.ts'
import { callInProcess } from '#api/platform/http/call-in-process.ts'
import { reminderInProcess } from '#api/money/sale/reminder-in-process.ts'
import { contactInProcess } from '#api/people/conversations/contact-in-process.ts'
import { postInProcess } from '#api/platform/http/post-in-process.ts'
import { checkInProcess } from '#api/publishing/official/check-in-process.ts'
import { greet, isQuiet } from './startup-message.ts'
import { makeLifecycle } from './lifecycle.ts'
import { answerFromCache, serverFactory } from './serve/response-cache/answer-from-cache.ts'
import { makeResponseCache } from './serve/response-cache/response-cache.ts'
import { answerCallsFrom, cachedJson } from './serve/response-cache/cached-calls.ts'
import { filesToKeep } from './serve/built-files.ts'
import { servePages } from './serve/pages.ts'

type Lifecycle = ReturnType<typeof makeLifecycle>
type ResponseCache = ReturnType<typeof makeResponseCache>

const isFromSources = process.argv.includes('--from-sources')

/** Starts the application: settings, database, API, and pages. */
async function start(): Promise<void> {
  const { config: read, remarks } = readConfigAndRemarks(process.env)
  const terminal = { isTTY: process.stdout.isTTY, logLevel: process.env['LOG_LEVEL'] }
  const isOnScreen = isQuiet(read, terminal)
  const config = isOnScreen ? { ...read, logLevel: 'warn' as const } : read
  const app = makeHttpServer(config, { serverFactory })
  for (const remark of remarks) app.log.warn(remark)
  await requireDataDir(config.dataDir)
  // In development, restarts after code changes should not wait for proxies to notice the failing readiness check.
  const stop = makeLifecycle(app, isFromSources ? { drain: 0 } : {})
  const progress = (sentence: string) => isOnScreen && say('started', sentence)
  await stop.while(() => openAll(config, app, stop, progress))
}

/** Opens everything in order. Resources are closed in the reverse order. */
async function openAll(
  config: Config,
  app: FastifyInstance,
  stop: Lifecycle,
  progress: (sentence: string) => void,
): Promise<void> {
  const { opened } = stop
  if (config.tracing) {
    const { startTracing } = await import('#api/platform/traces/start-tracing.ts')
    const traced = startTracing(app, { tracing: config.tracing, trustProxy: config.trustProxy })
    opened(() => traced.close())
  }
  progress('Starting the database…')
  const { server, db, replica } = await openDatabases(config, app, stop)
  const responseCache = makeResponseCache()
  const services = await makeServices(config, app, { db, replica, responseCache, lifecycle: stop.lifecycle })
  await prepareData(services)
  const sampleMembers = await seedDemo(services, () => progress('Creating the demo…'))
  const changes = listenToChanges(server.directUrl)
  opened(() => changes.close())
  const watch = watchDatabase(changes, () => pingDatabase(db))
  opened(() => watch.close())
  invalidateCache(responseCache, services, changes)
  services.maintenance.follow(changes)
  startWorkers(services, changes, stop)
  if (!isFromSources) {
    const keeping = await storeBuiltFiles(services, filesToKeep(import.meta.dirname))
    opened(() => keeping.stop())
  }

  const reads = await startCounting(services)
  if (reads) {
    app.decorate('countRead', reads.count)
    opened(() => reads.stop())
  }
  await mountWholeApi(app, services)
  measureInstance(app, { responseCache, changes })
  setSender(services)
  services.content.onChange(() => setSender(services))
  if (isFromSources) opened(watchContent(services.content.reread, services.log))
  await mountSite(app, services, { responseCache, changes, watch })
  answerEarly(app, services, watch)
  opened(() => stop.closeServer(), 15 * SECOND)
  await app.listen({ host: config.host, port: config.port })
  greet(config, app, sampleMembers)
  void checkDependencies(services)
  void server.exited.then(() =>
    stop.now('The embedded database stopped unexpectedly. Start the application again.'),
  )
}

/** Lets cached responses bypass the framework. */
function answerEarly(
  app: FastifyInstance,
  { config, lifecycle, maintenance }: Services,
  watch: Around['watch'],
): void {
  // At debug level and in development every request is logged, so every request must go through the framework's hooks.
  if (isFromSources || config.logLevel === 'debug') return
  answerFromCache(app, {
    apiBase,
    appId: config.appId,
    requestIdOf: requestIdsFor(config),
    isOrdinary: ({ headers, rawHeaders }) =>
      hasDoubledHeader(rawHeaders) ||
      lifecycle.isStopping ||
      watch.isAway() ||
      // Pages have a notice.
      maintenance.current() !== undefined ||
      isToBeWatched(headers, config, lifecycle),
  })
}

async function openDatabases(config: Config, app: FastifyInstance, stop: Lifecycle) {
  const server = await openServer(config, (event, detail) => app.log.info(detail ?? {}, event))
  stop.opened(() => stop.isToBeginAgain() || server.stop(), 45 * SECOND)
  if (config.isProduction && server.isEmbedded) app.log.warn(embeddedInProduction)
  await migrate(server.directUrl)
  const open = (url: string, part: 'database' | 'replica') => {
    const db = openDatabase(
      url,
      // A connection that is closed because the database is stopping is not an outage.
      (error) => stop.lifecycle.isStopping || logOutage(app.log, part, error as { code?: string }),
      { prepares: config.preparesStatements, limits: config.poolLimits },
    )
    stop.opened(() => db.destroy())
    return db
  }
  const db = open(server.url, 'database')
  const { databaseReplicaUrl: replicaUrl, replicaLagMax: lagMax } = config
  const replica = replicaUrl
    ? makeReplica({ primary: db, replica: open(replicaUrl, 'replica'), lagMax, log: app.log })
    : withoutReplica(db)
  return { server, db, replica }
}

async function makeServices(
  config: Config,
  app: FastifyInstance,
  {
    db,
    replica,
    responseCache,
    lifecycle,
  }: Pick<Services, 'db' | 'replica' | 'lifecycle'> & { responseCache: ResponseCache },
): Promise<Services> {
  const keys = makeKeys(config.encryptionKey ?? readOrMakeMasterKey(config.dataDir))
  await requireFittingKey(db, keys)
  const maintenance = makeKnownMaintenance(db)
  await maintenance.reload()
  return {
    config,
    content: makeSiteContent(),
    db,
    replica,
    files: openStore(config),
    keys: await withFingerprintKey(db, keys),
    passwords: await makePasswordHasher(),
    log: app.log,
    answerForEverybody: answerCallsFrom(responseCache),
    lifecycle,
    maintenance,
  }
}

/** Brings stored data up to date with this release and its settings. */
async function prepareData(services: Services): Promise<void> {
  await requireCommonStore(services)
  await recordFiles(services.db)
  await applyPublished(services)
  await renewTransactionKeys(services.db)
  await repeatErasures(services, modules)
  await seedAppRecord(services)
}

function startWorkers(services: Services, changes: Changes, { opened }: Lifecycle): void {
  for (const start of [...workersOf(modules), housekeeping(modules)]) {
    const worker = start(services)
    if (!worker) continue
    changes.on((topic) => topic === worker.topic && worker.wake?.())
    opened(() => worker.stop())
  }
}

type Around = { responseCache: ResponseCache; changes: Changes; watch: ReturnType<typeof watchDatabase> }

async function mountSite(
  app: FastifyInstance,
  services: Services,
  { responseCache, changes, watch }: Around,
): Promise<void> {
  const { config, db } = services
  const apiCall = callInProcess(app, apiBase, config.appId, (url) => cachedJson(responseCache, url))
  const post = postInProcess(app, apiBase, config.appId)
  await servePages(app, {
    publicUrl: config.publicUrl,
    isProduction: !isFromSources,
    hasOfflinePage: config.hasOfflinePage && !isFromSources,
    strictTransport: config.strictTransport,
    apiCall,
    findContentFile: (folder, file) =>
      folder === 'pdfs' ? findPublishedDocument(services, file) : findUploadedPicture(services, file),
    // Anyone can try tokens, so the load is attributed to the client that causes it.
    previewCall: (token, ip) => forClient(clientOf(ip), () => previewCall(services, apiCall, token)),
    checkOfficial: checkInProcess(post),
    sendContact: contactInProcess(post),
    sendReminder: reminderInProcess(post),
    endpointBase: apiBase,
    appId: config.appId,
    runningSince: new Date().toISOString(),
    clientOf,
    responseCache,
    readPicture: (file) => readPicture(services.files, file),
    seedOfDrawing,
    drawText,
    readAmbassadorPicture: (file) => readAmbassadorPicture(services, file),
    formerFiles: { listNames: () => listKeptNames(db), read: (name) => readBuiltFile(services, name) },
    databaseAwaySince: watch.awaySince,
    isHeard: watch.isHeard,
    noticeIn: (language) => maintenanceNotice(services, language),
    isOutage,
    messagesIn: services.content.allWords,
    addChangeListener: (listener) => {
      // Content changes are announced only after this instance has loaded the new content.
      changes.on((topic) => topic !== 'content' && listener(topic))
      onCommitted(db, (topic) => topic !== 'content' && listener(topic, true))
      services.content.onChange(() => listener('content', true))
    },
  })
}

/**
 * An expected error is printed as one sentence. For a bug, only details that cannot contain personal data are printed.
 */
function explain(error: unknown): string {
  if (error instanceof StartRefused) return error.message
  const { code, port } = error as { code?: string; port?: number }
  if (code === 'EADDRINUSE')
    return `The port ${port} is already in use. Stop the program that uses it, or set PORT to another port.`
  if (code === 'EACCES' && port)
    return `The port ${port} isn’t available to this user. Set PORT to a port above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'The setting HOST must be an address of this machine.'
  if (isOutage(error)) return 'The database didn’t respond in time. Start the application again once it does.'
  return `The application stopped because of an internal error: ${JSON.stringify(describeError(error))}`
}

function end(error: unknown): void {
  say(error instanceof StartRefused ? 'refused' : 'crashed', explain(error))
  if (error instanceof FilesHang) process.kill(process.pid, 'SIGKILL')
  process.exit(1)
}

// By default, Node.js would print the error with its message and all its properties.
process.on('uncaughtException', end)
start().catch(end)
