import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FilesHang, requireDataDir } from './data-dir.ts'

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'data-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('creates a working directory, and leaves nothing in it', async () => {
  const dataDir = join(aFolder(), 'a', 'b')
  await requireDataDir(dataDir)
  await requireDataDir(dataDir)
  expect(readdirSync(dataDir)).toEqual([])
})

test('rejects a hanging one in limited time, in a sentence', async () => {
  const hanging = requireDataDir('/far/away', { patience: 50, tryOut: () => new Promise(() => {}) })
  await expect(hanging).rejects.toThrow(FilesHang)
  await expect(hanging).rejects.toThrow(/^The directory \/far\/away in DATA_DIR isn’t responding\. [^.]+\.$/)
})

test('rejects one that cannot be created with its reason, but not a full one', async () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'file'), '')
  await expect(requireDataDir(join(folder, 'file', 'data'))).rejects.toThrow(
    /DATA_DIR can’t be created .*ENOTDIR/,
  )
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  await requireDataDir(folder, { tryOut: () => Promise.reject(full) })
})
