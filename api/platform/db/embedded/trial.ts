import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import { type EmbeddedServer, startEmbedded } from './start-embedded.ts'
import { readPostmasterFile } from './postmaster/postmaster-file.ts'

// Helpers for the tests of the embedded server: temporary folders, servers, and processes that end with the
// test.

/** Accessible to other accounts, so that root's PostgreSQL can use it, unless `mode` says otherwise. */
export function aFolder(mode = 0o711): string {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-'))
  chmodSync(folder, mode)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

let template: Promise<string> | undefined

/**
 * A DATA_DIR with a created and stopped cluster. It is a copy, because creating one takes most of a test's
 * time.
 */
export async function aStoppedCluster(): Promise<string> {
  template ??= makeTemplate()
  const folder = aFolder()
  execFileSync('cp', ['-a', `${await template}/.`, folder])
  return folder
}

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-template-'))
  chmodSync(folder, 0o711)
  const { stop } = await startEmbedded({ dataDir: folder, log: () => undefined })
  await stop()
  return folder
}

/** Called at the end of each file, because files of one worker share this module. */
export async function removeTemplate(): Promise<void> {
  const made = template
  template = undefined
  if (made) rmSync(await made, { recursive: true })
}

export async function start(dataDir: string): Promise<EmbeddedServer & { events: string[] }> {
  const events: string[] = []
  const server = await startEmbedded({ dataDir, log: (event) => events.push(event) })
  onTestFinished(() => server.stop())
  return { ...server, events }
}

/** Duration in milliseconds. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/**
 * The maximum duration of a start if a normal one takes `usual`, measured at the same time: a busy machine
 * slows both, so that only a start that waits for something exceeds it.
 */
export const startTimeMax = (usual: number): number => 3000 + 5 * usual

export async function query<T extends object>(url: string, text: string): Promise<T[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

export const pidIn = (dataDir: string): number => readPostmasterFile(join(dataDir, 'pg/data'))!.pid

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

export const leftovers = (dataDir: string): string[] =>
  readdirSync(dataDir).filter((name) => name.startsWith('pg.new'))

export type Said = { url: string; adopted: boolean } | { refused: string }

type Starter = {
  said: Promise<Said>
  killGroup(signal: NodeJS.Signals): void
  ended: Promise<unknown>
}

/** Another process, leader of its own group, that starts the embedded server and runs until it is killed. */
export function startInProcess(dataDir: string, account: { uid?: number; gid?: number } = {}): Starter {
  const script = `
    import { startEmbedded } from ${JSON.stringify(new URL('./start-embedded.ts', import.meta.url).href)}
    const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
    try {
      const { url, adopted } = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} })
      say({ url, adopted })
      setInterval(() => {}, 1000)
    } catch (error) {
      say({ refused: error.constructor.name + ': ' + error.message })
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    ...account,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const killGroup = (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, signal)
  }
  onTestFinished(() => killGroup('SIGKILL'))
  const said = new Promise<Said>((resolve) => {
    createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line) as Said))
  })
  return { said, killGroup, ended }
}
