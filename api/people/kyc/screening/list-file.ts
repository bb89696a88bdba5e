import { createHash } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { MIB } from '#contract/platform/fields.ts'
import { sentence, type Sentence } from '../../../platform/text/sentence.ts'
import { indexNames, type Listed, type NameIndex } from './name-index.ts'

/** `date` of the list: from the file, or else the file's modification time. */
export type NamedList = { name: string; date: string; entries: number }
export type ListFile = { hash: string; lists: NamedList[]; index: NameIndex }

const bytesMax = 64 * MIB
const nameLengthMax = 300

/** Version of the comparison rules; increase it so that earlier results are computed again. */
const comparison = 1

/**
 * Reads a CSV file with the column `name` and optionally `born`, `list`, and `date`. An error anywhere rejects the
 * whole file: skipped names would look like names without a match.
 */
export async function readListFile(file: string): Promise<ListFile> {
  const before = await stat(file)
  if (before.size > bytesMax) throw new Error(`it is larger than ${bytesMax / MIB} MiB`)
  const bytes = await readFile(file)
  const { mtimeMs, size } = await stat(file)
  if (mtimeMs !== before.mtimeMs || size !== before.size) throw new Error('it is being written')
  const [head = [], ...lines] = parseCsv(decode(bytes))
  const columns = head.map((each) => each.trim().toLowerCase())
  if (!columns.includes('name')) throw new Error('its first line has no column for the name')
  const written = new Date(mtimeMs).toISOString().slice(0, 10)
  const lists = new Map<string, NamedList>()
  const people = lines.map((line, n): Listed => {
    if (line.length > head.length) throw new Error(`entry ${n + 1} has more fields than the first line`)
    const field = (name: string) => line[columns.indexOf(name)]?.trim() ?? ''
    if (field('name') === '') throw new Error(`entry ${n + 1} has no name`)
    const list = (field('list') || basename(file)).slice(0, nameLengthMax)
    const known = lists.get(list) ?? { name: list, date: '', entries: 0 }
    const date = isDay(field('date')) ? field('date') : ''
    lists.set(list, { ...known, date: date > known.date ? date : known.date, entries: known.entries + 1 })
    return { name: field('name').slice(0, nameLengthMax), born: field('born').slice(0, nameLengthMax), list }
  })
  if (people.length === 0) throw new Error('it has no entries')
  return {
    hash: createHash('sha256').update(`${comparison}\n`).update(bytes).digest('hex'),
    lists: [...lists.values()].map((each) => ({ ...each, date: each.date || written })),
    index: indexNames(people),
  }
}

const headMax = 65_536

async function readHead(path: string) {
  const file = await open(path, 'r')
  try {
    return await file.read(Buffer.alloc(headMax), 0, headMax, 0)
  } finally {
    await file.close()
  }
}

/**
 * Checks the beginning of the file and returns a problem without naming anyone. The rest is read at the first
 * comparison.
 */
export async function findFaultOfList(path: string): Promise<Sentence | undefined> {
  try {
    const found = await stat(path)
    if (!found.isFile()) return sentence`it isn’t a file`
    if (found.size > bytesMax) return sentence`it is larger than ${bytesMax / MIB} MiB`
    const { buffer, bytesRead } = await readHead(path)
    // The last line or character may be incomplete.
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead))
    const [head = []] = parseCsv(text.slice(0, text.search(/[\r\n]/) + 1 || undefined))
    const columns = head.map((each) => each.trim().toLowerCase())
    if (!columns.includes('name')) return sentence`its first line has no column "name", so no one is screened`
    if (!columns.includes('born'))
      return sentence`its first line has no column "born", so dates of birth aren’t compared`
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return sentence`it is missing, so no one is screened`
    return sentence`it can’t be read (${{ code: code ?? 'unknown' }}), so no one is screened`
  }
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('it isn’t encoded in UTF-8')
  }
}

/**
 * Parses lines of fields (RFC 4180): quoted fields may contain commas, line ends, and doubled quotes. Anything else is
 * rejected, because the rest would be misread.
 */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = []
  let line: string[] = []
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|\r|$)/y
  const plain = text.replace(/^\ufeff/, '')
  while (field.lastIndex < plain.length) {
    const found = field.exec(plain)
    if (!found)
      throw new Error(`line ${lines.length + 1} cannot be read: a quote in it is not closed or doubled`)
    const [, given = '', end = ''] = found
    line.push(given.startsWith('"') ? given.slice(1, -1).replaceAll('""', '"') : given)
    if (end === ',') continue
    lines.push(line)
    line = []
    if (end === '') break
  }
  if (line.length > 0) lines.push(line)
  return lines.filter((each) => each.some((value) => value.trim() !== ''))
}
