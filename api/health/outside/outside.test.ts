import { expect, onTestFinished, test } from 'vitest'
import type { HealthCheck } from '#contract/console/console-health.ts'
import { DAY } from '#contract/platform/durations.ts'
import { absent, anInstallation, dnsOf, outside } from '#tests/setup/an-installation.ts'
import { startMailServer } from '#tests/setup/mail-server.ts'
import { makeKeys } from '../../platform/keys.ts'
import { isTooWide } from '../../platform/http/trusted-networks.ts'
import { look } from '../look.ts'
import { checkAddress } from './check-address.ts'
import { checkMailDomain, checkMailServer } from './check-mail.ts'
import { checkPackages } from '../examine.ts'
import { checkTls } from './check-tls.ts'
import type { Dns } from './outside.ts'

const idsOf = async (check: Promise<HealthCheck>) => (await check).problems

test.each([
  ['self', 'tls_untrusted'],
  ['other', 'tls_name'],
  ['expired', 'tls_expired'],
] as const)('of a certificate that is %s it is said', async (certificate, problem) => {
  const { services } = await anInstallation({}, { certificate })
  expect(await idsOf(checkTls(services, outside()))).toEqual([problem])
})

test('reports an expiring certificate and old TLS versions', async () => {
  const { services } = await anInstallation({}, { minVersion: 'TLSv1' })
  const soon = new Date(Date.UTC(2120, 0, 1) - 5 * DAY)
  expect(await idsOf(checkTls(services, outside({ now: () => soon })))).toEqual(['tls_expires', 'tls_old'])
})

test('detects another installation at the address, and none', async () => {
  const { services } = await anInstallation()
  const [elsewhere] = await checkAddress({ ...services, keys: makeKeys(Buffer.alloc(32, 7)) }, outside())
  expect(elsewhere!.problems).toEqual(['address_elsewhere'])
  const away = { ...services.config, publicUrl: new URL('https://localhost:9') }
  const [none, proxy] = await checkAddress({ ...services, config: away }, outside())
  expect([none!.problems, proxy!.state]).toEqual([['address_unreachable'], 'unchecked'])
  expect((await checkTls({ ...services, config: away }, outside())).state).toBe('unchecked')
})

test('the probe address reveals nothing to strangers', async () => {
  const { app } = await anInstallation()
  const path = '/.well-known/installation-probe'
  const unknown = await app.inject('/.well-known/nothing')
  for (const headers of [{}, { 'x-installation-probe': `${'n'.repeat(24)}.${'m'.repeat(43)}` }]) {
    const answer = await app.inject({ url: path, headers })
    expect([answer.statusCode, answer.body.replace(path, '')]).toEqual([
      404,
      unknown.body.replace('/.well-known/nothing', ''),
    ])
  }
})

test('detects that clients may choose their address, and an unnamed proxy', async () => {
  const passing = (sent: string | undefined) => ({
    'x-forwarded-for': sent ?? '198.51.100.7',
    'x-forwarded-proto': 'https',
  })
  const open = await anInstallation({ TRUST_PROXY: '10.0.0.0/8' }, { from: '10.0.0.1', tells: passing })
  const [, spoofed] = await checkAddress(open.services, outside())
  expect(spoofed!.problems).toEqual(['proxy_spoofed'])
  const unnamed = await anInstallation({ TRUST_PROXY: '10.0.0.0/8' }, { from: '192.0.2.1' })
  const [, unseen] = await checkAddress(unnamed.services, outside())
  expect(unseen!.problems).toEqual([])
  expect((await look('settings', unnamed.services)).problems).toContain('proxy_unnamed')
  expect(isTooWide('0.0.0.0/0')).toBe(true)
  expect(isTooWide('::/0')).toBe(true)
  for (const right of [
    'loopback',
    'uniquelocal',
    '10.0.0.0/8',
    '104.16.0.0/13',
    '2400:cb00::/32',
    false,
  ] as const)
    expect([right, isTooWide(right)]).toEqual([right, false])
})

test('only a clear DNS response counts', async () => {
  const { services } = await anInstallation({ SMTP_URL: 'smtp://127.0.0.1:9' })
  const ask = (dns: Dns, dkim?: string) => checkMailDomain(services, outside({ dns, dkim }))
  expect((await ask(dnsOf({}, 'ETIMEOUT'))).state).toBe('unchecked')
  const named = dnsOf({
    'coin.example': ['v=spf1 mx ~all'],
    'own._domainkey.coin.example': ['v=DKIM1; p=MIIB'],
    '_dmarc.coin.example': ['v=DMARC1; p=none'],
  })
  expect((await ask(named, 'own')).problems).toEqual([])
  expect((await ask(named, 'wrong')).problems).toEqual(['dkim_missing'])
  const empty = { ...dnsOf({}, 'ENODATA'), resolveMx: () => absent('ENODATA') } as Dns
  expect((await ask(empty)).problems).toEqual(['mail_domain_unknown'])
  const above = await anInstallation({
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'no-reply@news.coin.example',
  })
  const { problems } = await checkMailDomain(above.services, outside({ dkim: 'mail' }))
  expect(problems).toEqual(['mail_domain_unknown'])
})

test('sends a test email on request, and reports a rejection by its code', async () => {
  const mails = await startMailServer()
  onTestFinished(() => mails.close())
  const { services } = await anInstallation({ SMTP_URL: mails.url })
  await checkMailServer(services, outside())
  expect(mails.received).toHaveLength(0)
  expect(await idsOf(checkMailServer(services, outside({ mailTo: 'you@coin.example' })))).toEqual([])
  expect(mails.received.map(({ recipients }) => recipients)).toEqual([['you@coin.example']])
  mails.refuseWith = () => 550
  const refused = await checkMailServer(services, outside({ mailTo: 'you@coin.example' }))
  expect(refused).toMatchObject({ problems: ['mail_refused'], facts: [{ name: 'why', value: '550' }] })
})

test('reports nothing about packages without access to the registry', async () => {
  for (const answer of ['', 'not JSON', JSON.stringify({ message: 'request failed', error: {} })])
    expect(await checkPackages(outside({ audit: () => Promise.resolve(answer) }))).toMatchObject({
      state: 'unchecked',
      problems: [],
    })
})
