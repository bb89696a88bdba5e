import { dumpDatabase } from '#api/platform/db/dump.ts'
import { commandLine } from '#api/platform/command-line.ts'
import { runOnDatabase } from './reach-database.ts'

await runOnDatabase('read', commandLine('db:dump', 'FILE'), async (url, file) => {
  const { tables, migrations } = await dumpDatabase(url, file)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${file}: ${tables.length} tables, ${rows} rows, migration ${migrations.at(-1)}`
})
