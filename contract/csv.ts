/** The byte order mark makes spreadsheets read UTF-8. */
export const csvStart = '\uFEFF'

/** Text, or a decimal that is written as it is: `-1` is no formula there. */
export type CsvCell = string | { decimal: string }

/** RFC 4180. A text that a spreadsheet would run as a formula is prefixed with an apostrophe, as one would type it. */
export const csvLine = (cells: readonly CsvCell[]): string =>
  `${cells.map((each) => (typeof each === 'string' ? cell(each) : each.decimal)).join(',')}\r\n`

function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
