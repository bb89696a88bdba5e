import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import { apiBase, makeHttpServer, mountWholeApi } from '../../api/app.ts'
import { makeSiteContent } from '#api/platform/site-content/site-content.ts'
import { readConfig } from '../../api/platform/config/config.ts'
import { openDatabase } from '../../api/platform/db/database.ts'
import { withoutReplica } from '../../api/platform/db/replica.ts'
import { openDiskStore } from '../../api/platform/files/file-store.ts'
import { makeKnownMaintenance } from '#api/platform/maintenance/known-maintenance.ts'
import { makeKeys } from '../../api/platform/keys.ts'
import { withFingerprintKey } from '../../api/platform/master-key/fingerprint-key.ts'
import { makePasswordHasher } from '../../api/platform/password-hasher.ts'
import { makeResponseCache } from '../../serve/response-cache/response-cache.ts'
import { answerCallsFrom } from '../../serve/response-cache/cached-calls.ts'
import { seedAppRecord } from '../../api/seed.ts'
import type { Services } from '../../api/platform/services.ts'
import { startSession } from '../../api/people/sessions/start-session.ts'
import { defaultAppId } from '../../contract/people/apps.ts'
import { addressOf } from '../../contract/platform/address.ts'
import type { CallOf, Endpoint } from '../../contract/platform/endpoint.ts'

/**
 * The caller: an administrator, a staff member without access to money and identities, a member, or an anonymous
 * visitor.
 */
export type Chair = 'administrator' | 'employee' | 'member' | 'stranger'
export type FrontDoor = {
  services: Services
  ask<E extends Endpoint>(endpoint: E, input: CallOf<E>, chair?: Chair): Promise<LightMyRequestResponse>
  stop(): Promise<void>
}

/** A member with an approved identity and without staff rights. */
export const aMemberId = 'member-47'
const employee = { email: 'employee@bench.example', active: true, manage_employee: 1 }

/** The whole API on the database, called like the program's own entry point but without a network. */
export async function openFrontDoor(url: string): Promise<FrontDoor> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-files-'))
  const config = readConfig({
    NODE_ENV: 'development',
    DEMO: 'off',
    STAFF_SECOND_FACTOR: 'optional',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    DATABASE_URL: url,
  })
  const app = makeHttpServer(config)
  const db = openDatabase(url, () => {})
  const services: Services = {
    config,
    content: makeSiteContent(),
    db,
    files: openDiskStore(join(dataDir, 'files')),
    keys: await withFingerprintKey(db, makeKeys(Buffer.alloc(32, 1))),
    passwords: await makePasswordHasher({ memoryCost: 64, timeCost: 1, parallelism: 1 }),
    log: app.log,
    replica: withoutReplica(db),
    answerForEverybody: answerCallsFrom(makeResponseCache()),
    lifecycle: { isStopping: false },
    maintenance: makeKnownMaintenance(db),
  }
  await seedAppRecord(services)
  await mountWholeApi(app, services)
  await app.ready()
  const { id } = await db
    .insertInto('member')
    .values({ ...employee, password_length_ok_for_staff: true, address_proved_at: new Date() })
    .onConflict((conflict) => conflict.column('email').doUpdateSet(employee))
    .returning('id')
    .executeTakeFirstOrThrow()
  const tokens = {
    administrator: await tokenOf('member-1'),
    employee: await tokenOf(id),
    member: await tokenOf(aMemberId),
    stranger: '',
  }

  async function tokenOf(memberId: string): Promise<string> {
    const facts = { id: '', language: 'en', client: '127.0.0.1', userAgent: '', isSecure: false } as const
    const cookies = { refreshToken: undefined, xsrfToken: undefined }
    return (await startSession(db, config, memberId, { ...facts, ...cookies })).signedIn.token
  }

  return {
    services,
    ask: (endpoint, input, chair = 'administrator') =>
      app.inject({
        method: endpoint.method,
        url: apiBase + addressOf(endpoint, input),
        headers: {
          'x-app-id': defaultAppId,
          ...(tokens[chair] && { 'x-access-token': tokens[chair] }),
        },
        ...(input.body !== undefined && { payload: input.body as object }),
        // Only the start of an export is measured.
        ...(endpoint.returnsBytes && { payloadAsStream: true }),
      }),
    async stop() {
      await app.close()
      await db.destroy()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
