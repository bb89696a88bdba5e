import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { defaultAppId } from '#contract/apps.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import { openDatabase, type Database } from '#api/db/database.ts'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { startSlowServer, usualAnswer } from '#tests/setup/mail-server.ts'
import { makeAdministrator } from '#tests/setup/make-administrator.ts'
import { observeOthers, type Observed, type Place } from '#tests/setup/observe-others.ts'
import { passMailLeases } from '#tests/setup/pass-mail-leases.ts'
import { freePort, startProduct, stop, type Product } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

const email = 'editor@example.org'
const password = 'a password for staff'
const subscribers = 10_000
/** By which the connections of the program are known. */
const programName = 'killed'
/** Of the program, at one database. They are killed together, so that nobody is left who could go on. */
const instances = 2
/** As `mail-worker.ts` has it: what each may have in hand at a kill. */
const lanes = 3
/** Others may wait three times as long while news are sent; on a machine that does other work, as long as nobody minds. */
const timesQuiet = 3
const waitMax = 250

/** Where the program is killed: the worst is when a server has a mail and has not said so, or has just said it. */
const moments = ['recipient', 'taken', 'said'] as const
type Moment = (typeof moments)[number]
const kills: readonly Moment[] = [...moments, ...moments, ...moments]

type Delivery = { messageId: string; raw: string }

/** Mails to the editor are about something else. */
const isReader = (address: string) => address.startsWith('reader-')

/**
 * An SMTP server that notes what subscribers got, and tells what happens to a mail at the moment. It greets at once: others wait a tenth
 * of a second for who talks too early, which is longer than all else that a mail takes.
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

/** While nobody else is at work: once the connections of the killed program are gone, too, so that no statement of it follows. */
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
    // The mails of the administrator are read in the inbox of development, which is there without a mail server.
    products = [await startProduct({ dataDir, settings })]
    await makeAdministrator(products[0]!, email, password)
    await products[0]!.stop()
    // As fast as the settings allow: the pace is set by delivering.
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
    // Killed before the first mail, too.
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
        // Also when the answer has been read, and noted.
        if (moment === 'said' && n > moments.length) setTimeout(() => struck.resolve(killAll()), n / 2)
        else struck.resolve(killAll())
      }
      await struck.promise
      await startAgain()
    }
    // A token does not last as long as this may take on a busy machine.
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
    // At least those that were killed when the server had the mail and had not said so, or nothing here would see a repetition.
    expect(repeated).toBeGreaterThanOrEqual(kills.filter((moment) => moment === 'taken').length)
    expect(repeated).toBeLessThanOrEqual(instances * lanes * kills.length)
    // The same to the byte.
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
