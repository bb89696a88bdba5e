/** The byte order mark makes spreadsheet programs read the file as UTF-8. */
export const csvStart = '\uFEFF'

/** Text, or a decimal that is written unchanged, because a number such as `-1` is not a formula. */
export type CsvCell = string | { decimal: string }

/**
 * Characters that start a formula, including their full-width and other compatible forms, at the start of a
 * cell or after a character that some spreadsheets treat as the end of a cell. Which character that is depends
 * on the reader's locale.
 */
const formulaStart =
  /(^|[;\t\r\n])([\s\p{Cf}]*)(?=[=+\-@\u2212\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20])/gu

/**
 * Formats a line of CSV (RFC 4180). Text that a spreadsheet would run as a formula gets a leading apostrophe,
 * as in manual entry.
 */
export const csvLine = (cells: readonly CsvCell[]): string =>
  `${cells.map((each) => (typeof each === 'string' ? cell(each) : each.decimal)).join(',')}\r\n`

function cell(text: string): string {
  const neutral = text.replaceAll(formulaStart, "$1'$2")
  const safe = /^[\t\r\n]/.test(neutral) ? `'${neutral}` : neutral
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
