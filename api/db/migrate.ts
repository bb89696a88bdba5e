import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import { StartRefused } from '../start-refused.ts'

const directory = fileURLToPath(new URL('./migrations/', import.meta.url))

/**
 * Applies the SQL files that are not applied yet, each once, in order of their names, in one transaction and under an
 * advisory lock: any number of instances may start at once.
 */
export async function migrateToLatest(url: string): Promise<void> {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }),
  })
  try {
    const { error } = await new Migrator({
      db,
      provider: { getMigrations: readMigrations },
    }).migrateToLatest()
    if (error) throw refusalOf(error)
  } finally {
    await db.destroy()
  }
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  const migrations: Record<string, Migration> = {}
  for (const file of files) {
    const text = await readFile(directory + file, 'utf8')
    migrations[file.slice(0, -'.sql'.length)] = {
      // Sent without parameters, so that PostgreSQL takes the whole file as one multi-statement query.
      up: async (db) => void (await sql.raw(text).execute(db)),
    }
  }
  return migrations
}

function refusalOf(error: unknown): unknown {
  const isFromNewerRelease = error instanceof Error && error.message.includes('corrupted migrations')
  return isFromNewerRelease
    ? new StartRefused(
        'The database was written by a newer release of this program; start that release or restore a backup.',
      )
    : error
}
