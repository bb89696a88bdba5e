import { createHash } from 'node:crypto'
import { createServer, request as requestHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import { MIB } from '#contract/platform/fields.ts'
import { apiBase } from '#api/app.ts'
import { callInProcess } from '#api/platform/http/call-in-process.ts'
import * as entry from '#web/entry.server.tsx'
import type { HealthCheck, HealthProblem } from '#contract/console/console-health.ts'
import type { Dns, Outside } from '#api/health/outside/outside.ts'
import { serveForMachines } from '../../serve/crawler-endpoints.ts'
import { securityHeaders } from '../../serve/headers.ts'
import { makeCachedPages } from '../../serve/response-cache/cached-pages.ts'
import { mountPages } from '../../serve/page-routes.ts'
import { startApi, type TestApi } from './start-api.ts'
import { pemOf, startTlsProxy } from './tls-proxy.ts'

const root = join(import.meta.dirname, '../..')

/** The master key of the installation. */
export const key = createHash('sha256').update('a sample installation').digest('hex')
export const absent = (code = 'ENOTFOUND') => Promise.reject(Object.assign(new Error(code), { code }))

/** A DNS with these text records. The domain itself has a mail server. */
export const dnsOf = (texts: Record<string, string[]>, code?: string): Dns => ({
  resolveTxt: (name: string) =>
    texts[name] ? Promise.resolve(texts[name].map((text) => [text])) : absent(code),
  resolveMx: (name: string) =>
    name === 'coin.example' ? Promise.resolve([{ exchange: 'mx', priority: 1 }]) : absent(code),
  resolve4: () => absent(code),
  resolve6: () => absent(code),
})
const goodDns = dnsOf({
  'coin.example': ['v=spf1 mx -all', 'something-else=1'],
  'mail._domainkey.coin.example': ['v=DKIM1; k=rsa; p=MIIB'],
  '_dmarc.coin.example': ['v=DMARC1; p=quarantine'],
})

export const audited = (high: number) =>
  JSON.stringify({ metadata: { vulnerabilities: { high, critical: 0 } } })

export const outside = (given: Partial<Outside> = {}): Outside => ({
  dns: goodDns,
  now: () => new Date(),
  ca: pemOf('ca'),
  audit: () => Promise.resolve(audited(0)),
  time: () => Promise.resolve(new Date()),
  slowAnswer: 10,
  // A small value, because sending the maximum in every test would be slow.
  largestBody: 2 * MIB,
  ...given,
})

export const problemsOf = (checks: readonly HealthCheck[]): HealthProblem[] =>
  checks.flatMap(({ problems }) => problems)

/** The pages and endpoints of the product at one URL, without scripts, which depend on a build. */
async function startInstallation({ app, services, responseCache }: TestApi): Promise<string> {
  const { publicUrl } = services.config
  const script = { languageCheck: '/assets/app/a.js', entry: '/assets/app/a.js', page: '/assets/app/a.js' }
  const files = { ...script, styles: ['/assets/app/a.css'], modules: [], fonts: [] }
  const apiCall = callInProcess(app, apiBase, services.config.appId)
  const site = Fastify()
  const headers = securityHeaders({ publicUrl, endpointBase: apiBase, isProduction: true })
  site.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
  site.get('/assets/app/a.js', (_request, reply) => reply.type('text/javascript').send('// A script.'))
  site.get('/assets/app/a.css', (_request, reply) => reply.type('text/css').send('body { margin: 0 }'))
  await site.register(fastifyStatic, { root: join(root, 'content/media'), prefix: '/assets/', index: false })
  const cache = makeCachedPages(
    (path, language) =>
      entry.render({
        path,
        language,
        call: apiCall,
        origin: publicUrl.origin,
        appId: services.config.appId,
        filesOf: () => files,
      }),
    () => '',
    () => true,
    responseCache,
  )
  mountPages(site, entry.served, { publicUrl, clientOf: (ip) => ip }, cache.get)
  serveForMachines(site, root, entry, {
    publicUrl,
    runningSince: new Date(0).toISOString(),
    addChangeListener: () => {},
    apiCall,
    responseCache,
  })
  const [calls, pages] = await Promise.all(
    [app, site].map((each) => each.listen({ host: '127.0.0.1', port: 0 })),
  )
  const front = createServer((request, response) => {
    const isCall = /^\/(?:v2|\.well-known|email-events)\//.test(request.url!)
    const { method = 'GET', headers, url: path } = request
    const passed = requestHttp(
      new URL(isCall ? calls! : pages!),
      { method, headers, path: path! },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      },
    )
    passed.on('error', () => response.destroy())
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    front.close()
    await site.close()
  })
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`
}

/** An installation in production behind a proxy, correct in every respect unless the settings say otherwise. */
export async function anInstallation(
  settings: Record<string, string> = {},
  proxyOptions: Parameters<typeof startTlsProxy>[0] = {},
): Promise<TestApi & { proxy: Awaited<ReturnType<typeof startTlsProxy>> }> {
  const proxy = await startTlsProxy(proxyOptions)
  const started = await startApi(
    {
      NODE_ENV: 'production',
      STAFF_SECOND_FACTOR: 'required',
      PUBLIC_URL: proxy.url,
      ENCRYPTION_KEY: key,
      TRUST_PROXY: 'loopback',
      LOG_LEVEL: 'error',
      MAIL_FROM: 'Coin <no-reply@coin.example>',
      ...settings,
    },
    onTestFinished,
    { isDurable: true },
  )
  if (proxyOptions.from) proxy.toApp(started.app)
  else proxy.to(await startInstallation(started))
  return { ...started, proxy }
}
