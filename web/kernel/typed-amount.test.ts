import { expect, test } from 'vitest'
import { typedAmount } from './typed-amount.ts'

const read = (typed: string) => {
  const { data, error } = typedAmount.safeParse(typed)
  return error ? error.issues[0]!.message : data
}

test.each([
  ['0.05', '0.05'],
  ['0,05', '0.05'],
  [' 0,05 ', '0.05'],
  ['0,500', '0.500'],
  ['1,5', '1.5'],
  ['1,12', '1.12'],
  ['1,1250', '1.1250'],
  ['1000,125', '1000.125'],
  ['0.125', '0.125'],
  ['1.1250', '1.1250'],
  ['1000.125', '1000.125'],
  ['1000', '1000'],
  ['０，０５', '0.05'],
  ['０．５', '0.5'],
  ['0。5', '0.5'],
])('“%s” is %s', (typed, amount) => {
  expect(read(typed)).toBe(amount)
})

test.each([
  ['1,000', 'ambiguous_number 1000'],
  ['12,500', 'ambiguous_number 12500'],
  ['999,999', 'ambiguous_number 999999'],
  ['１，０００', 'ambiguous_number 1000'],
  ['1,000,000', 'ambiguous_number 1000000'],
  ['1.000', 'ambiguous_number 1000'],
  ['1.125', 'ambiguous_number 1125'],
  ['１．０００', 'ambiguous_number 1000'],
  ['1.000.000', 'ambiguous_number 1000000'],
  ['1.000,5', 'number'],
  ['1,000.5', 'number'],
  ['1 000', 'number'],
  ["1'000", 'number'],
  ['1,', 'number'],
  [',5', 'number'],
  ['1,5,5', 'number'],
  ['1e5', 'number'],
  ['-1,5', 'number'],
  ['', 'required'],
])('“%s” is not guessed: %s', (typed, problem) => {
  expect(read(typed)).toBe(problem)
})
