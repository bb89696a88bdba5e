import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { freePort } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs `npm start` like an operator's service, in a process group of its own. */
async function startByNpm(): Promise<{ npm: ChildProcess; started: number[]; url: string }> {
  const dataDir = await makeTemporary('npm-start')
  const port = String(await freePort())
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      LOG_LEVEL: 'silent',
      DEMO_WORLD: 'off',
      DATA_DIR: dataDir,
      PORT: port,
    },
  })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (text: Buffer) => (output += text.toString()))
  onTestFinished(async () => {
    for (const pid of offspringOf(npm.pid!)) kill(pid)
    await removeTemporary(dataDir)
  })
  const url = `http://localhost:${port}`
  await expect
    .poll(
      () =>
        fetch(`${url}/v2/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 120_000 },
    )
    .toBe(true)
  expect(output).toContain('Ready at')
  return { npm, started: offspringOf(npm.pid!), url }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

/**
 * `script` from util-linux runs a command in a terminal of its own, which Node.js cannot do without a native module.
 */
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')

/** Returns what a person sees who runs `npm start` in a terminal until it is stopped with Ctrl+C. */
async function readScreen(dataDir: string, port: number): Promise<string[]> {
  const script = spawn('script', ['--quiet', '--return', '--command', 'npm start', '/dev/null'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
    // Settings of the test run, such as LOG_LEVEL, must not reach the new user's terminal.
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TERM: 'xterm',
      DATA_DIR: dataDir,
      PORT: String(port),
      // On a slow machine, npm prints a spinner between the lines of the product.
      npm_config_progress: 'false',
    },
  })
  onTestFinished(() => {
    for (const pid of [...offspringOf(script.pid!), script.pid!]) kill(pid)
  })
  let output = ''
  script.stdout.on('data', (text: Buffer) => (output += text.toString()))
  const ended = new Promise<void>((resolve) => script.once('exit', () => resolve()))
  await expect.poll(() => output, { timeout: 180_000 }).toMatch(/Sign in with[^]*\n/)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  script.stdin.write('\u0003')
  await ended
  const lines = stripVTControlCharacters(output).replaceAll('\r', '').split('\n')
  // The terminal echoes ^C.
  return lines.map((line) => (line === '^C' ? '' : line))
}

const banner = [
  '',
  expect.stringMatching(/^> coin-site@\S+ start$/) as string,
  '> exec node scripts/run.mjs start',
  '',
]
const readyAt = (port: number) => [
  `Ready at  http://localhost:${port}`,
  `Emails    not sent; read them at http://localhost:${port}/dev/inbox`,
]

async function aNewPlace(): Promise<{ dataDir: string; port: number }> {
  const dataDir = await makeTemporary('first-start')
  onTestFinished(() => removeTemporary(dataDir))
  return { dataDir, port: await freePort() }
}

test.skipIf(!hasScript)(
  'a first start in a terminal shows progress, the address, and how to sign in, and nothing else (needs util-linux `script`)',
  async () => {
    const { dataDir, port } = await aNewPlace()
    const first = await readScreen(dataDir, port)
    const sampleRow = expect.stringMatching(
      /^ {2}(?:admin|member|(?:news|employee|finance|coins) [12]) +\S+@\S+ +\S{16} {2}[a-z, ]+$/,
    )
    // A build that is older than the sources is rebuilt first.
    expect(first.filter((line) => line !== 'Building the site…')).toEqual([
      ...banner,
      'Starting the database…',
      'Creating the demo…',
      '',
      ...readyAt(port),
      '',
      'Sign in with a sample account. The passwords are shown only this once.',
      '',
      expect.stringMatching(/^ {2}Account +Email +Password +Access$/),
      ...Array.from({ length: 10 }, () => sampleRow),
      '',
      'To stop, press Ctrl+C.',
      '',
    ])
    expect(first.filter((line) => line.length > 80)).toEqual([])
  },
)

test.skipIf(!hasScript)(
  'a second start creates no demo and shows no passwords (needs util-linux `script`)',
  { tags: ['nightly'] },
  async () => {
    const { dataDir, port } = await aNewPlace()
    await readScreen(dataDir, port)
    expect(await readScreen(dataDir, port)).toEqual([
      ...banner,
      'Starting the database…',
      '',
      ...readyAt(port),
      '',
      expect.stringContaining('Sign in with a sample account from the first start.'),
      '',
    ])
  },
)

type Process = { pid: number; parent: number }

/** Linux only, like the tests of the embedded database that inspect processes. */
const processes = (): Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent) }]
      } catch {
        return []
      }
    })

function offspringOf(pid: number): number[] {
  const all = processes()
  const of = (parent: number): number[] =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each.pid, ...of(each.pid)])
  return of(pid)
}

const living = (pids: readonly number[]): number[] => {
  const all = new Set(processes().map(({ pid }) => pid))
  return pids.filter((pid) => all.has(pid))
}

async function ends(signal: NodeJS.Signals, targetOf: (pid: number) => number): Promise<void> {
  const { npm, started, url } = await startByNpm()
  expect(started.length).toBeGreaterThan(2)
  const answer = fetch(`${url}/v2/health`)
  process.kill(targetOf(npm.pid!), signal)
  expect((await answer).status).toBe(200)
  await expect.poll(() => living([npm.pid!, ...started]), { timeout: 60_000 }).toEqual([])
}

test(
  'after Ctrl-C, to all that the terminal runs, a request that is under way is answered, and nothing is left',
  { tags: ['nightly'] },
  () => ends('SIGINT', (pid) => -pid),
)

test.each([
  ['kill, to npm alone', 'SIGTERM', (pid: number) => pid],
  ['an interrupt, to npm alone', 'SIGINT', (pid: number) => pid],
  ['a closed terminal', 'SIGHUP', (pid: number) => -pid],
  ['kill -9, to npm alone', 'SIGKILL', (pid: number) => pid],
] as const)('after %s, too, nothing is left', { tags: ['nightly'] }, (_, signal, targetOf) =>
  ends(signal, targetOf),
)

test(
  'what a test started ends with the process of the test, also where that is killed',
  { tags: ['nightly'] },
  async () => {
    const databaseUrl = await copyTemplate()
    const dataDir = await makeTemporary('product')
    const code = `const { startProduct } = await import('./tests/setup/start-product.ts')
      const { DATABASE_URL, DATA } = process.env
      const product = await startProduct({ dataDir: DATA, settings: { DATABASE_URL } })
      console.log('product', product.process.pid)`
    const starter = spawn(process.execPath, ['--input-type=module', '-e', code], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: databaseUrl, DATA: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    starter.stdout.on('data', (text: Buffer) => (output += text.toString()))
    onTestFinished(async () => {
      starter.kill('SIGKILL')
      await dropDatabase(databaseUrl)
      await removeTemporary(dataDir)
    })
    await expect.poll(() => output, { timeout: 120_000 }).toContain('product')
    const started = offspringOf(starter.pid!)
    expect(started).toContain(Number(output.split(' ')[1]))
    starter.kill('SIGKILL')
    await expect.poll(() => living(started), { timeout: 60_000 }).toEqual([])
  },
)
