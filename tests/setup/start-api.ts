import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { onTestFinished } from 'vitest'
import { apiBase, makeHttpServer, mountWholeApi } from '#api/app.ts'
import { readConfig, type Config } from '#api/platform/config/config.ts'
import { readContentFiles, type ContentFiles } from '#api/platform/site-content/content-files.ts'
import { makeSiteContent } from '#api/platform/site-content/site-content.ts'
import { openDatabase } from '#api/platform/db/database.ts'
import { invalidateCache } from '#api/platform/invalidate-cache.ts'
import { openDiskStore } from '#api/platform/files/file-store.ts'
import { makeKeys } from '#api/platform/keys.ts'
import { withoutReplica } from '#api/platform/db/replica.ts'
import { makeKnownMaintenance } from '#api/platform/maintenance/known-maintenance.ts'
import { withFingerprintKey } from '#api/platform/master-key/fingerprint-key.ts'
import type { RenderedMail } from '#api/platform/mail/render-mail.ts'
import { openMail } from '#api/platform/mail/encrypted-email.ts'
import { seedAppRecord } from '#api/seed.ts'
import { seedDemo } from '#demo/seed-demo.ts'
import type { Services } from '#api/platform/services.ts'
import { makePasswordHasher, type PasswordHasher } from '#api/platform/password-hasher.ts'
import { addressOf } from '#contract/platform/address.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import type { CallOf, Endpoint, OutputOf } from '#contract/platform/endpoint.ts'
import type { Problem } from '#contract/platform/errors.ts'
import { makeResponseCache, type ResponseCache } from '../../serve/response-cache/response-cache.ts'
import { answerCallsFrom } from '../../serve/response-cache/cached-calls.ts'
import { serverFactory } from '../../serve/response-cache/answer-from-cache.ts'
import { copyTemplate, dropDatabase } from './database-copy.ts'

export type TestMail = RenderedMail & { to: string; kind: string }

export type Answered<T> = {
  status: number
  headers: Record<string, unknown>
  body: T
  problem: Problem
  cookies: Record<string, string>
}

export type CallOptions = {
  token?: string | undefined
  cookies?: Record<string, string>
  headers?: Record<string, string>
  ip?: string
}

/** The real API on a database of its own, called through the contract. */
export type TestApi = {
  app: FastifyInstance
  services: Services
  /** Nothing is cached until change notifications are available. */
  responseCache: ResponseCache
  call<E extends Endpoint>(
    endpoint: E,
    input: CallOf<E>,
    options?: CallOptions,
  ): Promise<Answered<OutputOf<E>>>
  send(options: InjectOptions): Promise<LightMyRequestResponse>
  /** Returns the emails to the address so far, oldest first. */
  mailsTo(address: string): Promise<TestMail[]>
}

/** Thousands of sign-ups and sign-ins do not test hashing. `hashAsInProduction` is for the tests that do. */
const cheap = { memoryCost: 64, timeCost: 1, parallelism: 1 }
let files: ContentFiles | undefined
const readOnce = () => (files ??= readContentFiles())
let hasher: Promise<PasswordHasher> | undefined

/** Without a setting, four-eyes approval depends on the number of staff, so tests of other features switch it off. */
export const onePersonDecides = {
  ORDER_TWO_PERSONS_FROM: 'off',
  SALE_FOUR_EYES: 'off',
  CONTENT_TWO_PERSONS: 'off',
  KYC_FOUR_EYES: 'on',
}
/** The program's default without settings. */
export const staffDecides = {
  ORDER_TWO_PERSONS_FROM: '',
  SALE_FOUR_EYES: '',
  CONTENT_TWO_PERSONS: '',
  KYC_FOUR_EYES: '',
}

/** Starts an API that is stopped when the test ends or, if `until` is given, when that hook runs. */
export async function startApi(
  settings: Record<string, string> = {},
  until: (end: () => Promise<void>) => void = onTestFinished,
  copy: Parameters<typeof copyTemplate>[0] = {},
): Promise<TestApi> {
  const url = await copyTemplate(copy)
  const dataDir = await mkdtemp(join(tmpdir(), 'api-'))
  const config: Config = readConfig({
    NODE_ENV: 'development',
    DEMO: 'off',
    DEMO_WORLD: 'off',
    STAFF_SECOND_FACTOR: 'optional',
    LOG_LEVEL: 'silent',
    ...onePersonDecides,
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    ...settings,
  })
  const app = makeHttpServer(config, { serverFactory })
  const responseCache = makeResponseCache()
  const db = openDatabase(url, () => {})
  const services: Services = {
    config,
    content: makeSiteContent(readOnce),
    db,
    files: openDiskStore(join(dataDir, 'files')),
    keys: await withFingerprintKey(db, makeKeys(config.encryptionKey ?? randomBytes(32))),
    passwords: await (hasher ??= makePasswordHasher(cheap)),
    log: app.log,
    replica: withoutReplica(db),
    answerForEverybody: answerCallsFrom(responseCache),
    lifecycle: { isStopping: false },
    maintenance: makeKnownMaintenance(db),
  }
  invalidateCache(responseCache, services)
  await seedAppRecord(services)
  await seedDemo(services)
  await mountWholeApi(app, services)
  await app.ready()
  until(async () => {
    await app.close()
    await db.destroy()
    await dropDatabase(url)
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    app,
    services,
    responseCache,
    call: caller(app),
    send: (options) => app.inject(options),
    mailsTo: (address) => readMails(services, address),
  }
}

/** Hashes passwords at the production cost from now on. */
export async function hashAsInProduction({ services }: TestApi): Promise<void> {
  services.passwords = await makePasswordHasher()
}

/**
 * Starts another instance on the same database that shares only the keys. It is stopped when the test ends or, if `until`
 * is given, when that hook runs.
 */
export async function startAnotherInstance(
  first: TestApi,
  until: (end: () => Promise<void>) => void = onTestFinished,
): Promise<TestApi> {
  const { config } = first.services
  const app = makeHttpServer(config, { serverFactory })
  const responseCache = makeResponseCache()
  const db = openDatabase(config.databaseUrl!, () => {})
  const services: Services = {
    ...first.services,
    content: makeSiteContent(readOnce),
    db,
    log: app.log,
    replica: withoutReplica(db),
    answerForEverybody: answerCallsFrom(responseCache),
    lifecycle: { isStopping: false },
    maintenance: makeKnownMaintenance(db),
  }
  invalidateCache(responseCache, services)
  await mountWholeApi(app, services)
  await app.ready()
  until(async () => {
    await app.close()
    await db.destroy()
  })
  return {
    app,
    services,
    responseCache,
    call: caller(app),
    send: (options) => app.inject(options),
    mailsTo: (address) => readMails(services, address),
  }
}

const caller =
  (app: FastifyInstance): TestApi['call'] =>
  async (endpoint, input, options = {}) => {
    const hasBody = endpoint.method === 'POST' && input.body !== undefined
    const answer = await app.inject({
      method: endpoint.method,
      url: apiBase + addressOf(endpoint, input),
      headers: {
        'x-app-id': defaultAppId,
        ...(options.token ? { 'x-access-token': options.token } : {}),
        ...(input.phoneSecret ? { 'x-phone-secret': input.phoneSecret } : {}),
        ...options.headers,
      },
      ...(options.cookies ? { cookies: options.cookies } : {}),
      ...(options.ip ? { remoteAddress: options.ip } : {}),
      ...(hasBody ? { payload: input.body as object } : {}),
    })
    const isJson = String(answer.headers['content-type']).includes('json')
    const body = isJson ? answer.json() : answer.rawPayload
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body,
      problem: body,
      cookies: Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value])),
    }
  }

async function readMails({ db, keys }: Services, address: string): Promise<TestMail[]> {
  const rows = await db
    .selectFrom('mail')
    .selectAll()
    .where('to_address', '=', address)
    .orderBy('created_at')
    .orderBy('next_try_at')
    // Emails of one transaction have the same time, so they are sorted in the order of insertion.
    .orderBy(sql`ctid`)
    .execute()
  return rows.flatMap((row) =>
    row.sealed_message
      ? [
          {
            to: row.to_address,
            kind: row.kind,
            ...openMail(keys, { id: row.id, sealed_message: row.sealed_message }),
          },
        ]
      : [],
  )
}
