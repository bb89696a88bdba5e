import { expect, test } from 'vitest'
import { createMember, executePasswordReset } from '#contract/people/members.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import type { FieldProblem } from '#contract/platform/errors.ts'
import { Refused, refusedField, type FieldRefusal } from '../refused.ts'
import { problemOf } from './failures.ts'
import { readInput } from './read.ts'
import cn from '#content/messages/cn/errors.json' with { type: 'json' }
import en from '#content/messages/en/errors.json' with { type: 'json' }

const words = { en, cn }

function messagesFor(endpoint: Endpoint, body: object): string[] {
  try {
    readInput(endpoint, { body, params: {}, query: {} })
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused
    return (['en', 'cn'] as const).flatMap((language) =>
      problemOf(refused, words[language]).errors!.map(({ message }) => message),
    )
  }
  return []
}

const email = 'reader@example.org'

test.each<[Endpoint, object, string]>([
  [createMember, { email, password: '1234' }, '5'],
  [createMember, { email, password: 'x'.repeat(257) }, '256'],
  [createMember, { email: `${'a'.repeat(300)}@example.org`, password: 'correct horse' }, '254'],
  [executePasswordReset, { id: 'x', pwdresetcode: 'x', passwd: '1234' }, '5'],
])('a field beyond a bound gets the bound in its message, in both languages: %#', (endpoint, body, bound) => {
  const messages = messagesFor(endpoint, body)
  expect(messages).toHaveLength(2)
  for (const message of messages) expect(message).toMatch(new RegExp(`(?<!\\d)${bound}(?!\\d)`))
})

test('a refusal whose message names a bound only compiles with it', () => {
  const refusals = (either: 'required' | 'too_long', any: FieldProblem) => [
    refusedField('x', 'required'),
    refusedField('x', 'too_long', { max: 5 }),
    { path: 'x', code: 'too_long', values: { max: 5 } } satisfies FieldRefusal,
    // @ts-expect-error the bound is missing
    refusedField('x', 'too_long'),
    // @ts-expect-error the other bound is given
    refusedField('x', 'too_long', { min: 5 }),
    // @ts-expect-error one of the two needs a bound
    refusedField('x', either),
    // @ts-expect-error nobody knows what problem this is
    refusedField('x', any),
    // @ts-expect-error the bound is missing
    { path: 'x', code: 'too_long' } satisfies FieldRefusal,
  ]
  expect(refusals).toBeTypeOf('function')
})
