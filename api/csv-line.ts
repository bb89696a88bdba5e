/** One line of a CSV file (RFC 4180). */
export const csvLine = (values: readonly string[]): string => `${values.map(quoted).join(',')}\r\n`

/** A spreadsheet runs what begins like a formula (OWASP: CSV injection); behind an apostrophe it is text. */
function quoted(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
