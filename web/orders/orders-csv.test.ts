import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvOf } from './orders-csv.ts'

/** Reads CSV as RFC 4180 defines it. */
function read(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const pattern = /(?:"((?:[^"]|"")*)"|([^,\r\n"]*))(,|\r\n)/gy
  for (const [, quoted, bare, end] of text.matchAll(pattern)) {
    row.push(quoted?.replaceAll('""', '"') ?? bare ?? '')
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: width, maxLength: width }), {
    minLength: 1,
    maxLength: 5,
  }),
)

test('what is written is read again, but for the mark before a formula', () => {
  fc.assert(
    fc.property(table, (rows) => {
      const text = csvOf(rows)
      expect(text[0]).toBe('\uFEFF')
      const unmarked = read(text.slice(1)).map((row) =>
        row.map((each) => each.replace(/^'(?=[=+\-@\t\r])/, '')),
      )
      const given = rows.map((row) => row.map((each) => each.replace(/^'(?=[=+\-@\t\r])/, '')))
      expect(unmarked).toEqual(given)
    }),
  )
})

test('no cell begins as a formula', () => {
  fc.assert(
    fc.property(fc.constantFrom('=', '+', '-', '@', '\t', '\r'), fc.string(), (first, rest) => {
      expect(read(csvOf([[first + rest]]).slice(1))).toEqual([[`'${first}${rest}`]])
    }),
  )
})

test('commas, quotes and line ends are kept inside quotes', () => {
  expect(csvOf([['a,b', 'say "hi"', 'two\r\nlines', 'plain'], ['=1+1']])).toBe(
    '\uFEFF"a,b","say ""hi""","two\r\nlines",plain\r\n\'=1+1\r\n',
  )
})
