import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import { anEmail } from '#tests/builders.ts'
import { startSilentServer, startSlowServer, usualAnswer } from '#tests/setup/mail-server.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { transaction } from '../db/database.ts'
import { lease } from './deliver-mail.ts'
import { startMailWorker } from './mail-worker.ts'
import { sendMail } from './send-mail.ts'
import { limitsOfDelivery } from './smtp-transport.ts'

/** For hanging servers. */
const short = { connection: 300, readiness: 600, acceptance: 1200 }
/** For responsive servers, also under load. */
const long = { connection: 20_000, readiness: 20_000, acceptance: 20_000 }

const write = ({ services }: TestApi, to: string) =>
  transaction(services.db, (db) =>
    sendMail(db, services.keys, { email: to, language: 'en' }, 'kyc-approved', {
      link: 'https://coin.example/kyc',
    }),
  )

const rowsOf = ({ services }: TestApi) =>
  services.db
    .selectFrom('mail')
    .select(['to_address', 'state', 'attempts', 'last_error', 'claimed_until', 'next_try_at'])
    .execute()

function startWorker(started: TestApi, url: string, how: Parameters<typeof startMailWorker>[2]) {
  const worker = startMailWorker(started.services, url, how)
  onTestFinished(() => worker.stop())
  return worker
}

test('the limits hold: RFC 5321 for the acceptance, and a lease longer than a whole attempt', () => {
  expect(limitsOfDelivery.acceptance).toBe(10 * MINUTE)
  expect(limitsOfDelivery.connection).toBeLessThanOrEqual(10 * SECOND)
  expect(lease).toBeGreaterThan(limitsOfDelivery.readiness)
})

const stuck = {
  'does not greet': () => startSilentServer(),
  'sends its greeting a byte at a time': () =>
    startSlowServer(async (line) => usualAnswer(line), { drip: 100 }),
  'greets, and says a byte at a time afterwards': () =>
    startSlowServer(async (line) =>
      line === 'greeting' ? usualAnswer(line) : wait(20_000, undefined, { ref: false }),
    ),
}

test.each(Object.entries(stuck))(
  'a server that %s frees every lane, and the emails wait',
  async (_, start) => {
    const started = await startApi()
    const server = await start()
    onTestFinished(() => server.close())
    // More than there are lanes: the last ones are attempted only because the first were given up.
    for (let n = 0; n < 7; n += 1) await write(started, anEmail())
    startWorker(started, server.url, { limits: short })
    await expect
      .poll(
        async () => (await rowsOf(started)).filter(({ last_error }) => last_error === 'ETIMEDOUT').length,
        {
          timeout: 15_000,
        },
      )
      .toBe(7)
    for (const row of await rowsOf(started))
      expect(row).toMatchObject({ state: 'waiting', claimed_until: null })
  },
)

test('emails continue to others while a server holds some after the message, and those end in time', async () => {
  const started = await startApi()
  const stuckMails = Array.from({ length: 5 }, (_, n) => `stuck.${n}@example.org`)
  let recipient = ''
  const server = await startSlowServer(async (line) => {
    recipient = /^RCPT TO:<(.*?)>/.exec(line)?.[1] ?? recipient
    return line === 'message' && server.got.at(-1)!.startsWith('stuck') ? undefined : usualAnswer(line)
  })
  onTestFinished(() => server.close())
  for (const to of stuckMails) await write(started, to)
  const others = Array.from({ length: 5 }, anEmail)
  for (const to of others) await write(started, to)
  startWorker(started, server.url, { limits: { ...long, acceptance: 2500 }, laneTime: 50 })
  const sent = async () =>
    (await rowsOf(started)).filter(({ state }) => state === 'sent').map(({ to_address }) => to_address)
  await expect.poll(async () => (await sent()).toSorted(), { timeout: 20_000 }).toEqual(others.toSorted())
  await expect
    .poll(async () => (await rowsOf(started)).filter(({ last_error }) => last_error === 'ETIMEDOUT').length, {
      timeout: 20_000,
    })
    .toBe(5)
})

test('a server that is slow with a message gets it once, with two instances and an otherwise expired lease', async () => {
  const started = await startApi()
  const server = await startSlowServer(async (line) => {
    if (line === 'message') await wait(1500)
    return usualAnswer(line)
  })
  onTestFinished(() => server.close())
  const to = anEmail()
  await write(started, to)
  const how = { limits: long }
  const first = startWorker(started, server.url, how)
  const second = startWorker(started, server.url, how)
  await expect.poll(() => server.got, { timeout: 15_000 }).toEqual([to])
  const [row] = await rowsOf(started)
  // By the database clock, the lease outlasts the server's time limit.
  const { rows } = await sql<{ left: string }>`
    select extract(epoch from ${row!.claimed_until}::timestamptz - now()) * 1000 as left`.execute(
    started.services.db,
  )
  expect(Number(rows[0]!.left)).toBeGreaterThan(limitsOfDelivery.acceptance)
  expect(Number(rows[0]!.left)).toBeLessThan(HOUR)
  first.wake()
  second.wake()
  await expect.poll(async () => (await rowsOf(started))[0]!.state, { timeout: 20_000 }).toBe('sent')
  expect(server.got).toEqual([to])
})

test('an email accepted during a database outage is recorded afterwards, and handed over once', async () => {
  const started = await startApi()
  const { databaseUrl } = started.services.config
  const address = new URL(databaseUrl!)
  const name = address.pathname.slice(1)
  address.pathname = '/postgres'
  const admin = new pg.Client({ connectionString: address.href })
  await admin.connect()
  onTestFinished(() => admin.end())
  const isOpen = (is: boolean) => admin.query(`alter database ${name} allow_connections ${is}`)
  const server = await startSlowServer(async (line) => {
    if (line === 'message') {
      await isOpen(false)
      // Autovacuum workers are listed too, and belong to a role that the tests may not terminate.
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user`,
        [name],
      )
    }
    return usualAnswer(line)
  })
  onTestFinished(() => server.close())
  const to = anEmail()
  await write(started, to)
  startWorker(started, server.url, { limits: long })
  await expect.poll(() => server.got, { timeout: 15_000 }).toEqual([to])
  await wait(2500)
  await isOpen(true)
  await expect.poll(async () => (await rowsOf(started))[0]!.state, { timeout: 20_000 }).toBe('sent')
  expect(server.got).toEqual([to])
})

test('an email whose claim was lost is not handed over', async () => {
  const started = await startApi()
  let named = 0
  const server = await startSlowServer(async (line) => {
    if (line.startsWith('RCPT')) {
      await started.services.db.updateTable('mail').set({ attempts: 5 }).execute()
      named += 1
    }
    return usualAnswer(line)
  })
  onTestFinished(() => server.close())
  await write(started, anEmail())
  const worker = startWorker(started, server.url, { limits: long })
  await expect.poll(() => named, { timeout: 15_000 }).toBe(1)
  await expect.poll(() => server.connections(), { timeout: 15_000 }).toBe(0)
  await worker.stop()
  expect(server.got).toEqual([])
})

test('a shutdown releases emails that no server has asked for, so that the next instance sends them at once', async () => {
  const started = await startApi()
  const silent = await startSilentServer()
  onTestFinished(() => silent.close())
  await write(started, anEmail())
  const worker = startMailWorker(started.services, silent.url)
  await expect.poll(async () => (await rowsOf(started))[0]!.attempts).toBe(1)
  await worker.stop()
  const [row] = await rowsOf(started)
  expect(row).toMatchObject({ state: 'waiting', claimed_until: null, last_error: null })
  expect(row!.next_try_at.getTime()).toBeLessThan(Date.now() + SECOND)
})
