type TransactionLine = { reference: string; txId: string }

/** The lines of a file, and the numbers of those without a reference or a transaction ID. */
export type TransactionLines = { lines: TransactionLine[]; incomplete: number[] }

const cellsOf = (line: string): string[] =>
  line.split(/[,;\t]/).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  )

/**
 * Reads `reference,txId`, separated by a comma, a semicolon, or a tab. A heading with both names says in which columns
 * they are, so that a transaction ID can be added to the lines of an exported file.
 */
export function readTransactionLines(text: string): TransactionLines {
  const rows = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ number: index + 1, cells: cellsOf(line) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const names = rows[0]?.cells.map((cell) => cell.toLowerCase()) ?? []
  const [named, paid] = [names.indexOf('reference'), names.indexOf('txid')]
  const hasHeading = named >= 0 && paid >= 0
  const found: TransactionLines = { lines: [], incomplete: [] }
  for (const { number, cells } of hasHeading ? rows.slice(1) : rows) {
    const reference = cells[hasHeading ? named : 0] ?? ''
    const txId = cells[hasHeading ? paid : 1] ?? ''
    if (reference === '' || txId === '') found.incomplete.push(number)
    else found.lines.push({ reference, txId })
  }
  return found
}
