import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Client, DatabaseError } from 'pg'
import { languages } from '#contract/languages.ts'
import { StartRefused } from '../start-refused.ts'
import { isOutage } from './database.ts'

const directory = fileURLToPath(new URL('./migrations/', import.meta.url))

/** Where another release has waited for this lock, it still does. */
const lock = '3853314791062309107'

export type Migration = { name: string; text: string }

/**
 * Applies the SQL files that are not applied yet, each once and in a transaction of its own: what one adds to an
 * enumeration the next may use. Under an advisory lock, so that any number of instances may start at once.
 */
export async function migrateToLatest(url: string): Promise<void> {
  await applyMigrations(url, await readMigrations())
  await addLanguages(url)
}

/**
 * What `content/languages.json` adds can be stored: a value of the enumeration, for which no row is written anew and no table is
 * locked. None is ever taken away, because rows may have it.
 */
async function addLanguages(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(`select unnest(enum_range(null::language))::text as code`)
    const known = new Set(rows.map(({ code }) => code as string))
    for (const code of languages.filter((each) => !known.has(each)))
      await client.query(`alter type language add value if not exists ${client.escapeLiteral(code)}`)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** In the order in which they are applied: by their names without the ending. */
export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql'))
  const names = files.map((file) => file.slice(0, -'.sql'.length)).sort()
  return Promise.all(
    names.map(async (name) => ({ name, text: await readFile(`${directory}${name}.sql`, 'utf8') })),
  )
}

export async function applyMigrations(url: string, migrations: readonly Migration[]): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    // A waiting instance must not be cut short by a limit of the server's; the end of the session releases the lock.
    await client.query(`begin; set local lock_timeout = '1h'; select pg_advisory_lock(${lock}); commit`)
    const applied = await readApplied(client)
    const names = migrations.map(({ name }) => name)
    if (applied.join('\n') !== names.slice(0, applied.length).join('\n')) {
      throw new StartRefused(
        'The database was written by a newer release of this program; start that release or restore a backup.',
      )
    }
    for (const migration of migrations.slice(applied.length)) await apply(client, migration)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function readApplied(client: Client): Promise<string[]> {
  const found = await client.query(`select to_regclass('kysely_migration') is not null as "isThere"`)
  if (!found.rows[0].isThere) {
    await client.query(
      'create table kysely_migration (name varchar(255) primary key, "timestamp" varchar(255) not null)',
    )
    return []
  }
  const { rows } = await client.query('select name from kysely_migration')
  // Not by the database, which may order letters by the rules of a language.
  return rows.map(({ name }) => name as string).sort()
}

async function apply(client: Client, { name, text }: Migration): Promise<void> {
  try {
    await client.query('begin')
    // Sent without parameters, so that PostgreSQL takes the whole file as one multi-statement query.
    await client.query(text)
    await client.query('insert into kysely_migration values ($1, $2)', [name, new Date().toISOString()])
    await client.query('commit')
  } catch (error) {
    throw isOutage(error) ? error : refusalOf(name, error)
  }
}

/** PostgreSQL's messages and details quote rows; its code and the names of things say enough. */
function refusalOf(name: string, error: unknown): StartRefused {
  const { code, table, constraint } = error instanceof DatabaseError ? error : ({} as Partial<DatabaseError>)
  const reason = [code ?? 'no code', table, constraint].filter(Boolean).join(', ')
  return new StartRefused(
    `The upgrade of the database stopped at ${name} (${reason}), and the steps before it are done: mend the cause and start again, or restore the dump from before the upgrade with the release that made it.`,
    { cause: error },
  )
}
