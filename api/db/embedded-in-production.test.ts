import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { StartRefused } from '../start-refused.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { openServer } from './open-server.ts'

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
