import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { defaultAppId } from '#contract/people/apps.ts'
import '#tests/setup/servers-in-path.ts'
import { freePort, startOnCopy, stop } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Answer = { status: number; headers: NodeJS.Dict<string | string[]>; body: string }

type Asked = { method?: string; body?: string; claims?: Record<string, string> }

const ask = (port: string, path: string, { body, claims, ...more }: Asked = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const headers = {
      ...claims,
      host: `coin.example:${port}`,
      'x-app-id': defaultAppId,
      'content-type': 'application/json',
    }
    const sent = request(
      { host: '127.0.0.1', port, path, headers, rejectUnauthorized: false, ...more },
      (answer) => {
        let text = ''
        answer.on('data', (piece: Buffer) => (text += piece.toString()))
        answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, body: text }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })

function aCertificate(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const words = `req -x509 -newkey rsa:2048 -nodes -keyout ${key} -out ${certificate} -days 2 -subj /CN=coin.example`
  execFileSync('openssl', [...words.split(' '), '-addext', 'subjectAltName=DNS:coin.example'], {
    stdio: 'ignore',
  })
  return { certificate, key }
}

type Place = {
  folder: string
  https: string
  http: string
  product: string
  certificate: string
  key: string
}

const proxies = {
  nginx: {
    log: 'coin.access.log',
    start({ folder, https, http, product, certificate, key }: Place) {
      const own = readFileSync(join(root, 'deploy/nginx/coin.conf'), 'utf8')
        .replaceAll(/listen \[::\].*/g, '')
        .replace('listen 80;', `listen 127.0.0.1:${http};`)
        .replace('listen 443 ', `listen 127.0.0.1:${https} `)
        .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
        .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
        .replaceAll('/var/log/nginx', folder)
        .replace('127.0.0.1:3000', `127.0.0.1:${product}`)
        .replace(/.*127\.0\.0\.1:3001.*/, '')
      writeFileSync(join(folder, 'coin.conf'), own)
      writeFileSync(
        join(folder, 'nginx.conf'),
        `daemon off; pid ${folder}/pid; error_log ${folder}/error.log crit; events {} http { include ${folder}/coin.conf; }`,
      )
      return spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
    },
  },
  caddy: {
    log: 'coin.access.log',
    start({ folder, https, http, product, certificate, key }: Place) {
      const own = readFileSync(join(root, 'deploy/caddy/Caddyfile'), 'utf8')
        .replace('{$CADDY_SITE:coin.example} {', `$&\n\ttls ${certificate} ${key}`)
        .replace('\tlog default', `\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tlog default`)
        .replaceAll('/var/log/caddy', folder)
      writeFileSync(join(folder, 'Caddyfile'), own)
      const words = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
      const places = { CADDY_SITE: `https://coin.example:${https}`, CADDY_INSTANCES: `127.0.0.1:${product}` }
      return spawn('caddy', words, { stdio: 'ignore', env: { ...process.env, ...places, HOME: folder } })
    },
  },
}

/**
 * Starts the proxy with its shipped configuration, except for ports and paths, in front of the program at that port.
 */
async function startBefore(name: keyof typeof proxies, product: string) {
  if (spawnSync(name, [name === 'nginx' ? '-v' : 'version']).error)
    throw new Error(`This test runs ${name}: apt install ${name}.`)
  const folder = await makeTemporary(name)
  onTestFinished(() => removeTemporary(folder))
  mkdirSync(join(folder, 'logs'))
  const [https, http] = [String(await freePort()), String(await freePort())]
  const proxy = proxies[name].start({ folder, https, http, product, ...aCertificate(folder) })
  onTestFinished(async () => void (await stop(proxy)))
  return { folder, https, proxy }
}

const codes = [
  '/login/activate?email=a%40b.example&code=Secret1code',
  '/login/change-password/abc/Secret1code',
  '/login/stop/abc/Secret1code',
  '/login/email/stop/abc/Secret1code',
  '/news/preview/Secret1code',
  '/ambassador-program/status/Secret1code',
  '/v2/members/activation/a@b.example/Secret1code',
  '/Other?code=Secret1code',
]

test.each(['nginx', 'caddy'] as const)(
  '%s as it is delivered: photos pass, codes are in no log, and who asks while nothing answers is told when to come back',
  { tags: ['nightly'] },
  async (name) => {
    const product = await startOnCopy({ TRUST_PROXY: 'loopback', PUBLIC_URL: 'https://coin.example' })
    const { folder, https, proxy } = await startBefore(name, new URL(product.url).port)

    const isUp = () =>
      ask(https, '/v2/ready').then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(isUp).toBe(200)
    const home = await ask(https, '/')
    expect(home.headers['strict-transport-security']).toBe('max-age=31536000')
    const large = await ask(https, '/v2/kyc', {
      method: 'POST',
      body: JSON.stringify({ photo: 'x'.repeat(20_000_000) }),
    })
    // The program's own response to a visitor who is not signed in.
    expect(large.headers['content-type']).toContain('application/problem+json')
    expect(large.status).not.toBe(413)
    for (const path of codes) await ask(https, path)

    await product.stop()
    for (const [path, type] of [
      ['/login/change-password/abc/Secret1code', 'text/html'],
      ['/v2/members/activation/a@b.example/Secret1code', 'application/problem+json'],
    ] as const) {
      const away = await ask(https, path)
      expect([away.status, away.headers['retry-after'], away.headers['cache-control']]).toEqual([
        503,
        '5',
        'no-store',
      ])
      expect(away.headers['content-type']).toContain(type)
    }
    await stop(proxy)
    const log = readFileSync(join(folder, proxies[name].log), 'utf8')
    expect(log.trim().split('\n').length).toBeGreaterThan(codes.length)
    const written = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => readFileSync(join(each.parentPath, each.name), 'utf8'))
    expect(written.filter((text) => text.includes('Secret1') || text.includes('b.example'))).toEqual([])
  },
)

test.each(['nginx', 'caddy'] as const)(
  '%s as it is delivered: an instance whose database is away shows its pages, and strangers choose no ids, traces or addresses',
  { tags: ['nightly'] },
  async (name) => {
    let told: IncomingHttpHeaders = {}
    let readinessAsked = 0
    const program = createServer(({ url, headers }, answer) => {
      const isReadiness = url === '/v2/ready'
      if (isReadiness) readinessAsked += 1
      if (url === '/') told = headers
      answer.writeHead(isReadiness ? 503 : 200).end('as it was')
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void program.close())
    await once(program, 'listening')
    const { https } = await startBefore(name, String((program.address() as AddressInfo).port))
    const claims = {
      'x-request-id': 'chosen-by-a-stranger',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=stranger',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'evil.example',
      forwarded: 'for=203.0.113.9',
    }
    const read = () =>
      ask(https, '/', { claims }).then(
        ({ status, body }) => `${status} ${body}`,
        () => 'nothing',
      )
    await expect.poll(read).toBe('200 as it was')
    // By then, a proxy with health checks has run them more than once.
    await setTimeout(2500)
    expect(await read()).toBe('200 as it was')
    expect(readinessAsked).toBe(0)
    expect(told['x-forwarded-for']).toBe('127.0.0.1')
    expect(told['x-request-id']).toMatch(/^[\da-f-]{32,36}$/)
    const { traceparent, tracestate, forwarded, 'x-forwarded-host': host } = told
    expect({ traceparent, tracestate, forwarded, host }).toEqual({})
  },
)
