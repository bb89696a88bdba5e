import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defaultAppId } from '#contract/people/apps.ts'
import { makeHttpServer } from '../../app.ts'
import { readConfig } from './config.ts'
import { StartRefused } from '../start-refused.ts'

const key = Buffer.from('c9f1a2b37d04e58896ab31d2f07c6e155a9b8c7d0e1f2a334b5c6d7e8f901122', 'hex')

test('without any setting runs a demo on this machine with the documented defaults', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: new URL('http://localhost:3000'),
    dataDir: resolve('./data'),
    databaseUrl: undefined,
    smtpUrl: undefined,
    appId: defaultAppId,
    adminEmails: new Set(),
    isDemo: true,
    isProduction: false,
    isStaffSecondFactorRequired: false,
    trustProxy: false,
    passwordLengthMin: 5,
  })
})

test.each([
  'DATABASE_URL=postgres://db/coin',
  'SMTP_URL=smtp://mail.example',
  'ADMIN_EMAILS=a@example.org',
  'PUBLIC_URL=https://coin.example',
  'NODE_ENV=production',
])('with %s it is no demo, and staff need a second factor', (setting) => {
  const [name = '', value] = setting.split('=')
  expect(readConfig({ [name]: value })).toMatchObject({ isDemo: false, isStaffSecondFactorRequired: true })
})

test.each([
  [{ PUBLIC_URL: 'https://coin.example' }, true],
  [{ PUBLIC_URL: 'http://coin.example' }, true],
  [{ PUBLIC_URL: 'https://localhost' }, true],
  [{ DATABASE_URL: 'postgres://db/coin' }, true],
  [{ PUBLIC_URL: 'http://192.168.1.5:3000', DEMO: 'on' }, true],
  [{ NODE_ENV: 'production' }, true],
  [{ PUBLIC_URL: 'http://127.0.0.1:8080', ADMIN_EMAILS: 'a@example.org' }, false],
  [{ PUBLIC_URL: 'http://[::1]:8080' }, false],
  [{ DATABASE_URL: 'postgres://db/coin', NODE_ENV: 'development' }, false],
] as const)('production is assumed where it is not said: %j', (settings, isProduction) => {
  expect(readConfig(settings).isProduction).toBe(isProduction)
})

test('requires a second factor of staff in a production demo', () => {
  for (const [settings, isRequired] of [
    [{ DEMO: 'on' }, false],
    [{ DEMO: 'on', NODE_ENV: 'production' }, true],
    [{ DEMO: 'on', PUBLIC_URL: 'https://coin.example' }, true],
    [{ DEMO: 'on', NODE_ENV: 'production', STAFF_SECOND_FACTOR: 'optional' }, false],
  ] as const)
    expect(readConfig(settings).isStaffSecondFactorRequired).toBe(isRequired)
})

test.each(['localhost', 'app.localhost', '127.0.0.1', '127.9.8.7', '[::1]', 'LOCALHOST', 'localhost.'])(
  'recognizes %s as this machine',
  (name) => expect(readConfig({ PUBLIC_URL: `http://${name}:3000` }).isLocal).toBe(true),
)

test.each([
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '10.0.0.1',
  '[::]',
  'notlocalhost',
  '0.0.0.0',
])('%s is not this machine', (name) =>
  expect(readConfig({ PUBLIC_URL: `http://${name}:3000` }).isLocal).toBe(false),
)

test('reads settings, trimming spaces and ignoring empty ones', () => {
  const config = readConfig({
    PORT: ' 8080 ',
    HOST: '',
    PUBLIC_URL: 'https://coin.example',
    DATABASE_URL: 'postgres://u:p@db/coin',
    NODE_ENV: 'production',
    ENCRYPTION_KEY: key.toString('base64'),
    ADMIN_EMAILS: ' Boss@Example.org , second@example.org,',
    TRUST_PROXY: 'loopback, 10.0.0.0/8, fd00::/8',
    MAIL_FROM: 'Coin <no-reply@coin.example>',
    PASSWORD_MIN_LENGTH: '8',
    DEMO: 'off',
    STAFF_SECOND_FACTOR: 'required',
  })
  expect(config).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    encryptionKey: key,
    adminEmails: new Set(['boss@example.org', 'second@example.org']),
    mailFrom: 'Coin <no-reply@coin.example>',
    passwordLengthMin: 8,
  })
  expect(readConfig({ ENCRYPTION_KEY: key.toString('hex') }).encryptionKey).toEqual(key)
})

const wrong: [setting: string, value: string, besides?: Record<string, string>][] = [
  ['NODE_ENV', 'prod'],
  ['NODE_ENV', 'Production'],
  ['NODE_ENV', 'staging'],
  ['NODE_ENV', 'test'],
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', '80.5'],
  ['PORT', '1e3'],
  ['PUBLIC_URL', 'coin.example'],
  ['PUBLIC_URL', 'ftp://coin.example'],
  ['PUBLIC_URL', 'javascript:alert(1)'],
  ['PUBLIC_URL', 'https://coin.example/en'],
  ['PUBLIC_URL', 'https://coin.example/?a=b'],
  ['PUBLIC_URL', 'https://coin.example/#top'],
  ['PUBLIC_URL', 'https://user:secret@coin.example'],
  ['DATABASE_URL', 'mysql://db/coin'],
  ['DATABASE_URL', 'db/coin'],
  ['SMTP_URL', 'mail.example:25'],
  ['SMTP_URL', 'https://mail.example'],
  ['SMTP_URL', 'smtp://'],
  ['STORAGE_URL', 'files'],
  ['MAIL_FROM', 'nobody'],
  ['MAIL_FROM', 'a@example.org\r\nBcc: b@example.org'],
  ['ENCRYPTION_KEY', 'too short'],
  ['ENCRYPTION_KEY', key.toString('hex') + '00'],
  ['ENCRYPTION_KEY', '00'.repeat(32)],
  ['ENCRYPTION_KEY', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
  ['ENCRYPTION_KEY', '01'.repeat(32)],
  ['ENCRYPTION_KEY', '0123456789abcdef'.repeat(4)],
  ['ENCRYPTION_KEY', Buffer.from('correct horse battery staple 123').toString('base64')],
  ['ENCRYPTION_KEY', Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('hex')],
  ['NEXT_ENCRYPTION_KEY', 'ff'.repeat(32), { ENCRYPTION_KEY: key.toString('hex') }],
  ['BOUNCE_ADDRESS', 'bounces'],
  ['BOUNCE_ADDRESS', 'bounces+x@coin.example'],
  ['BOUNCE_ADDRESS', 'a-very-long-local-part@coin.example'],
  ['MAIL_EVENTS_SES_TOPIC', 'arn:aws:sqs:eu-west-1:123456789012:coin-mail'],
  ['MAIL_EVENTS_SES_TOPIC', 'arn:aws:sns:attacker.example/:123456789012:coin-mail'],
  ['MAIL_EVENTS_POSTMARK_SECRET', 'too-short'],
  ['MAIL_EVENTS_POSTMARK_SECRET', 'a secret: with characters that URLs encode'],
  ['MAIL_EVENTS_SENDGRID_KEY', 'SG.an-api-key'],
  ['ENCRYPTION_KEY', '', { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/coin' }],
  ['APP_ID', 'ABCDEF0123456789ABCDEF01'],
  ['APP_ID', 'abc'],
  ['ADMIN_EMAILS', 'boss'],
  ['ADMIN_EMAILS', 'a@example.org b@example.org'],
  ['ADMIN_EMAILS', 'a@example.org;b@example.org'],
  ['DEMO', 'yes'],
  ['STAFF_SECOND_FACTOR', 'off'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '1'],
  ['TRUST_PROXY', 'dead'],
  ['TRUST_PROXY', '10.0.0.0/99'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['TRUST_PROXY', '::/0'],
  ['TRUST_PROXY', '10.0.0'],
  ['TRUST_PROXY', 'fd00::/129'],
  ['TRUST_PROXY', 'loopback,proxy.example'],
  ['LOG_LEVEL', 'loud'],
  ['PASSWORD_MIN_LENGTH', '4'],
  ['PASSWORD_MIN_LENGTH', '1000'],
]

describe('rejects an invalid setting at startup with one sentence that names it', () => {
  test.for(wrong)('%s=%s', ([name, value, besides]) => {
    const read = () => readConfig({ [name]: value, ...besides })
    expect(read).toThrow(StartRefused)
    expect(read).toThrow(new RegExp(`^The setting ${name} [^\\n]+[^.]\\.$`))
    // The message is one sentence: it has no full stop but the last.
    expect(read).not.toThrow(/\. /)
    // The given value may be a secret.
    if (value.length > 8) expect(read).not.toThrow(value)
  })
})

test.each(['off', 'false', 'loopback', 'linklocal,uniquelocal', '127.0.0.1', '10.0.0.0/8, ::1, fd00::/8'])(
  'passes TRUST_PROXY=%s to the server',
  (value) => {
    const { trustProxy } = readConfig({ TRUST_PROXY: value })
    expect(() => makeHttpServer({ trustProxy, logLevel: 'silent' })).not.toThrow()
  },
)

test('still accepts a guessable key while it is being replaced', () => {
  const settings = { ENCRYPTION_KEY: '00'.repeat(32), NEXT_ENCRYPTION_KEY: key.toString('hex') }
  expect(readConfig(settings)).toMatchObject({ encryptionKey: Buffer.alloc(32), nextEncryptionKey: key })
})

test('never takes a random key for a guessable one', () => {
  for (let n = 0; n < 500; n += 1) readConfig({ ENCRYPTION_KEY: randomBytes(32).toString('base64') })
})

test('excludes subdomains from HSTS unless a setting includes them', () => {
  const told = (settings: Record<string, string>) => readConfig(settings).strictTransport
  expect(told({})).toBe('max-age=31536000')
  expect(told({ HSTS_DAYS: '0' })).toBe('max-age=0')
  expect(told({ HSTS_SCOPE: 'subdomains', HSTS_DAYS: '1' })).toBe('max-age=86400; includeSubDomains')
  expect(told({ HSTS_SCOPE: 'preload' })).toBe('max-age=31536000; includeSubDomains; preload')
  expect(() => told({ HSTS_SCOPE: 'preload', HSTS_DAYS: '30' })).toThrow('The setting HSTS_DAYS must be 365')
})
