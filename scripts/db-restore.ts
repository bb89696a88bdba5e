import { restoreDatabase } from '#api/platform/db/restore.ts'
import { commandLine } from '#api/platform/command-line.ts'
import { runOnDatabase } from './reach-database.ts'

await runOnDatabase('write', commandLine('db:restore', 'FILE'), async (url, file) => {
  const { tables, takenAt } = await restoreDatabase(url, file)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${file} of ${takenAt}: ${tables.length} tables, ${rows} rows restored and verified; sessions and codes were revoked, and queued emails stopped`
})
