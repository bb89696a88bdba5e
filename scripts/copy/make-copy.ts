import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseClient } from '#api/platform/db/database-client.ts'
import { listTables } from '#api/platform/db/dump-catalogue.ts'
import type { DumpHeader } from '#api/platform/db/dump-file.ts'
import { dumpDatabase } from '#api/platform/db/dump.ts'
import { refusalOfConnection } from '#api/platform/db/explain-connection.ts'
import { restoreDatabase } from '#api/platform/db/restore.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { scrubTables, type CopyAdmin } from './scrub-tables.ts'

/** Writes a dump of the database in which personal data is replaced. */
export const copyToFile = (url: string, file: string, admin: CopyAdmin): Promise<DumpHeader> =>
  dumpDatabase(url, file, (client) => scrubTables(client, admin))

/**
 * Fills an empty database with a copy in which personal data is replaced, completely or not at all. The copy is written
 * to a file in `workDir` first, which contains nothing that the target doesn't.
 */
export async function copyToDatabase(
  url: string,
  target: string,
  admin: CopyAdmin,
  workDir: string,
): Promise<DumpHeader> {
  await requireOtherEmptyDatabase(url, target)
  mkdirSync(workDir, { recursive: true })
  const folder = mkdtempSync(join(workDir, 'copy-'))
  try {
    const file = join(folder, 'scrubbed.dump')
    await copyToFile(url, file, admin)
    return await restoreDatabase(target, file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The installation's own database has tables too, so it is refused under any address. */
async function requireOtherEmptyDatabase(url: string, target: string): Promise<void> {
  if (addressOf(url) === addressOf(target))
    throw new StartRefused(
      'The target is the installation’s own database. Name a new, empty database on the staging machine.',
    )
  const client = new DatabaseClient({ url: target })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const [table] = await listTables(client)
    if (table)
      throw new StartRefused(
        `The target database isn’t empty (table ${table.name}). Create a new database, and copy into that.`,
      )
  } catch (error) {
    throw refusalOfConnection(target, error) ?? error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Host, port, and name of the database, without the user and options. */
function addressOf(address: string): string {
  const { hostname, port, pathname } = parse(address)
  return `${hostname.replace(/^localhost$/, '127.0.0.1')}:${port || '5432'}${pathname}`
}

function parse(address: string): URL {
  const found = URL.parse(address)
  if (found && /^postgres(?:ql)?:$/.test(found.protocol)) return found
  throw new StartRefused('Name the target as postgres://USER:PASSWORD@HOST/DATABASE.')
}
