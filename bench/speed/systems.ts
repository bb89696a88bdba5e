import { randomBytes } from 'node:crypto'
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startProduct, stop } from '../../tests/setup/start-product.ts'
import type { Ready } from './bare-server.ts'

export type System = { url: URL; pid: number | undefined; stop(): Promise<unknown> }
export type Bare = System & { keep(ready: Ready): Promise<void> }
export type FileServer = System & {
  keep(page: { encoding: string | undefined; body: Buffer }): Promise<void>
}

/**
 * The settings of an installation behind a proxy, so that each client has an IP address of its own and none reaches a
 * rate limit.
 */
export const settings = {
  NODE_ENV: 'production',
  DEMO: 'off',
  LOG_LEVEL: 'warn',
  TRUST_PROXY: 'loopback',
  STAFF_SECOND_FACTOR: 'optional',
  ENCRYPTION_KEY: randomBytes(32).toString('hex'),
}

export async function startOurs(databaseUrl: string): Promise<System> {
  const profiled = process.env['PROFILE']
  const product = await startProduct({
    settings: {
      ...settings,
      DATABASE_URL: databaseUrl,
      ...(profiled !== undefined && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiled}` }),
    },
  })
  return {
    url: new URL(product.url),
    pid: product.process.pid,
    async stop() {
      await product.stop()
      await rm(product.dataDir, { recursive: true, force: true })
    },
  }
}

export async function startBare(databaseUrl: string, passwordHash: string): Promise<Bare> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      PASSWORD_HASH: passwordHash,
    },
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    pid: child.pid,
    async keep(ready) {
      child.send(ready)
      await once(child, 'message')
    },
    stop: () => stop(child),
  }
}

const configuration = (folder: string, port: number): string => `
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
daemon off;
pid ${folder}/pid;
error_log stderr error;
events { worker_connections 64; }
http {
  access_log off;
  sendfile on;
  keepalive_requests 1000000000;
  server {
    listen 127.0.0.1:${port};
    root ${folder}/files;
    default_type "text/html; charset=utf-8";
    include ${folder}/headers;
  }
}`

/** nginx with one process and one file, if it is installed, with its default settings. */
export async function startNginx(): Promise<FileServer | undefined> {
  const program = ['nginx', '/usr/sbin/nginx'].find((each) => spawnSync(each, ['-v']).status === 0)
  if (!program) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'bench-nginx-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  await writeFile(file, configuration(folder, port))
  let child: ReturnType<typeof spawn> | undefined
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    get pid() {
      return child?.pid
    },
    async keep({ encoding, body }) {
      await writeFile(join(folder, 'headers'), encoding ? `add_header content-encoding ${encoding};` : '')
      await mkdir(join(folder, 'files'))
      await writeFile(join(folder, 'files/page'), body)
      child = spawn(program, ['-c', file, '-p', folder], { stdio: ['ignore', 'ignore', 'inherit'] })
      await untilListening(`http://127.0.0.1:${port}/page`)
    },
    async stop() {
      if (child) await stop(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilListening(address: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isThere = await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`nothing answers at ${address}`)
}
