import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { freePort } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** `npm start` as an operator's service starts it, in a group of its own. */
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
    // It is gone.
  }
}

type Process = { pid: number; parent: number }

/** Linux only, as the tests of the embedded database that look at processes. */
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

test('after Ctrl-C, to all that the terminal runs, a request that is under way is answered, and nothing is left', () =>
  ends('SIGINT', (pid) => -pid))

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
