import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { fieldProblems } from '#contract/errors.ts'
import { email, newPassword } from '#contract/fields.ts'
import { problemWords } from './problem-words.ts'
import { repeated, sameAs } from './repeated-password.ts'
import { missingFields } from './use-contract-form.ts'

const signup = z
  .object({ email, password: newPassword, confirm: repeated })
  .check(sameAs('password', 'confirm'))
const names = ['email', 'password', 'confirm'] as const
const missing = (values: unknown) => missingFields(signup, values, names)

test('before anything is typed every field is missing, in the order of the form', () => {
  expect(missing({})).toEqual(['email', 'password', 'confirm'])
  expect(missing({ email: '', password: '', confirm: '' })).toEqual(['email', 'password', 'confirm'])
})

test('what is wrong is missing too', () => {
  expect(missing({ email: 'nobody', password: 'abcd', confirm: 'abcd' })).toEqual(['email', 'password'])
  expect(missing({ email: 'a@b.example', password: 'abcde', confirm: 'abcdf' })).toEqual(['confirm'])
})

test('nothing is missing from a complete form', () => {
  expect(missing({ email: ' A@b.example ', password: 'abcde', confirm: 'abcde' })).toEqual([])
})

test('the passwords are compared while another field is wrong', () => {
  const result = signup.safeParse({ email: '', password: 'abcde', confirm: 'abcdf' })
  expect(result.error?.issues.map(({ path, message }) => [path[0], message])).toContainEqual([
    'confirm',
    'mismatch',
  ])
})

test('an empty repetition is required, not different', () => {
  const result = signup.safeParse({ email: '', password: 'abcde', confirm: '' })
  const said = result.error?.issues.filter(({ path }) => path[0] === 'confirm').map(({ message }) => message)
  expect(said).toEqual(['required'])
})

test('every problem of a field has its words, and a message of another kind has some', () => {
  for (const problem of fieldProblems) expect(problemWords(problem)).toMatch(/^(field|forms|FormErrors)\./)
  expect(problemWords('required')).toBe('FormErrors.FieldRequiredError')
  expect(problemWords('email')).toBe('FormErrors.ValidEmailError')
  expect(problemWords('Invalid input')).toBe('field.invalid')
})
