import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { StartRefused } from '../start-refused.ts'
import type { Content, SequenceState, Table } from './dump-catalogue.ts'
import { copyStatement, endOfRows } from './dump-script.ts'

/**
 * A dump is one gzip file, a script for `psql`: a line `-- database-dump 2 <sha256 of the header>`, the header
 * as one line of JSON in a comment, statements, then for each table of the header, in order, a COPY statement,
 * `bytes` bytes of PostgreSQL's COPY text and the line that ends them, and statements again.
 */
export type DumpHeader = {
  takenAt: string
  migrations: string[]
  tables: DumpedTable[]
  sequences: SequenceState[]
  /** The statements: the number of bytes before the first table, and the hash of all. */
  script: { before: number; sha256: string }
}

/** `sha256` covers the table's bytes in the file, `checksum` its rows in the database. */
export type DumpedTable = Table & Content & { bytes: number; sha256: string }

const title = '-- database-dump 2'
const comment = '-- '
const headerBytesMax = 16 * 1024 * 1024

export function writeHeader(header: DumpHeader): string {
  const text = JSON.stringify(header)
  return `${title} ${sha256(text)}\n${comment}${text}\n`
}

type DumpReader = {
  header: DumpHeader
  /**
   * Streams the next table's bytes; fails at their end if they do not match the header. Read the tables in
   * order.
   */
  readTable(table: DumpedTable): AsyncGenerator<Buffer>
  /** Fails if the file continues after its last table. */
  readEnd(): Promise<void>
}

/** Rejects a file that is not a dump, is truncated, or was altered, as soon as that is detected. */
export async function openDump(file: string): Promise<DumpReader> {
  const bytes = new ByteReader(file)
  const first = await bytes.readLine()
  if (first.startsWith('database-dump 1 '))
    throw bytes.refused('is from an older release and can be restored only with that release')
  const text = (await bytes.readLine()).slice(comment.length)
  if (!first.startsWith(`${title} `)) throw bytes.refused('isn’t a dump of this application')
  if (first !== `${title} ${sha256(text)}`) throw bytes.refused('was modified')
  const header = JSON.parse(text) as DumpHeader
  const script = createHash('sha256')
  const skip = async (count: number): Promise<void> => {
    for await (const chunk of bytes.take(count)) script.update(chunk)
  }
  let isBegun = false

  async function* readTable(table: DumpedTable): AsyncGenerator<Buffer> {
    if (!isBegun) await skip(header.script.before)
    isBegun = true
    await skip(Buffer.byteLength(copyStatement(table)))
    const hash = createHash('sha256')
    for await (const chunk of bytes.take(table.bytes)) {
      hash.update(chunk)
      yield chunk
    }
    if (hash.digest('hex') !== table.sha256) throw bytes.refused('was modified')
    await skip(endOfRows.length)
  }
  const readEnd = async (): Promise<void> => {
    for await (const chunk of bytes.rest()) script.update(chunk)
    if (script.digest('hex') !== header.script.sha256) throw bytes.refused('was modified')
  }
  return { header, readTable, readEnd }
}

/** Reads the whole file once, so that a damaged one is rejected before any database is touched. */
export async function verifyDump(file: string): Promise<DumpHeader> {
  const { header, readTable, readEnd } = await openDump(file)
  for (const table of header.tables) {
    for await (const _ of readTable(table)) continue
  }
  await readEnd()
  return header
}

class ByteReader {
  readonly #file: string
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(file: string) {
    this.#file = file
    const text = pipeline(createReadStream(file), createGunzip(), () => undefined)
    this.#chunks = text[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  async readLine(): Promise<string> {
    const parts: Buffer[] = []
    let size = 0
    while (size <= headerBytesMax) {
      const chunk = await this.#next()
      const end = chunk.indexOf('\n')
      parts.push(end < 0 ? chunk : chunk.subarray(0, end))
      size += chunk.length
      if (end >= 0) {
        this.#rest = chunk.subarray(end + 1)
        return Buffer.concat(parts).toString('utf8')
      }
    }
    throw this.refused('isn’t a dump of this application')
  }

  async *take(count: number): AsyncGenerator<Buffer> {
    for (let missing = count; missing > 0;) {
      const chunk = await this.#next()
      this.#rest = chunk.subarray(missing)
      missing -= Math.min(missing, chunk.length)
      yield chunk.subarray(0, chunk.length - this.#rest.length)
    }
  }

  /** Reading to the end also verifies gzip's own checksum. */
  async *rest(): AsyncGenerator<Buffer> {
    if (this.#rest.length > 0) yield this.#rest
    for (let chunk = await this.#read(); chunk; chunk = await this.#read()) yield chunk
  }

  refused(what: string): StartRefused {
    return new StartRefused(`${this.#file} ${what}. Nothing was restored. Use a different copy of the dump.`)
  }

  async #next(): Promise<Buffer> {
    if (this.#rest.length > 0) {
      const rest = this.#rest
      this.#rest = Buffer.alloc(0)
      return rest
    }
    const chunk = await this.#read()
    if (chunk === null) throw this.refused('is truncated')
    return chunk
  }

  async #read(): Promise<Buffer | null> {
    const next = await this.#chunks.next().catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'Z_BUF_ERROR') throw this.refused('is truncated')
      if (error.code?.startsWith('Z_')) throw this.refused('isn’t a dump of this application or was modified')
      throw new StartRefused(
        `${this.#file} can’t be read (${error.code}). Check the path and its permissions.`,
      )
    })
    return next.done ? null : next.value
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
