import { expect, test } from 'vitest'
import { readStatement } from './read-statement.ts'

/* Payers determine a part of each row, but not how the statement is read. */

const rows = (purpose: string) => ['2026-11-30;100.00;For tokens', `2026-11-30;0.01;${purpose}`]
const read = (...lines: string[]) => {
  const statement = readStatement(Buffer.from([...lines, ''].join('\n')), 100)
  return 'heading' in statement ? [statement.heading, statement.layout] : statement.refused
}
const preamble = ['Account of Sample, Ltd.', 'Statement of November', 'Date;Amount;Purpose']

test.each([[['Date;Amount;Purpose']], [preamble]])(
  'a payer doesn’t change the delimiter or the heading of %o',
  (head) => {
    const expected = read(...head, ...rows('Gift'))
    expect(expected[0]).toEqual(['Date', 'Amount', 'Purpose'])
    for (const typed of [',', ';', '|', '\t'])
      for (const times of [1, 60])
        for (const text of [typed, `${typed}a`, `aa${typed}`])
          expect(read(...head, ...rows(text.repeat(times)))).toEqual(expected)
    // The only payment of a statement.
    expect(read(...head, `2026-11-30;0.01;${','.repeat(60)}`)).toEqual(expected)
  },
)

test('a decimal comma in every row is no delimiter', () => {
  const lines = ['30.11.2026;1,00;2,00', '30.11.2026;1,00;2,00', '30.11.2026;1,00;2,00']
  expect(read('Owner: Sample, Ltd.', 'Day;In;Balance', ...lines)[0]).toEqual(['Day', 'In', 'Balance'])
})
