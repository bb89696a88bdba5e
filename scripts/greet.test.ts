import { expect, test } from 'vitest'
import { describeSignIn, isQuiet } from '../greet.ts'

test('lists sample accounts as an aligned table', () => {
  const samples = [
    { title: 'admin', email: 'admin@coin.example', password: 'a-password', may: 'does everything' },
    { title: 'finance 2', email: 'finance2@coin.example', password: 'b', may: 'completes orders' },
  ]
  expect(describeSignIn({ adminEmails: new Set() }, samples)).toEqual([
    'Sign in with one of these accounts. Their passwords are shown only this once.',
    '  Sample admin      admin@coin.example     password a-password  does everything',
    '  Sample finance 2  finance2@coin.example  password b           completes orders',
  ])
})

test('says how the first administrator signs up where there are no sample accounts', () => {
  expect(describeSignIn({ adminEmails: new Set() }, [])).toEqual([expect.stringContaining('ADMIN_EMAILS=')])
})

test('keeps the log for machines: in production, without a terminal, and when LOG_LEVEL asks for it', () => {
  const terminal = { isTTY: true, logLevel: undefined }
  expect(isQuiet({ isProduction: false }, terminal)).toBe(true)
  expect(isQuiet({ isProduction: true }, terminal)).toBe(false)
  expect(isQuiet({ isProduction: false }, { ...terminal, isTTY: false })).toBe(false)
  expect(isQuiet({ isProduction: false }, { ...terminal, logLevel: 'info' })).toBe(false)
})
