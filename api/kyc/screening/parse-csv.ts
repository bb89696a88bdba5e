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
