import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { fieldProblems } from '#contract/platform/errors.ts'
import { email, newPassword } from '#contract/platform/fields.ts'
import en from '#content/messages/en/forms.json'
import errors from '#content/messages/en/errors.json'
import { interpolate } from '../i18n/interpolate.ts'
import type { UsedMessages } from '../i18n/messages.tsx'
import { problemText, problemMessage } from './problem-message.ts'
import { repeated, sameAs } from './repeated-password.ts'
import { missingFields } from './use-contract-form.ts'

const signup = z
  .object({ email, password: newPassword, confirm: repeated })
  .check(sameAs('password', 'confirm'))
const names = ['email', 'password', 'confirm'] as const
const words: Record<string, string> = { ...en, ...errors }
const t = (key: string, values: Record<string, number>) => interpolate(words[key] ?? key, 'en', values)
const said = (text: string) => problemMessage(t as UsedMessages['t'], text)
const missing = (values: unknown) => missingFields(signup, values, names)

test('before any input every field is missing, in the order of the form', () => {
  expect(missing({})).toEqual(['email', 'password', 'confirm'])
  expect(missing({ email: '', password: '', confirm: '' })).toEqual(['email', 'password', 'confirm'])
})

test('invalid fields count as missing', () => {
  expect(missing({ email: 'nobody', password: 'abcd', confirm: 'abcd' })).toEqual(['email', 'password'])
  expect(missing({ email: 'a@b.example', password: 'abcde', confirm: 'abcdf' })).toEqual(['confirm'])
})

test('nothing is missing from a complete form', () => {
  expect(missing({ email: ' A@b.example ', password: 'abcde', confirm: 'abcde' })).toEqual([])
})

test('compares the passwords even if another field is invalid', () => {
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

test('every field problem has a message, and unknown problems have a default one', () => {
  for (const problem of fieldProblems) expect(said(`${problem} 9`)).toMatch(/^[^{}]+$/)
  expect(said('required')).toBe(en['FormErrors.FieldRequiredError'])
  expect(said('email')).toBe(en['FormErrors.ValidEmailError'])
  expect(said('Invalid input')).toBe(errors['field.invalid'])
})

test("the message of a problem names the schema's bound", () => {
  const problems = (schema: z.ZodMiniType, value: unknown) =>
    (schema.safeParse(value).error?.issues ?? []).map(problemText).map(said)
  expect(problems(email, `${'a'.repeat(300)}@example.org`)).toContain('Enter no more than 254 characters.')
  expect(problems(newPassword, 'abcd')).toEqual(['Enter at least 5 characters.'])
  expect(problems(newPassword, 'a'.repeat(257))).toEqual(['Enter no more than 256 characters.'])
})
