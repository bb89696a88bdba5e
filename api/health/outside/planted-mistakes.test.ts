import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { HealthProblem } from '#contract/console/console-health.ts'
import { DAY, MINUTE, SECOND } from '#contract/platform/durations.ts'
import { topic } from '#tests/mail-events.ts'
import { anInstallation, outside, problemsOf } from '#tests/setup/an-installation.ts'
import { startServerWith } from '#tests/setup/replicated-database.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import type { ProxyFault } from '#tests/setup/tls-proxy.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { startEmbedded } from '../../platform/db/embedded/start-embedded.ts'
import { migrateToLatest } from '../../platform/db/migrate.ts'
import { instance } from '../../platform/jobs/instance.ts'
import { recordHeartbeat } from '../../platform/jobs/job.queries.ts'
import { makeKeys } from '../../platform/keys.ts'
import type { Examined } from '../check.ts'
import { checkTime, examine } from '../examine.ts'
import { hashSettings } from '../hash-settings.ts'
import { look } from '../look.ts'
import { checkAddress } from './check-address.ts'
import { checkMailEvents } from './check-mail-events.ts'
import { checkSite } from './check-site.ts'
import type { Outside } from './outside.ts'

const without = (headers: IncomingHttpHeaders, ...names: string[]): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

const refuse = (response: ServerResponse, status: number, headers = {}) =>
  response
    .writeHead(status, { 'content-type': 'text/html', connection: 'close', ...headers })
    .end('<html></html>')

const isAsset = ({ url }: IncomingMessage) => url!.startsWith('/assets/')

/** A cache that ignores Cache-Control and reuses answers for later requests. */
function cache(keyOf: (request: IncomingMessage) => string | undefined): ProxyFault {
  const kept = new Map<string, { status: number; headers: IncomingHttpHeaders; chunks: Buffer[] }>()
  return (request, response, pass) => {
    const key = request.method === 'GET' ? keyOf(request) : undefined
    const hit = key === undefined ? undefined : kept.get(key)
    if (hit) response.writeHead(hit.status, hit.headers).end(Buffer.concat(hit.chunks))
    else
      pass({
        changed: (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => void chunks.push(chunk))
          if (key !== undefined && answer.statusCode === 200 && !answer.headers['set-cookie'])
            answer.on('end', () => kept.set(key, { status: 200, headers: answer.headers, chunks }))
          return answer.headers
        },
      })
  }
}

const faults: Record<string, { fault: ProxyFault; found: HealthProblem[] }> = {
  'a limit of 1 MB for bodies': {
    fault: (request, response, pass) =>
      Number(request.headers['content-length']) > 2 ** 20 ? refuse(response, 413) : pass(),
    found: ['proxy_body_limit'],
  },
  'a folder of its own for /assets': {
    fault: (request, response, pass) => (isAsset(request) ? refuse(response, 404) : pass()),
    found: ['site_files_missing'],
  },
  'the home page in the place of missing files': {
    fault: (request, response, pass) => (isAsset(request) ? refuse(response, 200) : pass()),
    found: ['site_files_missing'],
  },
  'no pages': {
    fault: (request, response, pass) => (request.url === '/' ? refuse(response, 403) : pass()),
    found: ['site_unreachable'],
  },
  'a cache that ignores Cache-Control': { fault: cache(({ url }) => url), found: ['proxy_caches'] },
  'a cache of calls': {
    fault: cache(({ url }) => (url!.startsWith('/v2/') ? url!.split('?')[0] : undefined)),
    found: ['proxy_caches'],
  },
  'a cache that ignores Vary': {
    fault: cache(({ url }) => (url === '/' ? url : undefined)),
    found: ['proxy_caches'],
  },
  'X-Access-Token taken away': {
    fault: (request, _, pass) => pass({ headers: without(request.headers, 'x-access-token') }),
    found: ['proxy_headers'],
  },
  'every header taken away that begins with X-': {
    fault: (request, _, pass) =>
      pass({
        headers: without(
          request.headers,
          ...Object.keys(request.headers).filter((name) => name.startsWith('x-')),
        ),
      }),
    found: ['proxy_headers'],
  },
  'Content-Type rewritten': {
    fault: (request, _, pass) =>
      pass({
        headers: {
          ...request.headers,
          ...(request.headers['content-type'] && { 'content-type': 'text/plain' }),
        },
      }),
    found: ['proxy_headers'],
  },
  'cookies taken away': {
    fault: (request, _, pass) => pass({ headers: without(request.headers, 'cookie') }),
    found: ['proxy_headers'],
  },
  'Set-Cookie and Cache-Control taken away from answers': {
    fault: (_, __, pass) =>
      pass({ changed: ({ headers }) => without(headers, 'set-cookie', 'cache-control') }),
    found: ['proxy_headers'],
  },
  'the policy of pages taken away': {
    fault: (_, __, pass) => pass({ changed: ({ headers }) => without(headers, 'content-security-policy') }),
    found: ['site_headers'],
  },
  'paths that are decoded': {
    fault: (request, _, pass) =>
      pass({ path: decodeURI(request.url!).replaceAll(' ', '%20').replaceAll('%2F', '/') }),
    found: ['proxy_rewrites'],
  },
  'a prefix before every path': {
    fault: (request, _, pass) => pass({ path: `/site${request.url!}` }),
    found: ['address_elsewhere', 'site_unreachable'],
  },
  'a redirect to itself': {
    fault: (request, response) =>
      refuse(response, 301, { location: `https://${request.headers.host!}${request.url!}` }),
    found: ['address_redirects', 'site_redirects'],
  },
  'no DELETE and no PUT': {
    fault: (request, response, pass) =>
      ['DELETE', 'PUT'].includes(request.method!) ? refuse(response, 405) : pass(),
    found: ['proxy_methods'],
  },
  'a time limit for answers': {
    fault: (request, response, pass) => {
      if (!request.url!.includes('wait=')) return pass()
      setTimeout(() => refuse(response, 504), 50)
    },
    found: ['proxy_timeout'],
  },
  'no compression': {
    fault: (request, _, pass) => pass({ headers: without(request.headers, 'accept-encoding') }),
    found: ['site_uncompressed'],
  },
  'no parts of films': {
    fault: (request, _, pass) => pass({ headers: without(request.headers, 'range') }),
    found: ['site_no_ranges'],
  },
}

const throughProxy = async (examined: Examined, world: Partial<Outside> = {}) =>
  problemsOf([
    ...(await checkAddress(examined, outside({ slowAnswer: 2 * SECOND, ...world }))),
    await checkSite(examined),
  ])

test(
  'finds mistakes in proxy settings, each as what it is and nothing else',
  { tags: ['nightly'], timeout: 4 * MINUTE },
  async () => {
    const { services, proxy } = await anInstallation()
    expect(await throughProxy(services)).toEqual([])
    for (const [name, { fault, found }] of Object.entries(faults)) {
      proxy.breakBy(fault)
      expect.soft([name, [...new Set(await throughProxy(services))]]).toEqual([name, found])
    }
  },
)

test('names the kinds of headers that a proxy removed', async () => {
  const { services, proxy } = await anInstallation()
  proxy.breakBy((request, _, pass) => pass({ headers: without(request.headers, 'x-access-token', 'cookie') }))
  const [, check] = await checkAddress(services, outside())
  expect(check!.facts).toContainEqual({ name: 'missing', value: 'x-access-token, cookie, set-cookie' })
})

test('reports a proxy that keeps the events of email providers away', async () => {
  const { services, proxy } = await anInstallation({ MAIL_EVENTS_SES_TOPIC: topic })
  expect((await checkMailEvents(services)).problems).toEqual([])
  for (const status of [403, 404, 502]) {
    proxy.breakBy((request, response, pass) =>
      request.method === 'POST' ? refuse(response, status) : pass(),
    )
    expect(await checkMailEvents(services)).toMatchObject({
      problems: ['mail_events_unreachable'],
      facts: [{ name: 'why', value: `ses ${status}` }],
    })
  }
})

test(
  'detects a standby, and a database configured to lose committed data',
  { timeout: 2 * MINUTE },
  async () => {
    const dataDir = await makeTemporary('unsafe')
    const server = await startEmbedded({ dataDir, log: () => {} })
    onTestFinished(async () => {
      await server.stop()
      await removeTemporary(dataDir)
    })
    await migrateToLatest(server.url)
    const { services } = await anInstallation()
    const problems = async () => {
      const db = openDatabase(server.url, () => {})
      const found = await look('database', { ...services, db })
      await db.destroy()
      return found.problems.filter((problem) => problem !== 'database_superuser')
    }
    const admin = openDatabase(server.url, () => {})
    onTestFinished(() => admin.destroy())
    const name = new URL(server.url).pathname.slice(1)
    expect(await problems()).toEqual([])
    for (const [setting, problem] of [
      ['synchronous_commit = off', 'database_commits_early'],
      ['default_transaction_read_only = on', 'database_read_only'],
    ] as const) {
      await sql.raw(`alter database ${name} set ${setting}`).execute(admin)
      expect([setting, await problems()]).toEqual([setting, [problem]])
      await sql.raw(`alter database ${name} reset ${setting.split(' ')[0]!}`).execute(admin)
    }
  },
)

test('reports every setting of a server that may lose committed data', { timeout: 2 * MINUTE }, async () => {
  const server = await startServerWith(['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'])
  onTestFinished(() => server.stop())
  await migrateToLatest(server.url)
  const { services } = await anInstallation()
  const db = openDatabase(server.url, () => {})
  onTestFinished(() => db.destroy())
  expect((await look('database', { ...services, db })).problems.toSorted()).toEqual([
    'database_commits_early',
    'database_fsync_off',
    'database_pages_off',
  ])
})

test('reports a wrong DATA_DIR without hiding anything else', async () => {
  const { services } = await anInstallation()
  const config = { ...services.config, dataDir: join(services.config.dataDir, 'nowhere') }
  expect(await look('storage', { ...services, config })).toEqual({
    name: 'storage',
    state: 'down',
    problems: ['data_dir_missing'],
    facts: [{ name: 'why', value: 'ENOENT' }],
  })
})

test('reports a wrong key without reporting different settings', async () => {
  const { services } = await anInstallation()
  const { db, config, keys } = services
  await recordHeartbeat(db, instance, { settings: hashSettings(config, keys) })
  const wrong = makeKeys(randomBytes(32))
  const checks = await examine(
    { ...services, keys: wrong, ownSettings: hashSettings(config, wrong) },
    outside(),
  )
  const problems = problemsOf(checks)
  expect(problems).toContain('key_mismatch')
  expect(problems).not.toContain('settings_differ')
  expect(problems).not.toContain('address_elsewhere')
})

test('reports http in production and a wrong clock', async () => {
  const { services } = await anInstallation()
  const { config, db } = services
  const plain = { ...config, isLocal: true, publicUrl: new URL('http://localhost:3000') }
  expect((await look('settings', { ...services, config: plain })).problems).toContain('http_only')
  const wrong = () => new Date(Date.now() + 2 * DAY)
  expect((await checkTime(outside({ now: wrong }))).problems).toEqual(['time_wrong'])
  expect((await checkTime(outside())).state).toBe('good')
  expect((await checkTime(outside({ time: () => Promise.reject(new Error('offline')) }))).state).toBe(
    'unchecked',
  )
  expect(problemsOf(await checkAddress(services, outside({ now: wrong })))).toContain('address_clock')
  expect((await look('clock', services)).problems).toEqual([])
  await sql`insert into job_run (job, instance_id, began_at, ms) values ('trash', 'x', now() + interval '2 days', 1)`.execute(
    db,
  )
  expect((await look('clock', services)).problems).toEqual(['clock_behind'])
})
