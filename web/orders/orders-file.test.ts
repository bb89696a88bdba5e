import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvOf } from './account-details-page.tsx'

/** Parses CSV according to RFC 4180. */
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

test('written cells are read back unchanged, except for the apostrophes before formulas', () => {
  const unmarked = (rows: string[][]) => rows.map((row) => row.map((each) => each.replaceAll("'", '')))
  fc.assert(
    fc.property(table, (rows) => {
      const text = csvOf(rows)
      expect(text[0]).toBe('\uFEFF')
      expect(unmarked(read(text.slice(1)))).toEqual(unmarked(rows))
    }),
    { numRuns: 1_000 },
  )
})

test('text without a formula, a tab, or a line end is read back exactly', () => {
  const plain = fc.stringMatching(/^[A-Za-z0-9 ,"'.:!?\u4e00-\u9fff]{0,20}$/)
  fc.assert(
    fc.property(fc.array(fc.array(plain, { minLength: 2, maxLength: 2 }), { minLength: 1 }), (rows) => {
      expect(read(csvOf(rows).slice(1))).toEqual(rows)
    }),
  )
})

test('no cell starts like a formula', () => {
  // A formula after a character that may end the cell gets its own apostrophe.
  const rest = fc.string().filter((text) => !text.includes(';'))
  fc.assert(
    fc.property(fc.constantFrom('=', '+', '-', '@', '\t', '\r'), rest, (first, rest) => {
      expect(read(csvOf([[first + rest]]).slice(1))).toEqual([[`'${first}${rest}`]])
    }),
  )
})

test('commas, quotes, and line ends are kept inside quotes', () => {
  expect(csvOf([['a,b', 'say "hi"', 'two\r\nlines', 'plain'], ['=1+1']])).toBe(
    '\uFEFF"a,b","say ""hi""","two\r\nlines",plain\r\n\'=1+1\r\n',
  )
})
