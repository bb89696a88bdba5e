import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { setTimeout } from 'node:timers/promises'
import { type Client, DatabaseError } from 'pg'
import { MINUTE, SECOND } from '#contract/platform/durations.ts'
import { languages } from '#contract/platform/languages.ts'
import { StartRefused } from '../start-refused.ts'
import { isOutage } from './database.ts'
import { DatabaseClient } from './database-client.ts'

const directory = fileURLToPath(new URL('./migrations/', import.meta.url))

/** Lock per step, compatible with releases that hold it for the whole migration. */
const lock = '3853314791062309107'
/** Lock for all steps together. */
const wholeLock = '3853314791062309108'
const waitForOthers = 250
/**
 * How long a step waits for a lock before it gives way and tries again, in milliseconds: a waiting step blocks everyone
 * behind it.
 */
const lockTime = 3 * SECOND
const lockPauseMax = 2 * SECOND
const givesWayFor = 10 * MINUTE
/** The first line of a file whose statements run one by one, each as its own transaction. */
const outside = '-- outside a transaction'

type Migration = { name: string; text: string }

/**
 * Applies pending SQL files, each once and in its own transaction, so that the next one can use values added to
 * an enumeration. Any number of instances may start at the same time.
 */
export async function migrateToLatest(url: string): Promise<void> {
  await applyMigrations(url, await readMigrations())
  await addLanguages(url)
}

/**
 * Adds the languages of `content/languages.json` as values of the enumeration, which rewrites no rows and locks
 * no table. None is ever removed, because rows may use it.
 */
async function addLanguages(url: string): Promise<void> {
  const client = new DatabaseClient({ url })
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

/** Reads the migrations in order of application: by name without the extension. */
export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql'))
  const names = files.map((file) => file.slice(0, -'.sql'.length)).sort()
  return Promise.all(
    names.map(async (name) => ({ name, text: await readFile(`${directory}${name}.sql`, 'utf8') })),
  )
}

export async function applyMigrations(url: string, migrations: readonly Migration[]): Promise<void> {
  const keeper = new DatabaseClient({ url })
  const client = new DatabaseClient({ url })
  for (const each of [keeper, client]) each.on('error', () => undefined)
  try {
    await keeper.connect()
    await waitForTurn(keeper)
    await client.connect()
    while (await applyNext(client, migrations)) continue
  } finally {
    for (const each of [client, keeper]) await each.end().catch(() => undefined)
  }
}

/**
 * Waits for its turn in a transaction that stays open, because a session lock could be lost, or kept forever, behind a
 * pooler that reassigns connections. Waiting instances hold no snapshot, which a concurrent index build would wait for.
 */
async function waitForTurn(keeper: Client): Promise<void> {
  for (;;) {
    await keeper.query('begin; set local idle_in_transaction_session_timeout = 0')
    const { rows } = await keeper.query(`select pg_try_advisory_xact_lock(${wholeLock}) as "isMine"`)
    if (rows[0].isMine) return
    await keeper.query('rollback')
    await setTimeout(waitForOthers)
  }
}

/** Applies the next step. Returns whether there was one left. */
async function applyNext(client: Client, migrations: readonly Migration[]): Promise<boolean> {
  await beginAlone(client)
  try {
    const applied = await readApplied(client)
    const names = migrations.map(({ name }) => name)
    if (applied.join('\n') !== names.slice(0, applied.length).join('\n')) {
      throw new StartRefused(
        'A newer release has upgraded this database. Start that release, or restore a backup.',
      )
    }
    const next = migrations[applied.length]
    if (next?.text.startsWith(outside)) {
      await client.query('commit')
      await applyOutside(client, next)
    } else {
      if (next) await apply(client, next)
      await client.query('commit')
    }
    return next !== undefined
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Waits until no step is running. PostgreSQL finishes the statement of a command that was killed. */
export async function waitForMigrations(url: string): Promise<void> {
  const client = new DatabaseClient({ url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await beginAlone(client)
    await client.query('rollback')
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** No server limit interrupts a step, or the wait for another release. */
const beginAlone = (client: Client) =>
  client.query(`begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
    set local lock_timeout = '1h'; select pg_advisory_xact_lock(${lock}); set local lock_timeout = ${lockTime}`)

export const makeMigrationTable =
  'create table kysely_migration (name varchar(255) primary key, "timestamp" varchar(255) not null)'

/** Returns a step as part of a script. */
export function applyingSql({ name, text }: Migration): string {
  const noted = `insert into kysely_migration values ('${name}', '${new Date().toISOString()}');\n`
  return text.startsWith(outside)
    ? `${statementsOf(text).join(';\n')};\n${noted}`
    : `begin;\n${text.trimEnd()}\n${noted}commit;\n`
}

async function readApplied(client: Client): Promise<string[]> {
  const found = await client.query(`select to_regclass('kysely_migration') is not null as "isThere"`)
  if (!found.rows[0].isThere) {
    await client.query(makeMigrationTable)
    return []
  }
  const { rows } = await client.query('select name from kysely_migration')
  // Sorted here, because the database may use language-specific order.
  return rows.map(({ name }) => name as string).sort()
}

async function apply(client: Client, { name, text }: Migration): Promise<void> {
  const begun = performance.now()
  for (;;)
    try {
      await client.query('savepoint step')
      // Sent without parameters, so that PostgreSQL accepts the whole file as one multi-statement query.
      await client.query(text)
      await client.query('insert into kysely_migration values ($1, $2)', [name, new Date().toISOString()])
      return
    } catch (error) {
      const mayAgain = isLockedOut(error) && performance.now() - begun < givesWayFor
      if (!mayAgain) throw isOutage(error) && !isLockedOut(error) ? error : refusalOf(name, error)
      await client.query('rollback to savepoint step')
      await setTimeout(Math.random() * lockPauseMax)
    }
}

/**
 * Its statements can be repeated: an interrupted step starts again, after removing what it left half done. The
 * role's time limits are meant for members' requests; a concurrent index build waits for earlier transactions
 * without blocking anyone.
 */
async function applyOutside(client: Client, { name, text }: Migration): Promise<void> {
  try {
    await client.query(`set statement_timeout = 0; set lock_timeout = ${givesWayFor}`)
    for (const statement of statementsOf(text)) {
      const index = /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement)?.[1]
      if (index) await dropUnfinished(client, index)
      await client.query(statement)
    }
    await client.query('insert into kysely_migration values ($1, $2)', [name, new Date().toISOString()])
  } catch (error) {
    throw isOutage(error) && !isLockedOut(error) ? error : refusalOf(name, error)
  } finally {
    await client.query('reset statement_timeout; reset lock_timeout').catch(() => undefined)
  }
}

/** For files that run outside a transaction: their statements contain no semicolons. */
export const statementsOf = (text: string): string[] =>
  text
    .replaceAll(/^--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)

async function dropUnfinished(client: Client, index: string): Promise<void> {
  const { rows } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  )
  if (rows.length > 0) await client.query(`drop index concurrently ${index}`)
}

const isLockedOut = (error: unknown): boolean => error instanceof DatabaseError && error.code === '55P03'

/** PostgreSQL's messages and details quote rows; its code and the object names are sufficient. */
function refusalOf(name: string, error: unknown): StartRefused {
  const { code, table, constraint } = error instanceof DatabaseError ? error : ({} as Partial<DatabaseError>)
  const reason = [code ?? 'no code', table, constraint].filter(Boolean).join(', ')
  return new StartRefused(
    `The upgrade of the database stopped at ${name} (${reason}). Earlier steps are complete. Fix the cause and start again, or restore the dump made before the upgrade with its own release.`,
    { cause: error },
  )
}
