import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { listPaths } from '../guards/source-files.ts'

const root = resolve(import.meta.dirname, '../..')
const settings = ['.oxfmtrc.json', '.oxlintrc.json', '.gitignore']

/** Copies the current files of this tree, with its packages, for a test that changes them. */
export function copyOfTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'copy-of-tree-'))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  for (const path of [...settings, ...listPaths().filter((each) => !each.endsWith('/'))])
    cpSync(join(root, path), join(copy, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}
