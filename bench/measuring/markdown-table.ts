/** A table that is readable both in a terminal and in a document: columns of equal width, numbers right-aligned. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => widthOf(row[column] ?? ''))))
  const isNumber = head.map(
    (_, column) => column > 0 && rows.some((row) => /^[\d.,]+/.test(row[column] ?? '')),
  )
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => pad(row[column] ?? '', width, isNumber[column]!)).join(' | ')} |`
  const rule = `| ${widths.map((width, column) => (isNumber[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

function pad(text: string, width: number, toTheRight: boolean): string {
  const space = ' '.repeat(width - widthOf(text))
  return toTheRight ? space + text : text + space
}

/** Chinese characters are two columns wide in a terminal. */
const widthOf = (text: string): number =>
  [...text].reduce((width, letter) => width + (/\p{Script=Han}/u.test(letter) ? 2 : 1), 0)
