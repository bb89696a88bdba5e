import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, startProduct, type Product } from '#tests/setup/start-product.ts'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { staffDecides } from '#tests/setup/start-api.ts'
import { startTlsProxy } from '#tests/setup/tls-proxy.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const authority = fileURLToPath(new URL('../tests/setup/certificates/ca.pem', import.meta.url))

type Told = { ok: boolean; checks: { name: string; state: string; problems: { id: string }[] }[] }

async function runDoctor(settings: Record<string, string>, words: string[] = ['--json']) {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, ['scripts/run.mjs', 'doctor', ...words], {
    cwd: root,
    env: { PATH, HOME, NODE_EXTRA_CA_CERTS: authority, ...settings },
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [out, said, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { out, said, code }
}

const problemsIn = (out: string): string[] =>
  (JSON.parse(out) as Told).checks.flatMap(({ problems }) => problems.map(({ id }) => id))

/** Starts the product as in production, behind a TLS proxy. */
async function aRunningProduct(): Promise<{ product: Product; settings: Record<string, string> }> {
  const proxy = await startTlsProxy()
  const databaseUrl = await copyTemplate({ isDurable: true })
  const settings = {
    NODE_ENV: 'production',
    ...staffDecides,
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: createHash('sha256').update('a sample installation').digest('base64'),
    PUBLIC_URL: proxy.url,
    TRUST_PROXY: 'loopback',
    DEMO: 'off',
    DEMO_WORLD: 'off',
    LOG_LEVEL: 'warn',
    PORT: String(await freePort()),
  }
  const product = await startProduct({ settings })
  proxy.to(product.url)
  onTestFinished(async () => {
    await product.stop()
    await dropDatabase(databaseUrl)
  })
  return { product, settings: { ...settings, DATA_DIR: product.dataDir } }
}

test(
  'the command finds what is wrong with a program that runs, and says it',
  { tags: ['nightly'] },
  async () => {
    const { product, settings } = await aRunningProduct()
    const fresh = [
      'backup_never',
      'content_sample',
      'four_eyes_alone',
      'four_eyes_alone_content',
      'four_eyes_alone_orders',
      'four_eyes_alone_sale',
      'mail_unset',
      'no_screening_list',
      'one_administrator',
      'record_never',
    ]
    const { out, code, said } = await runDoctor(settings)
    expect(said).toBe('')
    // The test database server may have a superuser role.
    expect(
      problemsIn(out)
        .filter((id) => id !== 'database_superuser')
        .toSorted(),
    ).toEqual(fresh)
    expect(code).toBe(1)
    expect(out).not.toContain(settings['ENCRYPTION_KEY'])
    const others = await runDoctor({ ...settings, KYC_MIN_AGE: '21' })
    expect(problemsIn(others.out)).toContain('settings_differ')
    expect(others.out).toContain('KYC_MIN_AGE')
    const words = await runDoctor(settings, [])
    expect(words.out).toMatch(/^Address +Healthy$/m)
    expect(words.out).toContain('[backup_never]')
    await product.stop()
    const away = await runDoctor(settings)
    expect(problemsIn(away.out)).toContain('address_unreachable')
  },
)

test(
  'a command that cannot look says why in a sentence, in production as a line of the log',
  { tags: ['nightly'] },
  async () => {
    const settings = { NODE_ENV: 'production', PUBLIC_URL: 'https://coin.example', DATA_DIR: '/nowhere/data' }
    const { said, code, out } = await runDoctor(settings)
    expect([code, out]).toEqual([1, ''])
    expect(JSON.parse(said)).toMatchObject({
      level: 60,
      reason: 'refused',
      msg: expect.stringContaining('/nowhere/data'),
    })
    const wrong = await runDoctor({ NODE_ENV: 'development', DATA_DIR: '/nowhere/data' }, ['--loud'])
    expect(wrong.code).toBe(1)
    expect(wrong.said).toMatch(/^\S.*\.\n$/)
  },
)
