import { restoreDatabase, restoreExactly } from '#api/platform/db/restore.ts'
import { commandLine } from '#api/platform/command-line.ts'
import { runOnDatabase } from './reach-database.ts'
import { recordRestore } from './record-restore.ts'

// For `coin upgrade`, which restores a dump only if nothing has happened since.
const isExact = process.argv.at(-1) === '--exact'
if (isExact) process.argv.pop()

await runOnDatabase('write', commandLine('db:restore', 'FILE'), async (url, file) => {
  const { tables, takenAt } = await (isExact ? restoreExactly : restoreDatabase)(url, file)
  // After an exact restore, the calling command records what happened.
  if (!isExact) await recordRestore(url, takenAt)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const ended = isExact ? '' : '; sessions and codes were revoked, and queued emails stopped'
  return `${file} of ${takenAt}: ${tables.length} tables, ${rows} rows restored and verified${ended}`
})
