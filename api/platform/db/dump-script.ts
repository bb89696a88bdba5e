import { type ClientBase, escapeIdentifier, escapeLiteral } from 'pg'
import { copySettings, copyTarget, named, type SequenceState, type Table } from './dump-catalogue.ts'
import { applyingSql, makeMigrationTable, readMigrations } from './migrate.ts'
import { aroundLoad } from './with-deferred-checks.ts'

/** The SQL around the rows of a dump, so that PostgreSQL's own `psql` can restore it with the same result. */
export type DumpScript = { before: string; after(sequences: readonly SequenceState[]): string }

const explanation = `-- Into an empty database: psql -v ON_ERROR_STOP=1 -d DATABASE -f FILE
\\set ON_ERROR_STOP on
\\o /dev/null
set client_encoding = 'UTF8';
set client_min_messages = warning;
`

export const copyStatement = (table: Table): string => `copy ${copyTarget(table)} from stdin;\n`
export const endOfRows = '\\.\n'

export async function makeDumpScript(
  client: ClientBase,
  migrations: readonly string[],
  tables: readonly Table[],
  takenAt: string,
): Promise<DumpScript> {
  const order = tables.map(({ name }) => name)
  const around = await aroundLoad(client, order)
  const truncate = `truncate ${order.map(named).join(', ')}`
  const ending = (await hasEnding(client)) ? [`select end_what_was_open(${escapeLiteral(takenAt)})`] : []
  return {
    before:
      explanation +
      (await schemaOf(migrations)) +
      (await languagesOf(client)) +
      lines(['begin', copySettings.trim(), ...around.before, truncate]),
    after: (sequences) =>
      lines([...sequences.map(setSequence), ...around.after, ...ending, 'commit', 'analyze']),
  }
}

/**
 * The migrations that created the tables, as the program applies them. Only the release that took the dump
 * knows them.
 */
async function schemaOf(migrations: readonly string[]): Promise<string> {
  const known = new Map((await readMigrations()).map((each) => [each.name, each]))
  const steps = migrations.map((name) => known.get(name))
  if (!steps.every((step) => step !== undefined))
    return '-- Its tables must be there already: the steps that make them are those of another release.\n'
  return `${makeMigrationTable};\n${steps.map(applyingSql).join('')}`
}

/** Languages that the content added. */
async function languagesOf(client: ClientBase): Promise<string> {
  const { rows } = await client.query(
    `select e.enumlabel as code from pg_enum e join pg_type t on t.oid = e.enumtypid
     where t.typname = 'language' and t.typnamespace = 'public'::regnamespace order by e.enumsortorder`,
  )
  return lines(
    rows.map(({ code }) => `alter type language add value if not exists ${escapeLiteral(code as string)}`),
  )
}

async function hasEnding(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `select to_regprocedure('public.end_what_was_open(timestamptz)') is not null as "isThere"`,
  )
  return (rows as { isThere: boolean }[])[0]!.isThere
}

const setSequence = ({ name, value, isCalled }: SequenceState): string =>
  `select setval(${escapeLiteral(`public.${escapeIdentifier(name)}`)}, ${value}, ${isCalled})`

const lines = (statements: readonly string[]): string => statements.map((each) => `${each};\n`).join('')
