import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readOrMakeMasterKey } from './key-file.ts'

function aDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'key-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  return dataDir
}

test('creates the key once, completely, for its owner, and leaves nothing beside it', () => {
  const dataDir = aDataDir()
  const key = readOrMakeMasterKey(dataDir)
  expect(key).toHaveLength(32)
  expect(readOrMakeMasterKey(dataDir).equals(key)).toBe(true)
  expect(readdirSync(join(dataDir, 'keys'))).toEqual(['master.key'])
  expect(statSync(join(dataDir, 'keys', 'master.key')).mode & 0o777).toBe(0o600)
})

test('concurrent starts share one key', async () => {
  const dataDir = aDataDir()
  const rounds = 40
  const module = fileURLToPath(new URL('key-file.ts', import.meta.url))
  // They wait for the same moments, so that process startup does not serialize them.
  const code = `const { readOrMakeMasterKey } = await import(${JSON.stringify(module)})
    const keyOf = (dataDir) => {
      try { return readOrMakeMasterKey(dataDir).toString('base64') } catch (error) { return error.message }
    }
    const keys = []
    for (let n = 0; n < ${rounds}; n += 1) {
      while (Date.now() < ${Date.now() + 1000} + n * 8);
      keys.push(keyOf(${JSON.stringify(dataDir)} + '/' + n))
    }
    process.stdout.write(keys.join(','))`
  const keys = await Promise.all(
    [1, 2].map(async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
        stdio: ['ignore', 'pipe', 'inherit'],
        cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      })
      let said = ''
      child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part))
      await new Promise((resolve) => child.once('close', resolve))
      return said.split(',')
    }),
  )
  const kept = Array.from({ length: rounds }, (_, n) => readOrMakeMasterKey(join(dataDir, String(n))))
  for (const each of keys) expect(each).toEqual(kept.map((key) => key.toString('base64')))
})

test('never overwrites an existing key, even a damaged one', () => {
  const dataDir = aDataDir()
  mkdirSync(join(dataDir, 'keys'))
  writeFileSync(join(dataDir, 'keys', 'master.key'), '')
  expect(() => readOrMakeMasterKey(dataDir)).toThrow(/damaged\. Restore it from your backup\.$/)
  expect(readFileSync(join(dataDir, 'keys', 'master.key'), 'utf8')).toBe('')
})
