import { createHash } from 'node:crypto'
import type { HealthCheck, HealthProblem } from '#contract/console-health.ts'
import type { Dns, Outside } from '#api/health/outside/outside.ts'
import { startApi } from './start-api.ts'
import { pemOf, startTlsProxy } from './tls-proxy.ts'

/** The master key of the installation. */
export const key = createHash('sha256').update('a sample installation').digest('hex')
export const absent = (code = 'ENOTFOUND') => Promise.reject(Object.assign(new Error(code), { code }))

/** A DNS that knows these texts; the domain itself has a mail server. */
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
  ...given,
})

export const problemsOf = (checks: readonly HealthCheck[]): HealthProblem[] =>
  checks.flatMap(({ problems }) => problems)

/** An installation in production behind a proxy; right in everything unless the settings say otherwise. */
export async function anInstallation(
  settings: Record<string, string> = {},
  proxyOptions: Parameters<typeof startTlsProxy>[0] = {},
) {
  const proxy = await startTlsProxy(proxyOptions)
  const started = await startApi({
    NODE_ENV: 'production',
    STAFF_SECOND_FACTOR: 'required',
    PUBLIC_URL: proxy.url,
    ENCRYPTION_KEY: key,
    TRUST_PROXY: 'loopback',
    LOG_LEVEL: 'error',
    MAIL_FROM: 'Coin <no-reply@coin.example>',
    ...settings,
  })
  proxy.to(started.app)
  return started
}
