import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import '#tests/setup/servers-in-path.ts'
import { readService, readSettings } from '#tests/setup/compose-file.ts'
import { pause } from '#tests/setup/live-traffic.ts'
import { startServerWith } from '#tests/setup/replicated-database.ts'
import { startS3Server } from '#tests/setup/s3-server.ts'
import { freePort, startProduct, type Product } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const shipped = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8')

/** Creates the database and its role as PostgreSQL's container does, instead of those that the server has. */
function createDatabase(admin: string): void {
  const psql = (...words: string[]) =>
    execFileSync('psql', ['-v', 'ON_ERROR_STOP=1', '-At', ...words, admin], {
      env: { ...process.env, POSTGRES_PASSWORD: 'secret' },
      encoding: 'utf8',
    })
  psql('-c', 'drop database coin', '-c', 'drop role coin')
  psql('-f', join(root, 'deploy/compose/create-database.sql'))
  expect(psql('-c', `select rolsuper from pg_roles where rolname = 'coin'`).trim()).toBe('f')
}

/** The containers' settings, with this machine's addresses instead of those in the networks of Compose. */
async function startStores(folder: string) {
  const database = await startServerWith([])
  onTestFinished(() => database.stop())
  createDatabase(database.url.replace('coin@', 'postgres@').replace(/coin$/, 'postgres'))
  const store = await startS3Server('coin', 'secret')
  onTestFinished(() => store.close())
  const example = readSettings(shipped('compose/.env.example'))
  const { DATABASE_URL, STORAGE_URL } = readService('coin-a', { S3_SECRET: 'secret' }).environment!
  const backups = join(folder, 'backups')
  mkdirSync(backups)
  const key = join(folder, 'backup.key')
  const [, recipient] = /BACKUP_RECIPIENT=(age1\w+)/.exec(await runCommand(['backup', 'key', key], {}))!
  return {
    ...example,
    ...readService('coin-a').environment,
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    METRICS_TOKEN: 'token',
    DATABASE_URL: DATABASE_URL!.replace('@database', `@127.0.0.1:${new URL(database.url).port}`),
    STORAGE_URL: STORAGE_URL!.replace('store:7070', new URL(store.url).host),
    TRUST_PROXY: '127.0.0.1',
    BACKUP_TO: backups,
    BACKUP_RECIPIENT: recipient!,
    NODE_ENV: 'production',
    SMTP_URL: '',
    DEMO: '',
  }
}

type Settings = Awaited<ReturnType<typeof startStores>>

/** Runs a command of the product as the containers do, and returns its output. */
async function runCommand(words: readonly string[], settings: Record<string, string>): Promise<string> {
  const { entrypoint } = readService('command')
  expect(entrypoint).toEqual(['/opt/coin/coin'])
  const env = { PATH: process.env['PATH'], ...settings }
  const { stdout } = await promisify(execFile)(join(root, 'coin'), words, { cwd: root, env })
  return stdout
}

async function startCaddy(folder: string, products: readonly Product[]): Promise<string> {
  const [https, http] = [String(await freePort()), String(await freePort())]
  const words = `req -x509 -newkey rsa:2048 -nodes -keyout ${folder}/key.pem -out ${folder}/cert.pem -days 2 -subj /CN=coin.example`
  execFileSync('openssl', words.split(' '), { stdio: 'ignore' })
  const { environment } = readService('caddy')
  let instances = environment!['CADDY_INSTANCES']!
  for (const [n, name] of ['coin-a:3000', 'coin-b:3000'].entries())
    instances = instances.replace(name, new URL(products[n]!.url).host.replace('localhost', '127.0.0.1'))
  const text = shipped('caddy/Caddyfile')
    .replace('{$CADDY_SITE:coin.example} {', `$&\n\ttls ${folder}/cert.pem ${folder}/key.pem`)
    .replace('\tlog default', `\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tlog default`)
    .replaceAll('/var/log/caddy', folder)
  writeFileSync(join(folder, 'Caddyfile'), text)
  const caddy = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      CADDY_SITE: `https://${environment!['CADDY_SITE']}:${https}`,
      CADDY_INSTANCES: instances,
    },
  })
  onTestFinished(() => void caddy.kill())
  return https
}

const statusOf = (port: string, path: string) =>
  new Promise<number>((resolve) => {
    const headers = { host: `coin.example:${port}` }
    const options = { host: '127.0.0.1', port, path, headers, rejectUnauthorized: false, agent: false }
    request(options, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode!))
    })
      .on('error', () => resolve(0))
      .end()
  })

async function startInstance(settings: Settings, folder: string, port?: string): Promise<Product> {
  const product = await startProduct({
    settings: { ...settings, ...(port !== undefined && { PORT: port }) },
    dataDir: folder,
  })
  onTestFinished(async () => void (await product.stop()))
  return product
}

test(
  'the containers’ commands run in the order of compose.yaml, and one instance at a time can be replaced',
  { tags: ['nightly'] },
  async () => {
    const folder = await makeTemporary('compose')
    onTestFinished(() => removeTemporary(folder))
    const settings = await startStores(folder)
    const [a, b, c] = ['a', 'b', 'c'].map((name) => join(folder, name)) as [string, string, string]
    for (const place of [a, b, c]) mkdirSync(place)

    const migrate = readService('migrate').command!
    expect(await runCommand(migrate, { ...settings, DATA_DIR: c })).toMatch(
      /^The database is at migration \d{4}-/,
    )
    expect(await runCommand(migrate, { ...settings, DATA_DIR: c })).toMatch(
      /^The database is at migration \d{4}-/,
    )

    const products = [await startInstance(settings, a), await startInstance(settings, b)]
    const https = await startCaddy(folder, products)
    await expect.poll(() => statusOf(https, '/v2/ready')).toBe(200)

    let isOver = false
    const seen: number[] = []
    const visitor = (async () => {
      while (!isOver) {
        seen.push(await statusOf(https, '/'))
        await pause(20)
      }
    })()
    await products[0]!.stop()
    products[0] = await startInstance(settings, a, new URL(products[0]!.url).port)
    await pause(2000)
    isOver = true
    await visitor
    expect(seen.length).toBeGreaterThan(20)
    expect(seen.filter((status) => status !== 200)).toEqual([])

    const backup = { ...settings, DATA_DIR: c }
    // One of the instances has made it, because none was there.
    await expect
      .poll(() => runCommand(['backup', 'list'], backup), { timeout: 120_000, interval: 1_000 })
      .toMatch(/^2\d{3}-/)
    expect(await runCommand(['backup', 'erasures'], backup)).toContain('erasure records backed up')
    expect(
      await runCommand(['backup', 'verify'], { ...backup, BACKUP_IDENTITY: join(folder, 'backup.key') }),
    ).toContain('are complete')
  },
)

const hasPrometheus = ['promtool', 'amtool'].every((name) => spawnSync('which', [name]).status === 0)

test.skipIf(!hasPrometheus)(
  'Prometheus and Alertmanager accept their configuration (not run without promtool and amtool)',
  { tags: ['nightly'] },
  async () => {
    const folder = await makeTemporary('prometheus')
    onTestFinished(() => removeTemporary(folder))
    writeFileSync(join(folder, 'coin-site.token'), 'token')
    writeFileSync(join(folder, 'alerts.yml'), shipped('observability/alerts.yml'))
    const own = shipped('compose/prometheus.yml').replace('/prometheus/', `${folder}/`)
    writeFileSync(join(folder, 'prometheus.yml'), own)
    const checked = execFileSync('promtool', ['check', 'config', join(folder, 'prometheus.yml')], {
      encoding: 'utf8',
    })
    expect(checked).toContain('is valid')
    const script = shipped('compose/start-alertmanager.sh')
      .replaceAll(/\/alertmanager(?=[/ \n])/g, folder)
      .replace(/^exec .*/m, `amtool check-config ${folder}/alertmanager.yml`)
    const { environment } = readService('alertmanager')
    const said = execFileSync('sh', ['-c', script], {
      env: { PATH: process.env['PATH'], ...environment },
      encoding: 'utf8',
    })
    expect(said).toContain('SUCCESS')
  },
)
