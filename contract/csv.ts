/** The byte order mark makes spreadsheets read UTF-8. */
export const csvStart = '\uFEFF'

/** Text, or a decimal that is written as it is: `-1` is no formula there. */
export type CsvCell = string | { decimal: string }

/**
 * A character that begins a formula, also in its full-width and other compatible forms, at the start of a cell or after a character
 * that some spreadsheets take for the end of a cell: which one that is depends on the reader's locale.
 */
const formulaStart =
  /(^|[;\t\r\n])([\s\p{Cf}]*)(?=[=+\-@\u2212\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20])/gu

/** RFC 4180. A text that a spreadsheet would run as a formula is prefixed with an apostrophe, as one would type it. */
export const csvLine = (cells: readonly CsvCell[]): string =>
  `${cells.map((each) => (typeof each === 'string' ? cell(each) : each.decimal)).join(',')}\r\n`

function cell(text: string): string {
  const neutral = text.replaceAll(formulaStart, "$1'$2")
  const safe = /^[\t\r\n]/.test(neutral) ? `'${neutral}` : neutral
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
