import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { StartRefused } from '../start-refused.ts'
import { masterKeyOf, readOrMakeMasterKey, requireKeyOrFile } from './key-file.ts'

async function aDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'key-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

test('where production is only assumed, a key is never made: one sentence names the setting', async () => {
  const config = { dataDir: await aDataDir(), encryptionKey: undefined, isKeyRequired: true }
  for (const ask of [requireKeyOrFile, masterKeyOf]) {
    expect(() => ask(config)).toThrow(StartRefused)
    expect(() => ask(config)).toThrow(/^The setting ENCRYPTION_KEY [^\n]+[^.]\.$/)
    expect(() => ask(config)).not.toThrow(/\. /)
  }
  expect(await readdir(config.dataDir)).toEqual([])
})

test('the key file of an installation that has one counts, and so does a key that is given', async () => {
  const dataDir = await aDataDir()
  const given = randomBytes(32)
  const asked = { dataDir, isKeyRequired: true }
  requireKeyOrFile({ ...asked, encryptionKey: given })
  expect(masterKeyOf({ ...asked, encryptionKey: given })).toBe(given)
  const made = readOrMakeMasterKey(dataDir)
  requireKeyOrFile({ ...asked, encryptionKey: undefined })
  expect(masterKeyOf({ ...asked, encryptionKey: undefined })).toEqual(made)
})

test('on a machine of one’s own the first start makes the key', async () => {
  const config = { dataDir: await aDataDir(), encryptionKey: undefined, isKeyRequired: false }
  requireKeyOrFile(config)
  expect(masterKeyOf(config)).toHaveLength(32)
  expect(masterKeyOf(config)).toEqual(masterKeyOf(config))
})
