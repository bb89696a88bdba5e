import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '../api/platform/db/embedded/start-embedded.ts'
import { migrateToLatest } from '../api/platform/db/migrate.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const generator = fileURLToPath(new URL('../node_modules/kysely-codegen/dist/cli/bin.js', import.meta.url))

/**
 * Writes `api/platform/db/rows.ts` from a migrated database, or only compares it if `isCheck` is set. Returns whether they
 * match.
 */
export function makeRows(url: string, isCheck: boolean): boolean {
  const words = [
    '--url',
    url,
    '--dialect',
    'postgres',
    '--out-file',
    'api/platform/db/rows.ts',
    '--exclude-pattern',
    // The tables of migrations, and views for the release before, which this release does not use.
    '{kysely_*,member_note,ambassador_note}',
  ]
  const { status } = spawnSync(process.execPath, [generator, ...words, ...(isCheck ? ['--verify'] : [])], {
    cwd: root,
  })
  return status === 0
}

// Not `import.meta.main`, because node may have been started with run.mjs.
if (process.argv[1] === import.meta.filename) {
  const dataDir = await mkdtemp(join(tmpdir(), 'rows-'))
  const server = await startEmbedded({ dataDir, log: () => {} })
  await migrateToLatest(server.url)
  const isDone = makeRows(server.url, false)
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
  process.exit(isDone ? 0 : 1)
}
