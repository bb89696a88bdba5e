import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { openDatabase, type Database } from '#api/platform/db/database.ts'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { startSlowServer, usualAnswer } from '#tests/setup/mail-server.ts'
import { makeAdministrator } from '#tests/setup/a-publisher.ts'
import { observeOthers, type Observed, type Place } from '#tests/setup/observe-others.ts'
import { passMailLeases } from '#tests/setup/pass-mail-leases.ts'
import { freePort, startProduct, stop, type Product } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

const email = 'editor@example.org'
const password = 'a password for staff'
const subscribers = 10_000
/** Identifies the connections of the program. */
const programName = 'killed'
/** Instances with the same database. They are killed together, so that none of them can continue. */
const instances = 2
/** As in `mail-worker.ts`: the number of emails that each instance may be sending when it is killed. */
const lanes = 3
/** Other emails may take three times as long while a newsletter is sent, or longer on a busy machine. */
const timesQuiet = 3
const waitMax = 250

/**
 * The moment of the kill. The worst ones are when a mail server has received an email and has not confirmed it, or has
 * just confirmed it.
 */
const moments = ['recipient', 'taken', 'said'] as const
type Moment = (typeof moments)[number]
const kills: readonly Moment[] = [...moments, ...moments, ...moments]

type Delivery = { messageId: string; raw: string }

/** Emails to the editor are about something else. */
const isReader = (address: string) => address.startsWith('reader-')

/**
 * An SMTP server that records the emails to subscribers and reports each stage of a delivery. It greets immediately:
 * servers usually wait a tenth of a second for clients that talk too early, which is longer than everything else.
 */
async function aMailServer() {
  const delivered = new Map<string, Delivery[]>()
  const how: { on: (moment: Moment) => void } = { on: () => {} }
  const server = await startSlowServer(async (line) => {
    if (line.startsWith('RCPT TO')) how.on('recipient')
    if (line === 'message') {
      take(server.got.at(-1)!, server.messages.pop()!)
      how.on('taken')
      setImmediate(() => how.on('said'))
    }
    return usualAnswer(line)
  })
  const take = (address: string, raw: string) => {
    if (!isReader(address)) return
    const messageId = /^Message-ID: (<[^>]+>)\r$/im.exec(raw)![1]!
    delivered.set(address, [...(delivered.get(address) ?? []), { messageId, raw }])
  }
  onTestFinished(() => server.close())
  return { url: server.url, delivered, how }
}

const insertSubscribers = (db: Database) =>
  sql`
    insert into subscriber (email, state, language, categories, rhythm, link_secret, asked_at, consented_at, consent_way)
    select 'reader-' || n || '@example.org', 'active', 'en', array['News'], 'each', md5(n::text), now(), now(), 'form'
    from generate_series(1, ${subscribers}::int) n`.execute(db)

/**
 * Runs while nothing else does, after the connections of the killed program are closed, so that none of its statements
 * can follow.
 */
async function letLeasesPass(db: Database): Promise<void> {
  const countOthers = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name in ('changes', ${programName})`.execute(db)
    return rows[0]!.count
  }
  await expect.poll(countOthers).toBe(0)
  await passMailLeases(db, new Date())
}

const shareOf = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!

test(
  `${subscribers} subscribers get one mail each of a post through ${kills.length + 1} kills, and the site does not wait for them`,
  { timeout: 1_800_000 },
  async () => {
    const databaseUrl = await copyTemplate()
    const dataDir = await makeTemporary('news')
    const mailServer = await aMailServer()
    const settings = {
      DATABASE_URL: `${databaseUrl}?application_name=${programName}`,
      ADMIN_EMAILS: email,
      STAFF_SECOND_FACTOR: 'optional',
      LOG_LEVEL: 'silent',
      DEMO: 'off',
      TRUST_PROXY: 'loopback',
    }
    const db = openDatabase(databaseUrl, () => {})
    let products: Product[] = []
    onTestFinished(async () => {
      await Promise.all(products.map((product) => product.stop()))
      await db.destroy()
      await dropDatabase(databaseUrl)
      await removeTemporary(dataDir)
    })
    // The administrator's emails are in the development inbox, which exists without a mail server.
    products = [await startProduct({ dataDir, settings })]
    await makeAdministrator(products[0]!, email, password)
    await products[0]!.stop()
    // As fast as the settings allow, so that delivery determines the pace.
    const sending = { ...settings, SMTP_URL: mailServer.url, NEWSLETTER_PER_MINUTE: '60000' }
    const ports = await Promise.all(Array.from({ length: instances }, freePort))
    const start = async () => {
      const starting = ports.map((port) =>
        startProduct({ dataDir, settings: { ...sending, PORT: String(port) } }),
      )
      products = await Promise.all(starting)
    }
    const killAll = () => Promise.all(products.map(({ process }) => stop(process, 'SIGKILL')))
    const startAgain = async () => {
      await letLeasesPass(db)
      await start()
    }
    await start()
    const [{ post: send, url }] = products as [Product]
    await insertSubscribers(db)
    const signIn = async () => {
      const { token } = (await (await send('members/login', { email, password })).json()) as { token: string }
      return { 'x-access-token': token }
    }
    const asEditor = await signIn()

    const places: Place[] = [
      { path: '/' },
      { path: `/v2/${api.listSessions.path}`, headers: asEditor },
      { path: '/v2/announcements/en?limit=10' },
    ]
    const observe = (work: () => Promise<unknown>) => observeOthers(url, work, places)
    const { delivered, how } = mailServer

    const quiet = [await observe(() => wait(8000))]
    const post = {
      title: 'One post for all',
      category: 'News',
      language: 'en',
      content: '<p>What it says.</p>',
    }
    const published = await send('announcements/create', post, asEditor)
    expect(published.status).toBe(201)
    const { _id: id } = (await published.json()) as { _id: string }
    const begun = performance.now()
    // The program is also killed before the first email.
    await killAll()
    await startAgain()
    await expect.poll(() => delivered.size, { timeout: 120_000, interval: 20 }).toBeGreaterThan(0)
    let [from, pace] = [delivered.size, 0]
    const during = await observe(async () => {
      const since = performance.now()
      await wait(12_000)
      pace = (delivered.size - from) / ((performance.now() - since) / 1000)
    })

    from = delivered.size
    for (const [n, moment] of kills.entries()) {
      const at = from + Math.floor(((subscribers - from) * (n + 0.5)) / kills.length)
      const struck = Promise.withResolvers<unknown>()
      how.on = (happened) => {
        if (happened !== moment || delivered.size < at) return
        how.on = () => {}
        // The program is also killed after the confirmation was read and recorded.
        if (moment === 'said' && n > moments.length) setTimeout(() => struck.resolve(killAll()), n / 2)
        else struck.resolve(killAll())
      }
      await struck.promise
      await startAgain()
    }
    // On a busy machine the test can take longer than a token is valid.
    const asEditorNow = await signIn()
    const get = async (path: string) => {
      const headers = { 'x-app-id': defaultAppId, ...asEditorNow }
      return (await fetch(`${url}/v2/${path}`, { headers })).json() as Promise<unknown>
    }
    const progress = async () =>
      ((await get(api.readPostMail.path.replace(':id', id))) as OutputOf<typeof api.readPostMail>).progress
    await expect
      .poll(progress, { timeout: 1_200_000, interval: 500 })
      .toMatchObject({ isQueued: true, queued: subscribers, sent: subscribers, failed: 0, stopped: 0 })
    const took = (performance.now() - begun) / 1000
    Object.assign(asEditor, asEditorNow)
    quiet.push(await observe(() => wait(8000)))

    const perReader = Array.from(
      { length: subscribers },
      (_, n) => delivered.get(`reader-${n + 1}@example.org`) ?? [],
    )
    const lost = perReader.filter((mails) => mails.length === 0).length
    const several = perReader.filter((mails) => new Set(mails.map(({ messageId }) => messageId)).size > 1)
    const again = perReader.filter((mails) => mails.length > 1)
    const repeated = again.reduce((sum, mails) => sum + mails.length - 1, 0)
    console.log(
      `${subscribers} subscribers through ${kills.length + 1} kills of ${instances} instances in ${took.toFixed(0)} s, ${pace.toFixed(0)} mails a second: ${lost} lost, ` +
        `${several.length} with two Message-IDs, ${repeated} handed over again`,
    )
    expect(lost).toBe(0)
    expect(several).toEqual([])
    // At least those that were killed before the server confirmed the email. Otherwise the test would not prove
    // repetition.
    expect(repeated).toBeGreaterThanOrEqual(kills.filter((moment) => moment === 'taken').length)
    expect(repeated).toBeLessThanOrEqual(instances * lanes * kills.length)
    // The repeated emails are identical.
    expect(again.filter((mails) => new Set(mails.map(({ raw }) => raw)).size > 1)).toEqual([])
    expect(delivered.size).toBe(subscribers)

    const waited = (observed: readonly Observed[], path: string, share: number) =>
      shareOf(
        observed.flatMap(({ timesAt }) => timesAt[path]!),
        share,
      )
    for (const { path } of places) {
      const [median, p95] = [0.5, 0.95].map(
        (share) => [waited(quiet, path, share), waited([during], path, share)] as const,
      ) as [readonly [number, number], readonly [number, number]]
      const shown = ([before, meanwhile]: readonly [number, number]) =>
        `${before.toFixed(1)} → ${meanwhile.toFixed(1)} ms (× ${(meanwhile / before).toFixed(1)})`
      console.log(`${path}: median ${shown(median)}, 95 % ${shown(p95)}`)
      expect(p95[1], path).toBeLessThan(Math.max(waitMax, timesQuiet * p95[0]))
    }
    expect([...quiet, during].map(({ failures }) => failures)).toEqual([0, 0, 0])
  },
)
