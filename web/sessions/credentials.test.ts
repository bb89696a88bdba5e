import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { currentPassword, email } from '#contract/platform/fields.ts'
import { boundsOf, fieldOf, isRequired } from '../kernel/forms/field-bounds.ts'
import { credentials } from './credentials.ts'

const ofContract = z.object({ email, password: currentPassword })

const outcome = (schema: z.ZodMiniType, values: unknown) => {
  const { data, error } = schema.safeParse(values)
  const issues = error?.issues.map(({ path, message }) => ({ path, message }))
  return error
    ? {
        first: issues?.filter(
          (issue, at) => at === issues.findIndex(({ path }) => path[0] === issue.path[0]),
        ),
      }
    : { data }
}

test.each([
  {},
  { email: '', password: '' },
  { email: ' Lena@Example.COM ', password: ' with spaces ' },
  { email: 'lena', password: 'x' },
  { email: 'a@b', password: 'x' },
  { email: `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(63)}.${'d'.repeat(63)}.example`, password: 'x' },
  { email: 'a b@example.com', password: 'x' },
  { email: 'lena@example.com', password: 'p'.repeat(512) },
  { email: 'lena@example.com', password: 'p'.repeat(513) },
])('parses credentials like the contract: %j', (values) => {
  // Forms never send a field as missing.
  const typed = { email: '', password: '', ...values }
  expect(outcome(credentials, typed)).toEqual(outcome(ofContract, typed))
})

test.each(['email', 'password'])('the field %s has the limits of the contract', (name) => {
  const [ours, theirs] = [fieldOf(credentials, name), fieldOf(ofContract, name)]
  expect(boundsOf(ours)).toEqual(boundsOf(theirs))
  expect(isRequired(ours)).toBe(isRequired(theirs))
})
