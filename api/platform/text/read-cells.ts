/** The cells of one line of a spreadsheet file. */
export type Cells = { line: number; cells: string[] }
type CellsProblem = 'encoding' | 'empty' | 'separator' | 'quote' | 'cells' | 'too_many_lines'
type Refused = { line: number; problem: CellsProblem }

/** Spreadsheets may write empty columns too, but not this many. */
const cellsMax = 50

/** Reads a spreadsheet file: returns its heading and lines, or the problem that makes it unreadable, and where. */
export function readCells(
  bytes: Buffer,
  linesMax: number,
): { head: Cells; body: Cells[] } | { refused: Refused } {
  const refused = (line: number, problem: CellsProblem) => ({ refused: { line, problem } })
  const text = decodeText(bytes)
  if (text === undefined) return refused(0, 'encoding')
  const separator = separatorOf(text)
  if (separator === undefined) return refused(1, text.trim() === '' ? 'empty' : 'separator')
  const { rows, unreadable } = split(text, separator, linesMax)
  if (unreadable) return refused(unreadable.line, unreadable.problem)
  const [head, ...body] = rows
  return head && body.length > 0 ? { head, body } : refused(0, 'empty')
}

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark, which spreadsheets call “Unicode text”. Any other encoding would be
 * a guess.
 */
export function decodeText(bytes: Buffer): string | undefined {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8'
  try {
    // The decoder removes the byte order mark.
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** Returns the separator: the heading contains the known column names, so it is what stands between them. */
function separatorOf(text: string): string | undefined {
  const heading = text.trimStart().split(/[\r\n]/, 1)[0] ?? ''
  return [',', ';', '\t'].find((each) => heading.includes(each))
}

/**
 * Parses RFC 4180 with any separator. Lines are numbered as in an editor, even within quotes. Parsing stops if the file
 * is too long or too wide.
 */
function split(text: string, separator: string, linesMax: number): { rows: Cells[]; unreadable?: Refused } {
  const rows: Cells[] = []
  const field = new RegExp(
    `("[^"]*(?:""[^"]*)*"|[^"${separator}\\r\\n]*)(${separator}|\\r\\n|\\r|\\n|$)`,
    'y',
  )
  let line = 1
  let row: Cells = { line, cells: [] }
  while (field.lastIndex < text.length) {
    const found = field.exec(text)
    if (!found) return { rows, unreadable: { line, problem: 'quote' } }
    const [, given = '', end = ''] = found
    if (row.cells.length === cellsMax) return { rows, unreadable: { line, problem: 'cells' } }
    row.cells.push((given.startsWith('"') ? given.slice(1, -1).replaceAll('""', '"') : given).trim())
    if (given.startsWith('"')) line += given.split(/\r\n|\r|\n/).length - 1
    if (end === separator && field.lastIndex < text.length) continue
    if (row.cells.some((cell) => cell !== '')) rows.push(row)
    // One of the rows is the heading.
    if (rows.length > linesMax + 1) return { rows, unreadable: { line: 0, problem: 'too_many_lines' } }
    line += 1
    row = { line, cells: [] }
  }
  return { rows }
}

/** Normalizes a column name as people may write it. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')
