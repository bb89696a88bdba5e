import type { FastifyInstance } from 'fastify'
import { SECOND } from '#contract/durations.ts'
import { apiBase, makeHttpServer, mountWholeApi, nouns } from '#api/app.ts'
import { readAmbassadorPicture } from '#api/ambassadors/profiles/public-handlers.ts'
import { readPicture } from '#api/announcements/pictures/store-picture.ts'
import { readConfigAndRemarks } from '#api/config.ts'
import { applyPublished } from '#api/content/editing/apply-published.ts'
import { findPublishedDocument, findUploadedPicture } from '#api/content/editing/open-content-file.ts'
import { previewCall } from '#api/content/editing/preview-call.ts'
import { noteFiles } from '#api/content/editing/note-files.ts'
import { describeError } from '#api/describe-error.ts'
import { setContact } from '#api/fill.ts'
import { clientOf } from '#api/http/request-facts.ts'
import { forgetWhatChanges } from '#api/forget-what-changes.ts'
import { listenToChanges } from '#api/db/changes.ts'
import { forClient } from '#api/db/fair-connections.ts'
import { openDatabase } from '#api/db/database.ts'
import { embeddedInProduction, migrate, openServer } from '#api/db/open-server.ts'
import { workersOf } from '#api/noun.ts'
import { isToBeWatched } from '#api/operations/watch-proxy.ts'
import { openStore } from '#api/files/open-store.ts'
import { housekeeping } from '#api/jobs/housekeeping.ts'
import { makeKeys } from '#api/keys.ts'
import { readOrMakeMasterKey } from '#api/master-key/key-file.ts'
import { withFingerprintKey } from './api/master-key/fingerprint-key.ts'
import { requireFittingKey } from '#api/master-key/re-encrypt.ts'
import { seed } from '#api/seed.ts'
import type { Services } from '#api/services.ts'
import { repeatErasures } from '#api/privacy/repeat-erasures.ts'
import { renewTransactionKeys } from '#api/orders/renew-transaction-keys.ts'
import { makePasswordHasher } from '#api/password-hasher.ts'
import { StartRefused } from '#api/start-refused.ts'
import { FilesHang, requireDataDir } from '#api/start-checks/data-dir.ts'
import { lookAround } from '#api/start-checks/look-around.ts'
import { makeSiteContent } from '#api/site-content.ts'
import { watchContent } from '#api/content-files.ts'
import { callInProcess } from '#api/call-in-process.ts'
import { greet } from './greet.ts'
import { answerFast } from './serve/fast-answers.ts'
import { makeKeptAnswers } from './serve/kept-answers.ts'
import { answerFrom, keptJson } from './serve/kept-calls.ts'
import { servePages } from './serve/pages.ts'

const isFromSources = process.argv.includes('--from-sources')

/** Starts the product: settings, database, API and pages, in this order; what was opened is closed in the reverse order. */
async function start(): Promise<void> {
  const { config, remarks } = readConfigAndRemarks(process.env)
  const app = makeHttpServer(config)
  for (const remark of remarks) app.log.warn(remark)
  await requireDataDir(config.dataDir)
  const closers: (() => unknown)[] = []
  const stop = makeStop(app, closers)
  try {
    const server = await openServer(config, (event, detail) => app.log.info(detail ?? {}, event))
    closers.push(() => server.stop())
    if (config.isProduction && server.isEmbedded) app.log.warn(embeddedInProduction)
    await migrate(server.directUrl)
    const db = openDatabase(
      server.url,
      (error) => app.log.warn({ code: (error as { code?: string }).code }, 'a database connection was lost'),
      { prepares: config.preparesStatements, limits: config.poolLimits },
    )
    closers.push(() => db.destroy())
    const keys = makeKeys(config.encryptionKey ?? readOrMakeMasterKey(config.dataDir))
    await requireFittingKey(db, keys)
    const kept = makeKeptAnswers()
    const services: Services = {
      config,
      content: makeSiteContent(),
      db,
      files: openStore(config),
      keys: await withFingerprintKey(db, keys),
      passwords: await makePasswordHasher(),
      log: app.log,
      answerForEverybody: answerFrom(kept),
      lifecycle: stop.lifecycle,
    }
    await noteFiles(db)
    await applyPublished(services)
    await renewTransactionKeys(db)
    await repeatErasures(services, nouns)
    const sampleMembers = await seed(services)
    const changes = listenToChanges(server.directUrl)
    closers.push(() => changes.close())
    forgetWhatChanges(kept, services, changes)
    for (const start of [...workersOf(nouns), housekeeping(nouns)]) {
      const worker = start(services)
      if (!worker) continue
      changes.on((topic) => topic === worker.topic && worker.wake?.())
      closers.push(() => worker.stop())
    }

    await mountWholeApi(app, services)
    const nameContact = () => setContact(services.content.brand().email)
    nameContact()
    services.content.onChange(nameContact)
    if (isFromSources) closers.push(watchContent(services.content.reread, services.log))
    const apiCall = callInProcess(app, apiBase, config.appId, (url) => keptJson(kept, url))
    await servePages(app, {
      publicUrl: config.publicUrl,
      isProduction: !isFromSources,
      apiCall,
      findContentFile: (folder, file) =>
        folder === 'pdfs' ? findPublishedDocument(services, file) : findUploadedPicture(services, file),
      // Anybody may try secrets, at nobody else's cost.
      previewCall: (token, ip) => forClient(clientOf(ip), () => previewCall(services, apiCall, token)),
      endpointBase: apiBase,
      appId: config.appId,
      runningSince: new Date().toISOString(),
      clientOf,
      kept,
      readPicture: (file) => readPicture(services.files, file),
      readAmbassadorPicture: (file) => readAmbassadorPicture(services, file),
      wordsIn: services.content.allWords,
      forgetOn: (listener) => {
        // Of the content, only once what changed holds here.
        changes.on((topic) => topic !== 'content' && listener(topic))
        services.content.onChange(() => listener('content'))
      },
    })
    // Where every request is logged, the hooks that do so see every request.
    if (!isFromSources && config.logLevel !== 'debug')
      answerFast(app, {
        apiBase,
        appId: config.appId,
        isOrdinary: ({ headers }) =>
          stop.lifecycle.isStopping || isToBeWatched(headers, config, stop.lifecycle),
      })
    closers.push(() => app.close())
    await app.listen({ host: config.host, port: config.port })
    greet(config, app, sampleMembers)
    void lookAround(services)
    void server.exited.then(() =>
      stop.now('The embedded database ended unexpectedly; start the program again.'),
    )
  } catch (error) {
    await stop.closeAll()
    throw error
  }
}

/** On SIGTERM, SIGINT and SIGHUP readiness fails; a second later open requests are finished and everything is closed. */
function makeStop(app: FastifyInstance, closers: (() => unknown)[]) {
  const lifecycle = { isStopping: false }
  const drain = SECOND
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  const now = async (sentence?: string) => {
    if (lifecycle.isStopping) return
    lifecycle.isStopping = true
    if (sentence) console.error(sentence)
    setTimeout(() => process.exit(1), 20 * SECOND).unref()
    await new Promise((resolve) => setTimeout(resolve, sentence ? 0 : drain))
    await closeAll()
    process.exit(sentence ? 1 : 0)
  }
  app.addHook('onSend', async (_request, reply) => {
    if (lifecycle.isStopping) void reply.header('connection', 'close')
  })
  // Again and again: on Ctrl-C the terminal sends one signal and npm another, and a second one must not cut the first short.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void now())
  return { lifecycle, closeAll, now }
}

/** An expected refusal is printed as one sentence; of a bug only what cannot hold anybody's data. */
function explain(error: unknown): string {
  if (error instanceof StartRefused) return error.message
  const { code, port } = error as { code?: string; port?: number }
  if (code === 'EADDRINUSE')
    return `The port ${port} is taken; end the program that uses it or choose another with PORT.`
  if (code === 'EACCES' && port)
    return `The port ${port} may not be used by this user; choose one above 1023 with PORT.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'The setting HOST must be an address of this machine.'
  return `The program ended because of a mistake in it: ${JSON.stringify(describeError(error))}`
}

function end(error: unknown): void {
  console.error(explain(error))
  if (error instanceof FilesHang) process.kill(process.pid, 'SIGKILL')
  process.exit(1)
}

// Node would print the error with its message and all its properties.
process.on('uncaughtException', end)
start().catch(end)
