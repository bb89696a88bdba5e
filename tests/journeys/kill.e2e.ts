import { SMTPServer } from 'smtp-server'
import { defaultAppId } from '#contract/people/apps.ts'
import { expect, onTestFinished, test } from 'vitest'
import { makeAdministrator } from '#tests/setup/a-publisher.ts'
import { passMailLeases } from '#tests/setup/pass-mail-leases.ts'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { startSlowServer, usualAnswer } from '#tests/setup/mail-server.ts'
import { withRunningDatabase } from '#tests/setup/running-database.ts'
import { freePort, startProduct, stop, type Product } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

const rounds = 25
const writers = 5
/** Milliseconds. On a busy machine, twice what a normal start takes. */
const startMax = 3000

/** A real SMTP server that records its recipients. */
async function aMailServer(): Promise<{ url: string; delivered: Map<string, number> }> {
  const delivered = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      stream.resume()
      stream.on('end', () => {
        for (const { address } of session.envelope.rcptTo)
          delivered.set(address, (delivered.get(address) ?? 0) + 1)
        done()
      })
    },
  })
  server.on('error', () => {})
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { url: `smtp://127.0.0.1:${port}`, delivered }
}

type Acknowledged = { emails: string[]; titles: string[] }

/** Signs up and publishes until the process is killed; what got a response counts as acknowledged. */
async function write(
  product: Product,
  token: string,
  name: string,
  acknowledged: Acknowledged,
): Promise<void> {
  for (let n = 0; ; n += 1) {
    try {
      const email = `${name}-${n}@example.org`
      // Each sign-up comes from a different client, because the number per client is limited.
      const client = {
        'x-forwarded-for': `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`,
      }
      const created = await product.post('members/create', { email, password: 'a password' }, client)
      if (created.status === 201) acknowledged.emails.push(email)
      const title = `${name} ${n}`
      const post = { title, category: 'News', language: 'en', content: `<p>${title}</p>` }
      const published = await product.post('announcements/create', post, { 'x-access-token': token })
      if (published.status === 201) acknowledged.titles.push(title)
    } catch {
      return
    }
  }
}

const adminEmail = 'admin@example.org'
const adminPassword = 'a password for staff'

async function signIn(product: Product): Promise<string> {
  const answer = await product.post('members/login', { email: adminEmail, password: adminPassword })
  return ((await answer.json()) as { token: string }).token
}

async function listTitles(product: Product): Promise<Set<string>> {
  const titles = new Set<string>()
  let next: string | undefined = '/v2/announcements/en?limit=100'
  while (next) {
    const answer: Response = await fetch(product.url + next, { headers: { 'x-app-id': defaultAppId } })
    for (const { title } of (await answer.json()) as { title: string }[]) titles.add(title)
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return titles
}

test(
  `${rounds} rounds of kill -9 under writes lose no acknowledged sign-up, post or mail`,
  { timeout: 1_800_000 },
  async () => {
    const dataDir = await makeTemporary('killed')
    onTestFinished(() => removeTemporary(dataDir))
    const mailServer = await aMailServer()
    const settings = {
      ADMIN_EMAILS: adminEmail,
      STAFF_SECOND_FACTOR: 'optional',
      LOG_LEVEL: 'silent',
      TRUST_PROXY: '127.0.0.1',
      PORT: String(await freePort()),
    }
    const first = await startProduct({ dataDir, settings })
    await makeAdministrator(first, adminEmail, adminPassword)
    await first.stop()

    const acknowledged: Acknowledged = { emails: [], titles: [] }
    const starts: number[] = []
    const inOrder = await startProduct({ dataDir, settings })
    await inOrder.stop()
    for (let round = 0; round < rounds; round += 1) {
      const product = await startProduct({ dataDir, settings: { ...settings, SMTP_URL: mailServer.url } })
      starts.push(product.startedIn)
      const token = await signIn(product)
      const writing = Array.from({ length: writers }, (_, n) =>
        write(product, token, `r${round}w${n}`, acknowledged),
      )
      const { emails, titles } = acknowledged
      const before = [emails.length, titles.length] as const
      await expect.poll(() => emails.length > before[0] && titles.length > before[1]).toBe(true)
      await new Promise((resolve) => setTimeout(resolve, (round % 5) * 100))
      await stop(product.process, 'SIGKILL')
      await Promise.all(writing)
    }

    const killedAt = new Date()
    const last = await startProduct({ dataDir, settings: { ...settings, SMTP_URL: mailServer.url } })
    onTestFinished(async () => void (await last.stop()))
    const titles = await listTitles(last)
    expect(acknowledged.emails.length).toBeGreaterThanOrEqual(rounds)
    expect(acknowledged.titles.filter((title) => !titles.has(title))).toEqual([])
    const isMissing = (email: string) => !mailServer.delivered.has(email)
    await withRunningDatabase(dataDir, (db) => passMailLeases(db, killedAt))
    await expect
      .poll(() => acknowledged.emails.filter(isMissing), { timeout: 600_000, interval: 500 })
      .toEqual([])
    const twice = [...mailServer.delivered.values()].filter((count) => count > 1).length
    console.log(
      `${acknowledged.emails.length} sign-ups and ${acknowledged.titles.length} posts acknowledged, 0 lost; ${twice} mails delivered twice; ` +
        `start ${Math.round(Math.max(...starts))} ms at most`,
    )
    expect(Math.max(...starts)).toBeLessThan(Math.max(startMax, 2 * inOrder.startedIn))
  },
)

test(
  'delivers within seconds of the next start the activation code that a killed instance was handing over',
  { timeout: 120_000 },
  async () => {
    const databaseUrl = await copyTemplate()
    const dataDir = await makeTemporary('killed-at-handover')
    onTestFinished(async () => {
      await dropDatabase(databaseUrl)
      await removeTemporary(dataDir)
    })
    // The server accepts the whole message and never confirms it, so the claim lasts eleven minutes.
    const taken = Promise.withResolvers<void>()
    const silent = await startSlowServer(async (line) => {
      if (line !== 'message') return usualAnswer(line)
      taken.resolve()
      return undefined
    })
    onTestFinished(() => silent.close())
    const settings = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent', DEMO: 'off' }
    const first = await startProduct({ dataDir, settings: { ...settings, SMTP_URL: silent.url } })
    onTestFinished(async () => void (await stop(first.process, 'SIGKILL')))
    const email = 'newcomer@example.org'
    expect((await first.post('members/create', { email, password: 'a password' })).status).toBe(201)
    await taken.promise
    await stop(first.process, 'SIGKILL')

    const server = await aMailServer()
    const next = await startProduct({ dataDir, settings: { ...settings, SMTP_URL: server.url } })
    onTestFinished(async () => void (await next.stop()))
    await expect.poll(() => server.delivered.get(email), { timeout: 30_000 }).toBe(1)
  },
)
