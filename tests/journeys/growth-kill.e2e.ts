import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import '#tests/setup/servers-in-path.ts'
import { startTraffic, pause, type Seen, type Traffic } from '#tests/setup/live-traffic.ts'
import { makeAdministrator } from '#tests/setup/a-publisher.ts'
import { accountOfServer, ask, end, signalAll, startReplicated } from '#tests/setup/replicated-database.ts'
import { startS3Server } from '#tests/setup/s3-server.ts'
import { freePort, startProduct, stop, type Product } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

/** Four instances, a primary with a synchronous replica, and continuous reads and writes. */
const instances = 4
const email = 'admin@example.org'
const password = 'a password for staff'

const leftovers: (() => unknown)[] = []
/** Printed immediately, so that an aborted run has reported its results so far. */
const say = (row: string) => console.log(row)
let databases: Awaited<ReturnType<typeof startReplicated>>
let products: Product[]
let traffic: Traffic
let dataDirs: string[]
let settings: Record<string, string>
let token: string

async function begin(n: number, release?: string): Promise<Product> {
  const port = products[n] ? new URL(products[n].url).port : String(await freePort())
  return startProduct({
    dataDir: dataDirs[n]!,
    settings: { ...settings, PORT: port },
    ...(release === undefined ? {} : { release }),
  })
}

async function signIn({ post }: Product): Promise<string> {
  const answer = await post('members/login', { email, password })
  return ((await answer.json()) as { token: string }).token
}

beforeAll(async () => {
  databases = await startReplicated()
  say(`On ${databases.from}, ${instances} instances:\n| fault | seen | lost | doubled | writing again |`)
  const store = await startS3Server()
  leftovers.push(
    () => databases.stop(),
    () => store.close(),
  )
  dataDirs = await Promise.all(Array.from({ length: instances }, () => makeTemporary('growth')))
  leftovers.push(() => Promise.all(dataDirs.map(removeTemporary)))
  settings = {
    DATABASE_URL: databases.url,
    STORAGE_URL: store.url,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ADMIN_EMAILS: email,
    STAFF_SECOND_FACTOR: 'optional',
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'warn',
    DEMO: 'off',
  }
  products = []
  for (let n = 0; n < instances; n += 1) products.push(await begin(n))
  leftovers.push(() => Promise.all(products.map(({ process }) => stop(process, 'SIGKILL'))))
  await makeAdministrator(products[0]!, email, password)
  token = await signIn(products[0]!)
  traffic = startTraffic(
    products.map(({ url }) => url),
    () => token,
  )
  await pause(3000)
}, 240_000)

afterAll(async () => {
  await traffic?.stop()
  for (const clear of leftovers.reverse()) await clear()
}, 120_000)

/** Counts the lost and the doubled writes among those acknowledged so far. */
async function count(): Promise<{ lost: number; doubled: number }> {
  const acknowledged = [...traffic.acknowledged]
  const url = databases.url.replace(/@[^/]+/, `@127.0.0.1:${await primaryPort()}`)
  const found = await ask<{ title: string; times: string }>(
    url,
    'select title, count(*) as times from announcement group by title',
  )
  const times = new Map(found.map((row) => [row.title, Number(row.times)]))
  return {
    lost: acknowledged.filter((title) => !times.has(title)).length,
    doubled: [...times.values()].filter((each) => each > 1).length,
  }
}

async function primaryPort(): Promise<number> {
  for (const { port, url } of [databases.primary, databases.replica]) {
    const [row] = await ask<{ it: boolean }>(url, 'select pg_is_in_recovery() as it').catch(() => [])
    if (row?.it === false) return port
  }
  throw new Error('no server takes writes')
}

async function untilWritten(since: number): Promise<void> {
  await expect.poll(() => traffic.acknowledged.length > since, { timeout: 60_000 }).toBe(true)
}

async function tell(name: string, seen: Seen, again: string): Promise<{ lost: number; doubled: number }> {
  const { lost, doubled } = await count()
  const failures = [...seen.failures]
    .map(([status, times]) => `${times} × ${status || 'no answer'}`)
    .join(', ')
  say(
    `| ${name} | ${failures || 'no failure'} of ${seen.reads} reads and ${seen.writes} writes, slowest ${(seen.slowest / 1000).toFixed(1)} s | ${lost} | ${doubled} | ${again} |`,
  )
  return { lost, doubled }
}

/** Causes a fault, ends it after a while, and waits until a write succeeds again. */
async function tryFault(
  name: string,
  breakIt: () => unknown,
  mend: () => unknown,
  lasting: number,
): Promise<void> {
  const watch = traffic.watch()
  await breakIt()
  await pause(lasting)
  await mend()
  const mended = performance.now()
  await untilWritten(traffic.acknowledged.length)
  const again = ((performance.now() - mended) / 1000).toFixed(1)
  await pause(2000)
  expect(await tell(name, watch(), `${again} s after it was back`)).toEqual({ lost: 0, doubled: 0 })
}

test('instances that are restarted one after another fail no request', { timeout: 240_000 }, async () => {
  const watch = traffic.watch()
  for (let n = 0; n < instances; n += 1) {
    await products[n]!.stop()
    products[n] = await begin(n)
    await pause(500)
  }
  const seen = watch()
  expect(await tell('rolling restart of four instances', seen, 'never stopped')).toEqual({
    lost: 0,
    doubled: 0,
  })
  expect([...seen.failures]).toEqual([])
})

let nextRelease: string

const root = fileURLToPath(new URL('../..', import.meta.url))
const left = new Set(['node_modules', 'data', 'tests', 'bench'])

/** The folder of this release with two more migrations: one that only adds, and an index that is built concurrently. */
async function aNextRelease(): Promise<string> {
  const folder = await makeTemporary('next-release')
  for (const part of readdirSync(root))
    if (!part.startsWith('.') && !left.has(part))
      cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const migrations = join(folder, 'api/platform/db/migrations')
  writeFileSync(
    join(migrations, '9001-expand.sql'),
    'alter table announcement add column sample_note text check (char_length(sample_note) <= 10);\n',
  )
  writeFileSync(
    join(migrations, '9002-index.sql'),
    '-- outside a transaction\ncreate index concurrently if not exists announcement_sample_note on announcement (sample_note);\n',
  )
  return folder
}

test(
  'a release with migrations is rolled over live traffic and fails no request',
  { timeout: 300_000 },
  async () => {
    nextRelease = await aNextRelease()
    leftovers.push(() => removeTemporary(nextRelease))
    const watch = traffic.watch()
    for (let n = 0; n < instances; n += 1) {
      await products[n]!.stop()
      products[n] = await begin(n, nextRelease)
      await pause(500)
    }
    const seen = watch()
    expect(await tell('a release with two migrations, instance by instance', seen, 'never stopped')).toEqual({
      lost: 0,
      doubled: 0,
    })
    expect([...seen.failures]).toEqual([])
    const [index] = await ask<{ it: boolean }>(
      databases.url.replace(/@[^/]+/, `@127.0.0.1:${databases.primary.port}`),
      `select indisvalid as it from pg_index where indexrelid = 'announcement_sample_note'::regclass`,
    )
    expect(index?.it).toBe(true)
  },
)

test('an instance that is killed costs only what was on its way', { timeout: 240_000 }, async () => {
  await tryFault(
    'kill -9 of one of four instances',
    () => stop(products[3]!.process, 'SIGKILL'),
    async () => {
      products[3] = await begin(3, nextRelease)
    },
    3000,
  )
})

test('a database that freezes, stops or loses its replica loses nothing', { timeout: 240_000 }, async () => {
  const { primary, replica, start } = databases
  await tryFault(
    'database frozen for 12 s (SIGSTOP)',
    () => signalAll(primary.process, 'SIGSTOP'),
    () => signalAll(primary.process, 'SIGCONT'),
    12_000,
  )
  await tryFault(
    'replica frozen for 6 s (the primary waits for it)',
    () => signalAll(replica.process, 'SIGSTOP'),
    () => signalAll(replica.process, 'SIGCONT'),
    6000,
  )
  await tryFault(
    'database stopped for 5 s and started again',
    () => end(primary.process, 'SIGINT'),
    async () => {
      databases.primary = await start(primary.home, primary.port, ['synchronous_standby_names=*'])
    },
    5000,
  )
})

const pooler = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' })

test(
  'behind PgBouncer that gives connections to others, a restart of it loses nothing',
  { timeout: 240_000 },
  async () => {
    if (pooler.error) {
      say('| PgBouncer | not installed here: not tried | | | |')
      return
    }
    const version = pooler.stdout.split('\n')[0]!
    const folder = await makeTemporary('pooler')
    leftovers.push(() => removeTemporary(folder))
    const port = await freePort()
    const account = accountOfServer()
    if (account.uid !== undefined) chownSync(folder, account.uid, account.gid!)
    writeFileSync(join(folder, 'users.txt'), '"coin" ""\n')
    writeFileSync(
      join(folder, 'pooler.ini'),
      `[databases]\ncoin = host=127.0.0.1 port=${databases.primary.port} dbname=coin\n[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port=${port}\nunix_socket_dir=\nauth_type=trust\nauth_file=${folder}/users.txt\npool_mode=transaction\ndefault_pool_size=15\nmax_client_conn=200\n`,
    )
    const startPooler = () =>
      spawn('pgbouncer', ['-q', join(folder, 'pooler.ini')], { ...account, stdio: 'ignore' })
    let running = startPooler()
    leftovers.push(() => running.kill('SIGKILL'))
    await pause(500)
    settings['DATABASE_URL'] = `postgres://coin@127.0.0.1:${port}/coin`
    for (let n = 0; n < instances; n += 1) {
      await stop(products[n]!.process)
      products[n] = await begin(n, nextRelease)
    }
    await tryFault(
      `${version} in transaction mode killed and started again after 3 s`,
      () => end(running, 'SIGKILL'),
      () => (running = startPooler()),
      3000,
    )
    settings['DATABASE_URL'] = databases.url
    for (let n = 0; n < instances; n += 1) {
      await stop(products[n]!.process)
      products[n] = await begin(n, nextRelease)
    }
  },
)

test(
  'a promoted replica takes over: nothing is lost, nothing doubled, nothing restarted',
  { timeout: 240_000 },
  async () => {
    const { primary, replica } = databases
    const watch = traffic.watch()
    const before = traffic.acknowledged.length
    expect(before).toBeGreaterThan(0)
    signalAll(primary.process, 'SIGKILL')
    await end(primary.process, 'SIGKILL')
    // A decision takes a moment.
    await pause(2000)
    await ask(replica.url, 'select pg_promote()')
    const promoted = performance.now()
    await untilWritten(traffic.acknowledged.length)
    const again = ((performance.now() - promoted) / 1000).toFixed(1)
    await pause(3000)
    expect(
      await tell('primary killed, replica promoted 2 s later', watch(), `${again} s after the promotion`),
    ).toEqual({
      lost: 0,
      doubled: 0,
    })
    // Each instance finds the new primary by itself. The first one to write may not be the last one to find it.
    for (const { url } of products)
      await expect.poll(async () => (await fetch(`${url}/v2/ready`)).status, { timeout: 20_000 }).toBe(200)
  },
)
