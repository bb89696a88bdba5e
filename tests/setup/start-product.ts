import { onePersonDecides } from './start-api.ts'
import { fork, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { defaultAppId } from '#contract/people/apps.ts'
import { copyTemplate, dropDatabase } from './database-copy.ts'
import { makeTemporary } from './temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type InboxMail = { id: string; to: string; kind: string; subject: string; text: string; html: string }

/** The built product as a separate process, as an operator starts it. */
export type Product = {
  url: string
  dataDir: string
  process: ChildProcess
  output: () => string
  /** Milliseconds from the start of the process to its readiness. */
  startedIn: number
  mailsTo(address: string): Promise<InboxMail[]>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  stop(): Promise<number | null>
}

/** `release` is the folder of another release. */
type Options = {
  settings?: Record<string, string>
  dataDir?: string
  uid?: number
  gid?: number
  release?: string
}

export async function startProduct(options: Options = {}): Promise<Product> {
  const dataDir = options.dataDir ?? (await makeTemporary('product'))
  const port = options.settings?.['PORT'] ?? String(await freePort())
  const url = `http://localhost:${port}`
  const begun = performance.now()
  // It ends with its parent process, however that ends, through the channel between them.
  const child = fork('server.ts', [], {
    execArgv: [],
    silent: true,
    cwd: options.release ?? root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_ENV: 'development',
      DEMO_WORLD: 'off',
      ...onePersonDecides,
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      PORT: port,
      ...options.settings,
    },
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.gid ?? options.uid }),
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (text: Buffer) => (output += text.toString()))
  await untilReady(url, child, () => output)
  return {
    url,
    dataDir,
    process: child,
    output: () => output,
    startedIn: performance.now() - begun,
    async mailsTo(address) {
      const answer = await fetch(`${url}/dev/inbox`, { headers: { accept: 'application/json' } })
      return ((await answer.json()) as InboxMail[]).filter(({ to }) => to === address)
    },
    post: (path, body, headers = {}) =>
      fetch(`${url}/v2/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-app-id': defaultAppId, ...headers },
        body: JSON.stringify(body),
      }),
    stop: () => stop(child),
  }
}

/**
 * The same on a copied database of the test server, which already has its tables. It is ready in a fraction of the time
 * that creating an embedded database takes.
 */
export async function startOnCopy(
  settings: Record<string, string> = {},
): Promise<Product & { databaseUrl: string }> {
  const databaseUrl = await copyTemplate()
  const product = await startProduct({ settings: { DATABASE_URL: databaseUrl, ...settings } })
  const stop = async () => {
    const code = await product.stop()
    await dropDatabase(databaseUrl)
    return code
  }
  return { ...product, databaseUrl, stop }
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the product ended with ${child.exitCode}: ${output()}`)
    const isReady = await fetch(`${url}/v2/ready`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

export const stop = (child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode)
    child.once('exit', (code) => resolve(code))
    child.kill(signal)
  })

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
