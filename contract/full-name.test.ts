import { expect, it } from 'vitest'
import { fullName } from './full-name.ts'

it('joins a Chinese name without a space, family name first', () => {
  expect(fullName('若溪', '高')).toBe('高若溪')
  expect(fullName('高若溪', '')).toBe('高若溪')
})

it('joins other names with spaces, and leaves out what is missing', () => {
  expect(fullName('Ada', 'Lovelace', 'King')).toBe('Ada King Lovelace')
  expect(fullName('若溪', 'Gao')).toBe('若溪 Gao')
  expect(fullName('', 'Lovelace')).toBe('Lovelace')
})
