import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeTemporary } from './temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const left = new Set(['node_modules', 'data', 'tests', 'bench'])

/** The folder of this release with two more migrations: one that only adds, and an index that is built concurrently. */
export async function aNextRelease(): Promise<string> {
  const folder = await makeTemporary('next-release')
  for (const part of readdirSync(root))
    if (!part.startsWith('.') && !left.has(part))
      cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const migrations = join(folder, 'api/db/migrations')
  writeFileSync(
    join(migrations, '9001-expand.sql'),
    'alter table announcement add column sample_note text check (char_length(sample_note) <= 10);\n',
  )
  writeFileSync(
    join(migrations, '9002-index.sql'),
    '-- outside a transaction\ncreate index concurrently if not exists announcement_sample_note on announcement (sample_note);\n',
  )
  return folder
}
