/**
 * RFC 4180. A cell that a spreadsheet would run as a formula is prefixed with an apostrophe, as one would type it. The
 * byte order mark makes spreadsheets read UTF-8.
 */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(cell).join(',') + '\r\n').join('')}`

function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
