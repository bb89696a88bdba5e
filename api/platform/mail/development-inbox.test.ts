import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { goodPassword } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const production = { NODE_ENV: 'production', ENCRYPTION_KEY: randomBytes(32).toString('base64') }
const said = (setting: string) => ({
  NODE_ENV: '',
  ENCRYPTION_KEY: production.ENCRYPTION_KEY,
  ...JSON.parse(setting),
})

async function withOneMail(settings: Record<string, string>) {
  const started = await startApi(settings)
  await started.call(api.createMember, { body: { email: 'reader@example.org', password: goodPassword } })
  return started
}

test.each([
  ['neither SMTP nor production', {}, 200],
  ['a local address', { PUBLIC_URL: 'http://127.0.0.1:3000' }, 200],
  ['SMTP', { SMTP_URL: 'smtp://127.0.0.1:1' }, 404],
  ['production', production, 404],
  ['both', { SMTP_URL: 'smtp://127.0.0.1:1', ...production }, 404],
  ['a public address, in development', { PUBLIC_URL: 'https://coin.example' }, 404],
  ['a public address, NODE_ENV forgotten', said('{"PUBLIC_URL":"https://coin.example"}'), 404],
  ['a plain public address, NODE_ENV forgotten', said('{"PUBLIC_URL":"http://coin.example"}'), 404],
  ['a given database, NODE_ENV forgotten', said('{}'), 404],
  ['an address of the network', { PUBLIC_URL: 'http://192.168.1.5:3000' }, 404],
])('emails are readable at /dev/inbox with %s: %#', async (_, settings, status) => {
  const started = await withOneMail({ ADMIN_EMAILS: 'reader@example.org', ...settings })
  const answer = await started.send({ method: 'GET', url: '/dev/inbox' })
  expect(answer.statusCode).toBe(status)
  expect(answer.body.includes('reader@example.org')).toBe(status === 200)
  if (status === 200)
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
})

test('the inbox is available only on the machine itself', async () => {
  const started = await withOneMail({ TRUST_PROXY: 'loopback' })
  const ask = async (host: string | undefined, remoteAddress = '127.0.0.1', more = {}) => {
    const answer = await started.send({
      method: 'GET',
      url: '/dev/inbox',
      remoteAddress,
      headers: { ...(host === undefined ? {} : { host }), accept: 'text/html', ...more },
    })
    expect(answer.body.includes('reader@example.org')).toBe(answer.statusCode === 200)
    return answer.statusCode
  }
  for (const host of ['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'LocalHost:80'])
    expect([host, await ask(host)]).toEqual([host, 200])
  for (const address of ['127.0.0.2', '::1', '::ffff:127.0.0.1'])
    expect([address, await ask('localhost', address)]).toEqual([address, 200])
  for (const address of ['192.168.1.9', '10.0.0.1', '::ffff:10.0.0.1', 'fe80::1', '2001:db8::1', '1.127.0.0'])
    expect([address, await ask('localhost', address)]).toEqual([address, 404])
  for (const host of [
    'coin.example',
    'localhost.coin.example',
    '127.0.0.1.coin.example',
    'localhost@coin.example',
    'coin.example/localhost',
    'coin.example#localhost',
    'coin.example\\localhost',
    '192.168.1.5:3000',
    'localhost:x',
  ])
    expect([host, await ask(host)]).toEqual([host, 404])
  for (const header of [
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-port',
    'forwarded',
    'x-real-ip',
    'via',
    'cf-connecting-ip',
  ])
    for (const value of ['127.0.0.1', 'localhost', ''])
      expect([header, await ask('localhost', '127.0.0.1', { [header]: value })]).toEqual([header, 404])
})
