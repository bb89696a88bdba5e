import { randomBytes } from 'node:crypto'
import { StringDecoder } from 'node:string_decoder'
import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { hashOf, textOfRun, type FrozenItem } from '#api/money/payouts/run-hash.rules.ts'
import {
  copyTarget,
  listAppliedMigrations,
  listStoredColumns,
  type Table,
} from '#api/platform/db/dump-catalogue.ts'
import { asStored, type TableReader } from '#api/platform/db/dump.ts'
import { readMigrations } from '#api/platform/db/migrate.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { makePseudonyms, scrubJson, type Pseudonyms, type Row } from './pseudonyms.ts'
import { listUndeclared, rulesOf, type Rule } from './scrub-rules.ts'

/** The administrator of the copy, in place of the first active one of the installation. */
export type CopyAdmin = { email: string; passwordHash: string }

/** Members' texts for the search, per call of the database. */
const wordsAtOnce = 2000

/**
 * Returns a reader that replaces the rows of each table as they are read, so that no original value of a replaced column
 * leaves it. Refuses a database with a column without a rule.
 */
export async function scrubTables(client: ClientBase, admin: CopyAdmin): Promise<TableReader> {
  await requireThisLevel(client)
  await requireRules(client)
  await requireImpersonalIds(client)
  const pseudonyms = makePseudonyms(randomBytes(32))
  const copy: Copy = {
    client,
    pseudonyms,
    admin: await adminColumns(client, admin),
    runHashes: await hashRuns(client, pseudonyms),
    words: new Map(),
  }
  const counts = new Map<string, number>()
  async function* rowsOf(table: Table): AsyncGenerator<Buffer> {
    let count = 0
    for await (const lines of scrubbedLines(copy, table)) {
      count += lines.length
      yield Buffer.from(lines.map((line) => `${line}\n`).join(''))
    }
    counts.set(table.name, count)
  }
  const isReplaced = ({ name }: Table) => rulesOf(name) === 'emptied' || changesOf(copy, name).length > 0
  return {
    rowsOf: (of, table) => (isReplaced(table) ? rowsOf(table) : asStored.rowsOf(of, table)),
    // What the database would compute is the checksum of the original rows.
    contentOf: async (of, table) =>
      isReplaced(table)
        ? { rows: counts.get(table.name) ?? 0, checksum: null }
        : asStored.contentOf(of, table),
  }
}

type Copy = {
  client: ClientBase
  pseudonyms: Pseudonyms
  admin: { id: string; columns: Row }
  /** The hash of each payout run, by its ID. */
  runHashes: ReadonlyMap<string, string>
  /** The searched text of each member, by their ID. */
  words: Map<string, string>
}

async function requireThisLevel(client: ClientBase): Promise<void> {
  const [found, own] = [await listAppliedMigrations(client), await readMigrations()]
  if (found.join('\n') === own.map(({ name }) => name).join('\n')) return
  throw new StartRefused(
    `The database is at migration ${found.at(-1) ?? 'none'} and this release is at ${own.at(-1)?.name}. Make the copy with the release that the installation runs, and then upgrade the copy.`,
  )
}

async function requireRules(client: ClientBase): Promise<void> {
  const undeclared = listUndeclared(await listStoredColumns(client))
  if (undeclared.length === 0) return
  throw new StartRefused(
    `These columns have no rule, so they could contain personal data: ${undeclared.join(', ')}. Nothing was copied. Add them to scripts/copy/scrub-rules.ts.`,
  )
}

/** Imported records keep the IDs of the earlier site, which are kept here as well. */
async function requireImpersonalIds(client: ClientBase): Promise<void> {
  const imported = ['member', 'token_order', 'kyc_application', 'announcement']
  for (const table of imported) {
    const { rows } = await client.query(`select from public.${table} where id like '%@%' limit 1`)
    if (rows.length === 0) continue
    throw new StartRefused(
      `Some IDs in the table ${table} look like email addresses, and a copy keeps IDs. Nothing was copied.`,
    )
  }
}

async function adminColumns(client: ClientBase, { email, passwordHash }: CopyAdmin): Promise<Copy['admin']> {
  const { rows } = await client.query<{ id: string }>(
    `select id from public.member where is_write_access_admin and active and erased_at is null and closed_at is null
     order by created_at, id limit 1`,
  )
  if (!rows[0])
    throw new StartRefused('The installation has no active administrator whose account the copy could use.')
  const rights = ['news', 'employee', 'finance', 'coins'].map((area) => [`manage_${area}`, '2'])
  const columns: Row = {
    ...Object.fromEntries(rights),
    email,
    password_hash: passwordHash,
    password_length_ok_for_staff: 't',
    finance_lost_at: null,
  }
  return { id: rows[0].id, columns }
}

/** The console compares the hash of a run with its deliveries, whose addresses are replaced. */
async function hashRuns(client: ClientBase, pseudonyms: Pseudonyms): Promise<Map<string, string>> {
  const { rows: runs } = await client.query<{
    id: string
    number: string
    network: string
    contract: string
    decimals: number
  }>('select id, number::text, network, contract, decimals from public.payout_run')
  const hashes = new Map<string, string>()
  for (const { id, ...run } of runs) {
    const { rows } = await client.query<FrozenItem>(
      `select i.position, i.address, i.amount::text, d.reference
       from public.payout_item i join public.delivery d on d.id = i.delivery_id where i.run_id = $1 order by i.position`,
      [id],
    )
    const items = rows.map((item) => ({ ...item, address: pseudonyms.address(item.address) }))
    hashes.set(id, hashOf(textOfRun({ ...run, items })))
  }
  return hashes
}

/** Lines in the text format of COPY, in groups. */
async function* scrubbedLines(copy: Copy, table: Table): AsyncGenerator<string[]> {
  if (rulesOf(table.name) === 'emptied') return
  if (table.name === 'member_words') yield* writeWords(copy, table)
  else yield* replaceRows(copy, table)
}

type Change = { column: string; change: (value: string, row: Row) => string | null }

/** The columns of a table that are replaced. */
function changesOf({ pseudonyms }: Pick<Copy, 'pseudonyms'>, table: string): Change[] {
  const rules = rulesOf(table)
  if (rules === 'emptied') return []
  return Object.entries(rules).flatMap(([column, rule]) =>
    rule === undefined || rule === 'keep' ? [] : [{ column, change: changeBy(pseudonyms, rule) }],
  )
}

function changeBy(pseudonyms: Pseudonyms, rule: Exclude<Rule, 'keep'>): Change['change'] {
  if (rule === 'empty') return () => null
  if (rule === 'project' || rule === 'person')
    return (value, row) => JSON.stringify(scrubJson(pseudonyms, rule, JSON.parse(value), row))
  return (value, row) => (value === '' ? '' : pseudonyms[rule](value, row))
}

async function* replaceRows(copy: Copy, table: Table): AsyncGenerator<string[]> {
  const changes = changesOf(copy, table.name)
  for await (const lines of readLines(copy.client.query(copyTo(`copy ${copyTarget(table)} to stdout`))))
    yield lines.map((line) => {
      const row = readRow(table, line)
      const replaced = { ...row }
      for (const { column, change } of changes) {
        const value = row[column] ?? null
        if (value !== null) replaced[column] = change(value, row)
      }
      completeRow(copy, table, replaced)
      return writeRow(table, replaced)
    })
}

/** What depends on more than the value of a column. */
function completeRow({ admin, runHashes, words }: Copy, { name }: Table, row: Record<string, string | null>) {
  if (name === 'payout_run') row['hash'] = runHashes.get(row['id']!)!
  if (name !== 'member') return
  if (row['id'] === admin.id) Object.assign(row, admin.columns)
  const searched = ['email', 'display_name', 'first_name', 'last_name'].map((column) => row[column])
  words.set(row['id']!, searched.join(' ').toLowerCase())
}

/** The search terms of the replaced texts, computed by the database's own function. */
async function* writeWords({ client, words }: Copy, table: Table): AsyncGenerator<string[]> {
  const { rows: kept } = await client.query<{ id: string }>('select id from public.member_words')
  for (let start = 0; start < kept.length; start += wordsAtOnce) {
    const ids = kept.slice(start, start + wordsAtOnce).map(({ id }) => id)
    const { rows } = await client.query<{ id: string; grams: string }>(
      'select id, public.member_grams(text)::text as grams from unnest($1::text[], $2::text[]) given (id, text)',
      [ids, ids.map((id) => words.get(id))],
    )
    yield rows.map((row) => writeRow(table, row))
  }
}

/** Not with `readline`, which also splits at characters that PostgreSQL leaves in a line. */
async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of source) {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop()!
    yield lines
  }
}

const readRow = ({ columns }: Table, line: string): Row => {
  const fields = line.split('\t')
  return Object.fromEntries(columns.map((column, index) => [column, readField(fields[index]!)]))
}

const writeRow = ({ columns }: Table, row: Row): string =>
  columns.map((column) => writeField(row[column] ?? null)).join('\t')

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
const escaped: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(escapes).map(([letter, character]) => [character, `\\${letter}`]),
)

const readField = (field: string): string | null =>
  field === '\\N'
    ? null
    : field.replaceAll(/\\(.)/g, (_, character: string) => escapes[character] ?? character)

const writeField = (value: string | null): string =>
  value === null ? '\\N' : value.replaceAll(/[\b\f\n\r\t\v\\]/g, (character) => escaped[character] ?? '\\\\')
