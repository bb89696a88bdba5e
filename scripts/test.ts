// Everything that a change must pass, fastest checks first. CI runs this. `full` is the nightly run: the same, plus
// tests that measure by repetition.
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startEmbedded } from '../api/platform/db/embedded/start-embedded.ts'
import { findQuickStorage } from '../tests/setup/quick-storage.ts'
import { findChromium } from './find-chromium.ts'
import { summarizeTests, type TestCounts } from './summarize-tests.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => `${root}node_modules/.bin/${name}`
const isFull = process.argv[2] === 'full'
const counts: TestCounts = { passed: 0, failed: 0, skipped: 0, nightly: 0, secondTries: 0 }

type Options = {
  environment?: Record<string, string>
  /** Its output is shown at its end, because another step runs in parallel. */
  isBeside?: boolean
}

async function step(
  name: string,
  command: string,
  words: string[],
  { environment = {}, isBeside = false }: Options = {},
): Promise<boolean> {
  if (!isBeside) console.log(`\n— ${name}`)
  const begun = performance.now()
  const child = spawn(command, words, {
    cwd: root,
    stdio: isBeside ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { ...process.env, ...environment },
  })
  const [status, ...said] = await Promise.all([
    new Promise<number | null>((resolve) => child.once('close', resolve)),
    ...[child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')),
  ])
  if (isBeside) console.log(`\n— ${name}\n${said.join('').trim()}`)
  console.log(
    `— ${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - begun) / 1000).toFixed(1)} s`,
  )
  counts[status === 0 ? 'passed' : 'failed'] += 1
  return status === 0
}

const reporters = ['default', 'json', `${root}tests/setup/second-tries.ts`].map(
  (name) => `--reporter=${name}`,
)

type Report = { testResults: { assertionResults: { status: string; tags?: string[] }[] }[] }

/** Runs tests and counts them one by one. */
async function tests(name: string, words: string[], environment: Record<string, string> = {}): Promise<void> {
  mkdirSync(`${root}.cache`, { recursive: true })
  const report = `${root}.cache/tests.json`
  const secondTries = `${root}.cache/second-tries.json`
  for (const file of [report, secondTries]) rmSync(file, { force: true })
  const chosen = isFull ? [] : ['--tags-filter=!nightly']
  const isPassed = await step(
    name,
    bin('vitest'),
    ['run', ...words, ...chosen, ...reporters, `--outputFile.json=${report}`],
    { environment: { ...environment, SECOND_TRIES: secondTries, ...(isFull && { TESTS: 'full' }) } },
  )
  counts[isPassed ? 'passed' : 'failed'] -= 1
  counts.secondTries += (JSON.parse(readFileSync(secondTries, 'utf8')) as unknown[]).length
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = results.filter(({ status }) => status === 'failed').length
  const passed = results.filter(({ status }) => status === 'passed').length
  const forTheNight = results.filter(({ tags }) => !isFull && tags?.includes('nightly')).length
  counts.passed += passed
  counts.failed += failed + (isPassed || failed > 0 ? 0 : 1)
  counts.skipped += results.length - passed - failed
  counts.nightly += forTheNight
}

// Each of these leaves one of two processors idle for part of its time. The tests begin after them, because browser
// tests are sensitive to timing and other work slows them down.
const beside = { isBeside: true }
const checks = [
  // The type checkers share much of their input, so there are no more of them than processors.
  step('types', bin('tsc'), ['-b', '--checkers', String(Math.min(4, availableParallelism()))], beside),
  step('lint', bin('oxlint'), ['--type-aware'], beside),
  step('format', bin('oxfmt'), ['--check'], beside),
  step('spelling', bin('cspell'), ['lint', '--no-progress', '--no-summary'], beside),
]
const isBuilt = await step('build', process.execPath, [`${root}scripts/build.ts`], beside)
await Promise.all(checks)
if (!isBuilt) process.exit(1)
const chromium = await findChromium()
console.log(`\nChromium: ${chromium.from}`)
await tests('parts, guards, and journeys in a browser on the built product', [
  '--project=parts',
  '--project=screens',
  '--project=screens apart',
  '--project=further-language',
  '--project=journeys',
])

type GivenDatabase = { url: string; from: string; stop(): Promise<void> }

const installs = '/usr/lib/postgresql'
const place = process.env['TMPDIR'] ?? findQuickStorage() ?? tmpdir()

/**
 * Opens a PostgreSQL server that is reached by URL: that of TEST_DATABASE_URL, the system's, or a second embedded one.
 */
async function openGivenDatabase(port: number): Promise<GivenDatabase> {
  const url = process.env['TEST_DATABASE_URL']
  if (url) return { url, from: 'TEST_DATABASE_URL', stop: async () => {} }
  return (await startSystems(port)) ?? (await startSecond())
}

async function startSystems(port: number): Promise<GivenDatabase | undefined> {
  const versions = existsSync(installs)
    ? readdirSync(installs).filter((name) => existsSync(join(installs, name, 'bin/initdb')))
    : []
  const version = versions.sort((a, b) => Number(b) - Number(a))[0]
  const account = accountForServer()
  if (!version || !account) return undefined
  const bin = join(installs, version, 'bin')
  const home = await mkdtemp(join(place, 'given-'))
  if (account.uid !== undefined) chownSync(home, account.uid, account.gid!)
  const cluster = join(home, 'cluster')
  spawnSync(
    join(bin, 'initdb'),
    ['-D', cluster, '-U', 'owner', '-A', 'trust', '--encoding=UTF8', '--locale=C'],
    { ...account, cwd: home },
  )
  const settings = [
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    '-c',
    `port=${port}`,
  ]
  const server = spawn(join(bin, 'postgres'), ['-D', cluster, ...settings], {
    ...account,
    cwd: home,
    stdio: 'ignore',
  })
  const address = `127.0.0.1:${port}/postgres`
  const stop = async () => {
    await new Promise<void>((resolve) => {
      server.once('exit', () => resolve())
      server.kill('SIGINT')
    })
    await rm(home, { recursive: true, force: true })
  }
  const owner = `postgres://owner@${address}`
  if (!(await answers(owner))) {
    await stop()
    return undefined
  }
  await makePlainRole(owner)
  return { url: `postgres://tests@${address}`, from: `the system's PostgreSQL ${version}`, stop }
}

/** Creates a role as the documentation requires: no superuser, but allowed to create databases for each test file. */
async function makePlainRole(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create role tests login createdb')
  await client.query('grant all on database postgres to tests')
  await client.end()
}

/** PostgreSQL refuses to run as root. */
function accountForServer(): { uid?: number; gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {}
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

async function answers(url: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return false
}

async function startSecond(): Promise<GivenDatabase> {
  const dataDir = await mkdtemp(join(place, 'given-'))
  const server = await startEmbedded({ dataDir, log: () => {} })
  const stop = async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { url: server.url, from: 'a second embedded server', stop }
}

if (isFull) {
  await tests('kills and floods of the built product, one journey at a time', ['--project=kills'])
  const given = await openGivenDatabase(54_329)
  await tests(
    `features once more, on ${given.from} by address`,
    ['--project=parts', 'api/', '--exclude=api/platform/db/embedded/**'],
    {
      TEST_DATABASE_URL: given.url,
    },
  )
  await given.stop()
}
console.log(`\n${summarizeTests(counts)}`)
process.exit(counts.failed === 0 ? 0 : 1)
