import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig, readConfigAndRemarks } from './config.ts'
import { StartRefused } from '../start-refused.ts'

const key = randomBytes(32)

describe('secrets in files', () => {
  function aFile(text: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'secret-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'secret'), text)
    return join(folder, 'secret')
  }

  test('each can be read from a file, without the trailing line end', () => {
    const files = {
      DATABASE_URL: 'postgres://u:p@db/coin',
      SMTP_URL: 'smtps://u:p@mail.example',
      STORAGE_URL: 'https://k:s@s3.example/bucket',
      ENCRYPTION_KEY: key.toString('base64'),
      NEXT_ENCRYPTION_KEY: key.toString('hex'),
      METRICS_TOKEN: 'a token',
    }
    const environment = Object.fromEntries(
      Object.entries(files).map(([name, text]) => [`${name}_FILE`, aFile(`${text}\r\n`)]),
    )
    expect(readConfigAndRemarks(environment)).toMatchObject({
      config: {
        databaseUrl: files.DATABASE_URL,
        smtpUrl: files.SMTP_URL,
        storageUrl: files.STORAGE_URL,
        encryptionKey: key,
        nextEncryptionKey: key,
        metricsToken: 'a token',
        isDemo: false,
        isProduction: true,
      },
      remarks: [],
    })
  })

  test.each([
    [{ SMTP_URL_FILE: '/nowhere/secret' }, 'SMTP_URL_FILE', 'ENOENT'],
    [{ SMTP_URL_FILE: tmpdir() }, 'SMTP_URL_FILE', 'EISDIR'],
    [{ SMTP_URL_FILE: '/dev/null' }, 'SMTP_URL_FILE', 'isn’t empt'],
    [{ SMTP_URL: 'smtp://a.example', SMTP_URL_FILE: '/nowhere' }, 'SMTP_URL', 'together with'],
    [{ SMTP_URL_FILE: resolve('package.json') }, 'SMTP_URL', 'starts with smtp://'],
  ])('%j is refused in a sentence', (environment, name, why) => {
    const read = () => readConfig(environment)
    expect(read).toThrow(StartRefused)
    expect(read).toThrow(new RegExp(`^The setting ${name} [^\\n]*${why}[^\\n]*[^.]\\.$`))
  })
})

test.each([
  ['SMTP_ULR', 'SMTP_URL'],
  ['SMTPURL', 'SMTP_URL'],
  ['smtp_url', 'SMTP_URL'],
  ['SMTP_HOST', 'SMTP_URL'],
  ['MAIL_SENDER', 'MAIL_FROM'],
  ['PUBLIC_URI', 'PUBLIC_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['ENCRYPTION_KEYS', 'ENCRYPTION_KEY'],
  ['ENCRYPTION_KEY_FIL', 'ENCRYPTION_KEY_FILE'],
  ['ADMIN_EMAIL', 'ADMIN_EMAILS'],
  ['KYC_FOUR_EYE', 'KYC_FOUR_EYES'],
  ['SCREENING_FILE', 'SCREENING_LIST'],
  ['TRUSTED_PROXY', 'TRUST_PROXY'],
  ['STORAGE_BUCKET', 'STORAGE_URL'],
  ['MAIL_FROM_FILE', 'MAIL_FROM'],
  ['PROT', 'PORT'],
])('the name %s is told to mean %s, and its value is not said', (name, meant) => {
  const { remarks } = readConfigAndRemarks({ [name]: 'a value that may be secret' })
  expect(remarks.map(String)).toEqual([
    `The setting ${name} does not exist and has no effect. Did you mean ${meant}?`,
  ])
})

test('ignores variables of other programs and platforms', () => {
  const names =
    'PATH HOME HOSTNAME USER MAIL MAILCHECK MAILPATH LANG PWD SHELL TERM EDITOR TZ DISPLAY PORTAGE NODE_PATH NODE_OPTIONS NODE_VERSION NODE_COMPILE_CACHE PGHOST PGDATA POSTGRES_URL POSTGRES_PASSWORD DATABASE_HOST LOGNAME DEBUG CI npm_lifecycle_event npm_config_user_agent npm_package_json XDG_DATA_DIRS DATA HOSTTYPE SMTP_PORT SMTP_SERVICE_HOST SMTP_SERVICE_PORT_SMTP SMTP_PORT_25_TCP SMTP_PORT_25_TCP_ADDR STORAGE_SERVICE_PORT INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET AWS_SECRET_ACCESS_KEY HTTP_PROXY NO_PROXY SSL_CERT_FILE KUBERNETES_SERVICE_HOST TEST_DATABASE_URL CHROMIUM_PATH TURNS SCALE'.split(
      ' ',
    )
  const { remarks } = readConfigAndRemarks(Object.fromEntries(names.map((name) => [name, 'set'])))
  expect(remarks).toEqual([])
})

test('rejects the secret half of a backup key as the recipient, in any case, without printing it', () => {
  const secret = 'AGE-SECRET-KEY-1QQPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQQPZRY9X8GF2TVDW0S3'
  for (const given of [secret, secret.toLowerCase()]) {
    const read = () => readConfigAndRemarks({ BACKUP_RECIPIENT: given })
    expect(read).toThrow(/^The setting BACKUP_RECIPIENT must be the public key .*age1/)
    expect(read).not.toThrow(/QQPZRY9/i)
  }
})
