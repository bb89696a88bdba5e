import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { expect, test, onTestFinished } from 'vitest'
import { sql } from 'kysely'
import { MINUTE, SECOND } from '#contract/platform/durations.ts'
import { anEmail } from '#tests/builders.ts'
import { startMailServer } from '#tests/setup/mail-server.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { transaction } from '../db/database.ts'
import { ago } from '../db/expressions.ts'
import { instance } from '../jobs/instance.ts'
import { recordHeartbeat } from '../jobs/job.queries.ts'
import { listGone } from '../jobs/list-gone.ts'
import { leaseOfMessage } from './deliver-mail.ts'
import { startMailWorker } from './mail-worker.ts'
import { claimDueMail } from './mail.queries.ts'
import { sendMail } from './send-mail.ts'

const within = leaseOfMessage

/** The ID of a process that no longer exists. */
const formerPid = () => spawnSync(process.execPath, ['--version']).pid

async function anInstance(
  { services: { db } }: TestApi,
  { seen = 0, steady = 0, ...how }: Partial<typeof instance> & { seen?: number; steady?: number },
): Promise<string> {
  const id = how.id ?? randomUUID()
  await recordHeartbeat(db, { ...instance, id, ...how })
  await db
    .updateTable('program_instance')
    .set({ seen_at: ago(seen), steady_since: ago(steady) })
    .where('id', '=', id)
    .execute()
  return id
}

/** An email that the server may have asked for, claimed for eleven minutes by the instance. */
async function aClaimedMail({ services }: TestApi, instanceId: string): Promise<void> {
  const { db, keys } = services
  await transaction(db, (db) =>
    sendMail(db, keys, { email: anEmail(), language: 'en' }, 'kyc-approved', {
      link: 'https://coin.example/kyc',
    }),
  )
  await claimDueMail(db, leaseOfMessage, 'coin.example')
  await sql`update mail set tries = jsonb_set(tries, '{-1,by}', to_jsonb(${instanceId}::text))`.execute(db)
}

const elsewhere = { machine: 'another boot pid:[1]', pid: 1 }

test.skipIf(instance.machine === null)(
  'lists an instance of this machine as gone once its process has ended, and no running one',
  async () => {
    const started = await startApi()
    const ended = await anInstance(started, { pid: formerPid() })
    await anInstance(started, { pid: process.ppid })
    await anInstance(started, { ...elsewhere, pid: formerPid() })
    expect(await listGone(started.services.db, { within })).toEqual([ended])
  },
)

test('lists an instance of another machine as gone after three minutes of silence', async () => {
  const started = await startApi()
  await anInstance(started, { id: instance.id, steady: 4 * MINUTE })
  const silent = await anInstance(started, { ...elsewhere, seen: 3 * MINUTE + SECOND })
  await anInstance(started, { ...elsewhere, seen: 2 * MINUTE })
  expect(await listGone(started.services.db, { within })).toEqual([silent])
})

test('lists no silent instance while it was not steady itself, for example after a database outage', async () => {
  const started = await startApi()
  const { db } = started.services
  // Four minutes without any heartbeat, followed by its own.
  await anInstance(started, { id: instance.id, seen: 4 * MINUTE, steady: 60 * MINUTE })
  await anInstance(started, { ...elsewhere, seen: 4 * MINUTE })
  expect(await listGone(db, { within })).toEqual([])
  await recordHeartbeat(db, instance)
  expect(await listGone(db, { within })).toEqual([])
})

test('delivers at once what an ended instance had claimed, and leaves the claim of a living one', async () => {
  const started = await startApi()
  const { db } = started.services
  const [silent, living] = [
    await anInstance(started, { ...elsewhere, seen: 4 * MINUTE }),
    await anInstance(started, elsewhere),
  ]
  await anInstance(started, { id: instance.id, steady: 4 * MINUTE })
  await aClaimedMail(started, living)
  const held = await db.selectFrom('mail').selectAll().executeTakeFirstOrThrow()
  await aClaimedMail(started, silent)
  await sql`update mail set tries = jsonb_set(tries, '{-1,by}', to_jsonb(${living}::text)) where id = ${held.id}`.execute(
    db,
  )
  const server = await startMailServer()
  onTestFinished(() => server.close())
  const worker = startMailWorker(started.services, server.url)
  onTestFinished(() => worker.stop())
  await expect.poll(() => server.received.length).toBe(1)
  const after = await db.selectFrom('mail').selectAll().where('id', '=', held.id).executeTakeFirstOrThrow()
  expect(after).toEqual(held)
  // The worker stores that it sent the email after the server has accepted it.
  await expect
    .poll(() =>
      db.selectFrom('mail').select(['state', 'attempts']).where('id', '<>', held.id).executeTakeFirst(),
    )
    .toEqual({ state: 'sent', attempts: 2 })
})
