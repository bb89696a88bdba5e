import { expect, it } from 'vitest'
import { fullName } from './full-name.ts'

it('joins a Chinese name without a space, family name first', () => {
  expect(fullName('小明', '王')).toBe('王小明')
  expect(fullName('王小明', '')).toBe('王小明')
})

it('joins other names with spaces, and leaves out what is missing', () => {
  expect(fullName('Ada', 'Lovelace', 'King')).toBe('Ada King Lovelace')
  expect(fullName('小明', 'Wang')).toBe('小明 Wang')
  expect(fullName('', 'Lovelace')).toBe('Lovelace')
})
