import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '#api/db/database.ts'

/** The secrets that must not be found, by the names used in reports. */
export type Secrets = ReadonlyMap<string, Buffer>

/** Finds the secrets in bytes, in every encoding that a program could write: `name as form`. */
export type Finder = (bytes: Buffer) => string[]

const prefixBytes = 3

/**
 * Base64 of the bytes at any position in a longer text: three alignments, without the characters that depend on
 * neighboring bytes.
 */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '')
    return text.slice(shift === 0 ? 0 : shift + 1, -2)
  })
}

function formsOf(secret: Buffer): [form: string, bytes: Buffer][] {
  const base64 = base64Forms(secret).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
  const hex = secret.toString('hex')
  const texts = [...new Set([...base64, hex, hex.toUpperCase()])]
  const wide = Buffer.from(secret.toString('latin1'), 'utf16le')
  return [
    ['itself', secret],
    ['UTF-16, little end first', wide],
    ['UTF-16, big end first', Buffer.from(wide).swap16()],
    ...texts.map((text): [string, Buffer] => ['base64 or hexadecimal', Buffer.from(text)]),
  ]
}

/** Scans the bytes once: a table of first bytes selects the positions to compare. */
export function makeFinder(secrets: Secrets): Finder {
  const needles = new Map<number, { what: string; bytes: Buffer }[]>()
  const isBegun = new Uint8Array(1 << (8 * prefixBytes))
  for (const [name, secret] of secrets)
    for (const [form, bytes] of formsOf(secret)) {
      const prefix = bytes.readUIntBE(0, prefixBytes)
      isBegun[prefix] = 1
      needles.set(prefix, [...(needles.get(prefix) ?? []), { what: `${name} as ${form}`, bytes }])
    }
  return (bytes) => {
    const found = new Set<string>()
    let prefix = 0
    for (let at = 0; at < bytes.length; at += 1) {
      prefix = ((prefix << 8) | bytes[at]!) & 0xffffff
      if (isBegun[prefix] === 0 || at < prefixBytes - 1) continue
      const start = at - prefixBytes + 1
      for (const { what, bytes: needle } of needles.get(prefix) ?? [])
        if (bytes.subarray(start, start + needle.length).equals(needle)) found.add(what)
    }
    return [...found]
  }
}

/** Searches every file in the folder, including those of the database and its write-ahead log: `file: name as form`. */
export async function findInFiles(folder: string, find: Finder): Promise<{ found: string[]; bytes: number }> {
  const found: string[] = []
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const content = await readFile(path)
    bytes += content.length
    found.push(...find(content).map((what) => `${relative(folder, path)}: ${what}`))
  }
  return { found, bytes }
}

/** Searches every column of every table, as text and, if it is binary, as bytes: `table.column: name as form`. */
export async function findInDatabase(
  db: Database,
  find: Finder,
): Promise<{ found: string[]; columns: number }> {
  const { rows: columns } = await sql<{ table: string; column: string; type: string }>`
    select table_name as table, column_name as column, data_type as type from information_schema.columns
    where table_schema = 'public'`.execute(db)
  const found: string[] = []
  for (const { table, column, type } of columns) {
    const [from, value] = [sql.ref(table), sql.ref(column)]
    const { rows } = await sql<{ text: string; raw: Buffer | null }>`
      select ${value}::text as text, ${type === 'bytea' ? value : sql`null`} as raw from ${from}
      where ${value} is not null`.execute(db)
    for (const { text, raw } of rows) {
      const whats = [...find(Buffer.from(text)), ...(raw ? find(raw) : [])]
      found.push(...whats.map((what) => `${table}.${column}: ${what}`))
    }
  }
  return { found, columns: columns.length }
}
