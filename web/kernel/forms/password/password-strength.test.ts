import { expect, test } from 'vitest'
import { isCommonPassword, passwordStrength } from './password-advice.tsx'

test.each(['123456', 'Password', 'P@ssw0rd', 'password123!', 'qwerty', 'iloveyou', 'Dragon2024'])(
  '%s is a common password',
  (password) => {
    expect(isCommonPassword(password)).toBe(true)
    expect(passwordStrength(password)).toBe('veryWeak')
  },
)

test.each(['correct horse battery staple', 'vT9#qLm2!xRd', '12', 'a', 'harbour-onion'])(
  '%s is not a common password',
  (password) => expect(isCommonPassword(password)).toBe(false),
)

test.each([
  ['', 'veryWeak'],
  ['abcde', 'veryWeak'],
  ['aaaaaaaaaaaaaaaa', 'veryWeak'],
  ['abcdefghijklmnop', 'veryWeak'],
  ['zxcvbnmasdf', 'veryWeak'],
  ['tr4kz9', 'weak'],
  ['harbouronion', 'fair'],
  ['vT9#qLm2!xRd', 'good'],
  ['correct horse battery staple', 'strong'],
] as const)('%s is %s', (password, strength) => {
  expect(passwordStrength(password)).toBe(strength)
})

test('parts of the email address count for little', () => {
  expect(passwordStrength('katharina.musterfrau')).not.toBe('veryWeak')
  expect(passwordStrength('katharina.musterfrau', ['katharina@musterfrau.example'])).toBe('veryWeak')
})

test('a longer password of the same kind is never weaker', () => {
  const order = ['veryWeak', 'weak', 'fair', 'good', 'strong']
  const text = 'the river carries nine boats'
  const ranks = Array.from(text, (_, index) => order.indexOf(passwordStrength(text.slice(0, index + 1))))
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b))
})
