import { expect, test } from 'vitest'
import { parseCsv } from './parse-csv.ts'
import { scoreName, scorePerson } from './score-name.ts'

test('a name is known by its letters: order, accents, case and marks do not matter, small slips little', () => {
  expect(scoreName('Jean-Luc Müller', 'MULLER, Jean Luc')).toBe(100)
  expect(scoreName('Mohammed Ali', 'Muhammad Ali')).toBeGreaterThanOrEqual(60)
  expect(scoreName('Sample Person', 'Sampel Person')).toBeGreaterThanOrEqual(70)
  expect(scoreName('Sample Person', 'Entirely Different')).toBeLessThan(40)
  expect(scoreName('王小明', '王小明')).toBe(100)
  expect(scoreName('', 'Sample')).toBe(0)
})

test('a date of birth that is known on both sides counts', () => {
  const listed = { name: 'Sample Person', born: '1970-01-02' }
  const score = (born?: string) => scorePerson({ name: 'Sampel Person', born }, listed)
  const without = score()
  expect(score('1970-01-02')).toBe(Math.min(100, without + 10))
  expect(score('1970-12-31')).toBe(without - 25)
  expect(score('1999-01-02')).toBe(without - 40)
  expect(scorePerson({ name: 'Sample Person', born: '1999-01-01' }, { ...listed, born: '' })).toBe(100)
})

test('a CSV file may quote, break lines in quotes, end without a line end and begin with a mark', () => {
  expect(parseCsv('\ufeffname,born\r\n"A, ""B""",1970-01-01\r\n"two\nlines",\n\nlast,x')).toEqual([
    ['name', 'born'],
    ['A, "B"', '1970-01-01'],
    ['two\nlines', ''],
    ['last', 'x'],
  ])
  expect(parseCsv('')).toEqual([])
})
