import { randomBytes } from 'node:crypto'
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startProduct, stop } from '../../tests/setup/start-product.ts'
import type { Ready } from './bare-server.ts'

/** A server, and the processes that it consists of beside their children. */
export type System = { url: URL; pids: readonly number[]; stop(): Promise<unknown> }
export type Bare = System & { keep(ready: Ready): Promise<void> }
export type FileServer = System & {
  /** Sets the file, which is compressed with Brotli. */
  keep(page: Buffer): Promise<void>
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

/** Instances on one database share the folder of their files. */
export async function startOurs(databaseUrl: string, dataDir: string): Promise<System> {
  const profiled = process.env['PROFILE']
  const product = await startProduct({
    dataDir,
    settings: {
      ...settings,
      DATABASE_URL: databaseUrl,
      ...(profiled !== undefined && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiled}` }),
    },
  })
  return {
    url: new URL(product.url),
    pids: [product.process.pid!],
    stop: product.stop,
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
    pids: [child.pid!],
    async keep(ready) {
      child.send(ready)
      await once(child, 'message')
    },
    stop: () => stop(child),
  }
}

const configuration = (folder: string, http: string): string => `
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
daemon off;
pid ${folder}/pid;
error_log stderr error;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  keepalive_requests 1000000000;
  ${http}
}`

type Nginx = System & { folder: string }

/** nginx with one process and its default settings, or undefined if it is not installed. */
async function launchNginx(http: (folder: string, port: number) => string): Promise<Nginx | undefined> {
  const program = ['nginx', '/usr/sbin/nginx'].find((each) => spawnSync(each, ['-v']).status === 0)
  if (!program) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'bench-nginx-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  await writeFile(file, configuration(folder, http(folder, port)))
  const child = spawn(program, ['-c', file, '-p', folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  const url = new URL(`http://127.0.0.1:${port}`)
  await untilListening(url)
  return {
    url,
    folder,
    pids: [child.pid!],
    async stop() {
      await stop(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Serves one file at `/page`, and at `/nothing` an empty response. */
export async function startFileServer(): Promise<FileServer | undefined> {
  const nginx = await launchNginx(
    (folder, port) => `server {
    listen 127.0.0.1:${port};
    root ${folder};
    location = /page { default_type "text/html; charset=utf-8"; add_header content-encoding br; }
    location = /nothing { return 200; }
  }`,
  )
  return nginx && { ...nginx, keep: (body) => writeFile(join(nginx.folder, 'page'), body) }
}

/** Distributes requests to several instances. */
export async function startBalancer(instances: readonly System[]): Promise<System | undefined> {
  const nginx = await launchNginx(
    (_, port) => `upstream instances {
    ${instances.map(({ url }) => `server ${url.host};`).join(' ')}
    keepalive 64;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://instances;
      proxy_http_version 1.1;
      proxy_set_header host $host;
      proxy_set_header connection "";
    }
  }`,
  )
  return nginx && { ...nginx, pids: [...nginx.pids, ...instances.flatMap(({ pids }) => pids)] }
}

async function untilListening(url: URL): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isThere = await fetch(new URL('/nothing', url)).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`nothing answers at ${url.href}`)
}
