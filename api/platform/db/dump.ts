import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip, gzipSync } from 'node:zlib'
import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { StartRefused } from '../start-refused.ts'
import {
  type Content,
  contentOf,
  copySettings,
  copyTarget,
  inLoadingOrder,
  listAppliedMigrations,
  listForeignKeys,
  listSequences,
  listTables,
  type SequenceState,
  type Table,
} from './dump-catalogue.ts'
import { DatabaseClient } from './database-client.ts'
import { type DumpHeader, type DumpedTable, writeHeader } from './dump-file.ts'
import { copyStatement, endOfRows, makeDumpScript, type DumpScript } from './dump-script.ts'

/** Reads what a dump contains of a table. */
export type TableReader = {
  /** The rows in the text format of COPY. */
  rowsOf(client: ClientBase, table: Table): AsyncIterable<Buffer>
  /** Called after the rows were read. */
  contentOf(client: ClientBase, table: Table): Promise<Content>
}

export const asStored: TableReader = {
  rowsOf: (client, table) => client.query(copyTo(`copy ${copyTarget(table)} to stdout`)),
  contentOf,
}

/**
 * Writes the whole database as of one point in time to a new file with mode 0600, while others continue to
 * work. Photos and second factors stay encrypted; the key is not included. `readTables` may read other rows than the
 * stored ones; it is called in the transaction that reads.
 */
export async function dumpDatabase(
  url: string,
  file: string,
  readTables: (client: ClientBase) => Promise<TableReader> = async () => asStored,
): Promise<DumpHeader> {
  if (existsSync(file))
    throw new StartRefused(
      `${file} already exists. Dumps are never overwritten, so choose another file name.`,
    )
  const [body, whole] = [`${file}.body`, `${file}.partial`]
  const client = new DatabaseClient({ url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('begin isolation level repeatable read read only')
    await client.query(copySettings)
    const header = await dumpBody(client, body, await readTables(client))
    await client.query('commit')
    // The header contains the counts, so it is written last and prepended: two gzip streams in a row are one.
    await pipeline(headerAndBody(header, body), newFile(whole))
    await rename(whole, file)
    return header
  } catch (error) {
    if (error instanceof StartRefused) throw error
    throw new StartRefused(
      `The dump was not made (${(error as Error).message}). Check that the database responds and that ${file} can be written.`,
      { cause: error },
    )
  } finally {
    await client.end().catch(() => undefined)
    await Promise.all([body, whole].map((path) => rm(path, { force: true })))
  }
}

async function dumpBody(client: ClientBase, file: string, reader: TableReader): Promise<DumpHeader> {
  const migrations = await listAppliedMigrations(client)
  if (migrations.length === 0) {
    throw new StartRefused(
      'The database is empty. Start the application once, or correct DATABASE_URL or DATA_DIR.',
    )
  }
  const { rows } = await client.query('select now() as "takenAt"')
  const takenAt = (rows as { takenAt: Date }[])[0]!.takenAt.toISOString()
  const order = inLoadingOrder(await listTables(client), await listForeignKeys(client))
  const script = await makeDumpScript(client, migrations, order, takenAt)
  const tables: DumpedTable[] = []
  const sequences: SequenceState[] = []
  const hash = createHash('sha256')
  await rm(file, { force: true })
  await pipeline(
    writeBody({ client, reader }, order, script, { tables, sequences, hash }),
    createGzip({ level: constants.Z_BEST_SPEED }),
    newFile(file),
  )
  const before = Buffer.byteLength(script.before)
  return { takenAt, migrations, tables, sequences, script: { before, sha256: hash.digest('hex') } }
}

/** The information about the body that the header contains. */
type Told = { tables: DumpedTable[]; sequences: SequenceState[]; hash: Hash }

async function* writeBody(
  { client, reader }: { client: ClientBase; reader: TableReader },
  order: readonly Table[],
  script: DumpScript,
  told: Told,
): AsyncGenerator<Buffer> {
  const text = (words: string): Buffer => {
    told.hash.update(words)
    return Buffer.from(words)
  }
  yield text(script.before)
  for (const table of order) {
    yield text(copyStatement(table))
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of reader.rowsOf(client, table)) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
    yield text(endOfRows)
    const content = await reader.contentOf(client, table)
    told.tables.push({ ...table, ...content, bytes, sha256: hash.digest('hex') })
  }
  // Sequences are not part of the snapshot; read last, they are never behind the rows.
  told.sequences.push(...(await listSequences(client)))
  yield text(script.after(told.sequences))
}

async function* headerAndBody(header: DumpHeader, body: string): AsyncGenerator<Buffer> {
  yield gzipSync(writeHeader(header))
  yield* createReadStream(body) as AsyncIterable<Buffer>
}

const newFile = (path: string) => createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
